// The item browser: filters, sentences with the surprisal of each word drawn below it, trees on demand.
(async () => {
  const $ = (id) => document.getElementById(id);
  const [list, more, count] = [$("browser-items"), $("browser-more"), $("browser-count")];
  const controls = ["suite", "model", "level", "show", "find"].map((name) => $(`browser-${name}`));
  const [suiteBox, modelBox, levelBox, showBox, findBox] = controls;
  const PAGE = 10, TALLEST = 44, HIGHEST = 20;
  let data, shown = PAGE;

  const unpack = async (text) => {
    const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };
  const element = (tag, attributes = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), attributes);
    made.append(...children);
    return made;
  };
  const number = (value) => (value === null || value === undefined ? "–" : value.toFixed(1));
  const sum = (values) => values.reduce((total, value) => total + (value ?? 0), 0);
  const letters = (text) => [...text];

  // The words of a text with the place of their first character; without spaces, as the browser divides the language.
  const words = (text, language) => {
    const spaced = /\s/u.test(text.trim()) || !Intl.Segmenter;
    const pieces = spaced ? text.match(/\S+\s*|\s+/gu) ?? []
      : [...new Intl.Segmenter(language, { granularity: "word" }).segment(text)].map((piece) => piece.segment);
    let start = 0;
    return pieces.map((piece) => ({ text: piece, start, end: (start += letters(piece).length) }));
  };

  // How the words of a sentence came of those of another: "added", "changed" (in place of others), "moved", or null; and
  // the words that are gone, by the place before which they stood.
  const changes = (after, before) => {
    // Marks at its ends are no part of a word.
    const bare = (word) => word.text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, "").toLocaleLowerCase() || word.text.trim();
    const [one, other] = [after, before].map((list) => list.map(bare));
    const alike = Array.from({ length: one.length + 1 }, () => new Array(other.length + 1).fill(0));
    for (let i = one.length - 1; i >= 0; i -= 1) {
      for (let j = other.length - 1; j >= 0; j -= 1) {
        alike[i][j] = one[i] === other[j] ? alike[i + 1][j + 1] + 1 : Math.max(alike[i + 1][j], alike[i][j + 1]);
      }
    }
    const kinds = one.map(() => null), gone = one.concat("").map(() => []);
    for (let i = 0, j = 0; i < one.length || j < other.length;) {
      if (i < one.length && j < other.length && one[i] === other[j]) { i += 1; j += 1; continue; }
      const begin = i;
      while (i < one.length || j < other.length) {
        if (i < one.length && j < other.length && one[i] === other[j]) break;
        if (j < other.length && (i === one.length || alike[i][j + 1] >= alike[i + 1][j])) gone[begin].push(before[j++]);
        else i += 1;
      }
      for (let place = begin; place < i; place += 1) kinds[place] = gone[begin].length ? "changed" : "added";
      if (i > begin) gone[begin] = { replaced: gone[begin] };
    }
    const lost = new Set(gone.flatMap((words) => words.replaced ?? words).map(bare));
    return { kinds: kinds.map((kind, place) => (kind && lost.has(one[place]) ? "moved" : kind)), gone };
  };

  const bar = (bits, impossible) => {
    const made = element("i", { className: impossible ? "bits impossible" : "bits" });
    made.style.height = `${impossible ? TALLEST : Math.max(1, Math.round((Math.min(bits, HIGHEST) / HIGHEST) * TALLEST))}px`;
    return made;
  };

  const drawGone = (text) => {
    const made = element("span", { className: "word gone" }, element("span", { textContent: text }));
    made.title = `${text}: left out here`;
    return made;
  };

  const drawWord = (word, kind, starts, bits) => {
    const own = starts.map((_, place) => place).filter((place) => starts[place] >= word.start && starts[place] < word.end);
    const read = own.filter((place) => bits[place] !== null);
    const made = element("span", { className: kind ? `word marked ${kind}` : "word" }, element("span", { textContent: word.text }));
    if (read.length) {
      const total = sum(read.map((place) => bits[place]));
      made.title = `${word.text.trim()}: ${number(total)} bits, ${own.length} token${own.length === 1 ? "" : "s"}`;
      made.append(bar(total), element("small", { textContent: number(total) }));
    } else {
      made.append(element("i", { className: "bits" }), element("small", { textContent: own.length ? "–" : "" }));
    }
    return made;
  };

  const drawCondition = (condition, right, reading, best, language) => {
    const text = condition.regions.join("");
    const [bits, starts, tokens] = reading ?? [[], [], []];
    let place = 0;
    const spans = condition.regions.map((region, index) => (
      { start: place, end: (place += letters(region).length), isTarget: condition.names[index] === "target" }));
    const ownWords = words(text, language);
    const { kinds, gone } = condition === right
      ? { kinds: ownWords.map((word) => (spans.some((span) => span.isTarget && span.start < word.end && span.end > word.start) ? "changed" : null)), gone: [] }
      : changes(ownWords, words(right.regions.join(""), language));
    const sentence = element("p", { className: "bitted", lang: language, dir: "auto" });
    [...ownWords, null].forEach((word, index) => {
      if (gone[index]?.length) sentence.append(drawGone(gone[index].map((each) => each.text.trim()).join(" ")));
      if (word) sentence.append(drawWord(word, kinds[index], starts, tokens));
    });
    const regions = condition.names.map((name, index) => (bits[index] === null || bits[index] === undefined || !condition.regions[index]
      ? "" : `${name} ${number(bits[index])}`)).filter(Boolean).join(" + ");
    const total = bits.some((value) => value !== null) ? sum(bits) : null;
    const label = element("div", { className: "told" },
      element("b", { textContent: `${condition.good === false ? "*" : ""}${condition.name}` }),
      element("span", { className: best ? "best" : "", textContent: total === null ? "not scored" : `${number(total)} bits` }),
      element("small", { textContent: regions }));
    return element("div", { className: condition.good === false ? "condition-row bad" : "condition-row good" }, label, sentence);
  };

  const drawItem = (item, suite, model, level) => {
    const [verdict, readings] = item.scores[model]?.[level] ?? ["none", []];
    const totals = item.conditions.map((_, place) => (readings[place] ? sum(readings[place][0]) : Infinity));
    const best = Math.min(...totals);
    const said = { right: "right", wrong: "wrong", tied: "tied", none: "not scored" }[verdict];
    const made = element("article", { className: `item is-${verdict}` });
    made.append(element("p", { className: "meta" }, element("b", { className: "verdict", textContent: said }),
      ` ${[suite.dataset, suite.title, item.source, item.id].filter(Boolean).join(" · ")}`));
    item.conditions.forEach((condition, place) => made.append(drawCondition(
      condition, item.conditions[0], readings[place], totals[place] === best && verdict !== "none", suite.language)));
    if (item.tree !== null) {
      const tree = element("details", {}, element("summary", { textContent: "The match as a tree" }));
      tree.addEventListener("toggle", () => {
        if (tree.open && !tree.querySelector("svg")) tree.append(Object.assign(element("div", { className: "tree" }), { innerHTML: data.trees[item.tree] }));
      });
      made.append(tree);
    }
    return made;
  };

  const found = () => {
    const text = findBox.value.trim().toLocaleLowerCase();
    const suites = suiteBox.value === "" ? data.suites : [data.suites[suiteBox.value]];
    return suites.flatMap((suite) => suite.items.map((item) => [item, suite])).filter(([item]) => {
      const verdict = item.scores[modelBox.value]?.[levelBox.value]?.[0] ?? "none";
      return (showBox.value === "" || verdict === showBox.value)
        && (!text || item.id === text || item.conditions.some((condition) => condition.regions.join("").toLocaleLowerCase().includes(text)));
    });
  };

  const draw = () => {
    const matching = found();
    const suites = suiteBox.value === "" ? data.suites : [data.suites[suiteBox.value]];
    const [here, all] = [sum(suites.map((suite) => suite.items.length)), sum(suites.map((suite) => suite.total))];
    count.textContent = `${matching.length} of ${here} items${here < all ? ` (a sample of ${all})` : ""}`;
    list.replaceChildren(...matching.slice(0, shown).map(([item, suite]) => drawItem(item, suite, modelBox.value, levelBox.value)));
    more.hidden = matching.length <= shown;
    more.textContent = `Show ${Math.min(PAGE, matching.length - shown)} more`;
  };

  const fillLevels = () => {
    const levels = new Set(data.suites.flatMap((suite) => suite.items.flatMap((item) => Object.keys(item.scores[modelBox.value] ?? {}))));
    const before = levelBox.value;
    levelBox.replaceChildren(...[...levels].sort().map((level) => new Option(level, level)));
    if (levels.has(before)) levelBox.value = before;
  };

  // #items?suite=0&model=1&level=sentence&show=wrong&find=… opens the page there; the address follows the choice.
  const fromAddress = () => {
    const wanted = new URLSearchParams(location.hash.split("?")[1] ?? "");
    controls.forEach((control) => {
      const value = wanted.get(control.id.replace("browser-", ""));
      if (value !== null) control.value = value;
      if (control === modelBox) fillLevels();
    });
  };
  const toAddress = () => {
    const wanted = new URLSearchParams(controls.map((control) => [control.id.replace("browser-", ""), control.value]).filter(([, value]) => value));
    history.replaceState(null, "", `#items?${wanted}`);
  };

  try {
    data = await unpack($("browser-data").textContent);
  } catch (error) {
    count.textContent = `This browser cannot unpack the items (${error.message}); a newer one can.`;
    return;
  }
  const several = new Set(data.suites.map((suite) => suite.dataset)).size > 1;
  suiteBox.append(new Option("all suites", ""), ...data.suites.map((suite, place) => new Option(several ? `${suite.dataset}: ${suite.title}` : suite.title, place)));
  modelBox.append(...data.models.map((model, place) => new Option(model, place)));
  suiteBox.value = data.suites.length ? "0" : "";
  fillLevels();
  fromAddress();
  controls.forEach((control) => control.addEventListener("input", () => {
    shown = PAGE;
    if (control === modelBox) fillLevels();
    toAddress();
    draw();
  }));
  more.addEventListener("click", () => { shown += PAGE; draw(); });
  window.addEventListener("hashchange", () => { if (location.hash.startsWith("#items?")) { fromAddress(); draw(); } });
  draw();
  if (location.hash.startsWith("#items?")) $("items").scrollIntoView();
})();
