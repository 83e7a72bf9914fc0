// An editor of Grew requests: a text field above its own text in colours, and a list of what may come next.
const TOKENS = [
  ["setting", /%[ \t]*[\w]+:(?=[^\n]*)/y],
  ["comment", /%[^\n]*/y],
  ["string", /(re)?"(\\.|[^"\\\n])*"?/y],
  ["edge", /-\[[^\]\n]*\]?(->)?|->>|->/y],
  ["block", /\b(pattern|without|with|global)\b(?=\s*\{)/y],
  ["feature", /[A-Za-z_]\w*(?=\s*(=|<>)(?!\s*[\w$]+\.))/y],
  ["node", /[A-Za-z_][\w$]*(?=\s*(\[|->|-\[|\.|<<|>>|:))/y],
  ["sign", /[{}[\];,|=!<>]+/y],
  ["other", /[\w$']+|\s+|./uy],
];

function paint(text, wrong) {
  const painted = document.createDocumentFragment();
  let place = 0;
  while (place < text.length) {
    for (const [kind, pattern] of TOKENS) {
      pattern.lastIndex = place;
      const found = pattern.exec(text);
      if (!found) continue;
      const span = document.createElement("span");
      const end = place + found[0].length;
      span.className = kind + (wrong !== null && place <= wrong && wrong < end ? " wrong" : "");
      span.textContent = found[0];
      painted.append(span);
      place = end;
      break;
    }
  }
  if (wrong !== null && wrong >= text.length) {
    const end = document.createElement("span");
    end.className = "wrong";
    end.textContent = " ";
    painted.append(end);
  }
  painted.append("\n");
  return painted;
}

// Where a message says that something is wrong, as a place in the text.
function wrongPlace(text) {
  const messages = document.querySelector("#messages[data-line]");
  if (!messages) return null;
  const lines = text.split("\n");
  const before = lines.slice(0, messages.dataset.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  return messages.dataset.column ? before + Number(messages.dataset.column) - 1 : null;
}

export function attachEditors(ask) {
  for (const editor of document.querySelectorAll("[data-editor]")) attach(editor, ask);
}

function attach(editor, ask) {
  const [area, layer, list] = ["textarea", "pre", "ul"].map((name) => editor.querySelector(name));
  let offered = null;
  let chosen = 0;
  let timer = 0;

  const show = (wrong = null) => {
    layer.replaceChildren(paint(area.value, wrong));
    area.style.setProperty("height", "auto");
    area.style.setProperty("height", `${area.scrollHeight + 2}px`);
    layer.scrollLeft = area.scrollLeft;
  };
  const hide = () => {
    list.hidden = true;
    room(0);
    offered = null;
    area.removeAttribute("aria-activedescendant");
    area.removeAttribute("aria-controls");
  };
  // What stands below, such as a message, makes room for the list.
  const room = (height) => editor.style.setProperty("margin-bottom", `${Math.max(0, height)}px`);
  const mark = () => {
    for (const [place, option] of [...list.children].entries()) option.setAttribute("aria-selected", place === chosen);
    list.children[chosen].scrollIntoView({ block: "nearest" });
    area.setAttribute("aria-controls", list.id);
    area.setAttribute("aria-activedescendant", list.children[chosen].id);
  };
  const offer = (answer) => {
    if (!answer?.offers?.length || document.activeElement !== area) return hide();
    [offered, chosen] = [answer, 0];
    list.replaceChildren(...answer.offers.map((completion, place) => {
      const option = document.createElement("li");
      option.id = `${list.id}-${place}`;
      option.role = "option";
      const detail = document.createElement("span");
      detail.textContent = completion.detail;
      option.append(completion.label, detail);
      option.addEventListener("mousedown", (event) => { event.preventDefault(); take(place); });
      return option;
    }));
    list.hidden = false;
    placeList();
    mark();
    return undefined;
  };
  const placeList = () => {
    const before = area.value.slice(0, area.selectionStart).split("\n");
    const style = getComputedStyle(area);
    list.style.setProperty("top", `${before.length * parseFloat(style.lineHeight) + parseFloat(style.paddingTop)}px`);
    const letters = Math.min(before.pop().length, 28);
    list.style.setProperty("left", `${Math.min(letters * parseFloat(style.fontSize) * 0.6, area.clientWidth - 180)}px`);
    room(list.offsetTop + list.offsetHeight + 8 - area.offsetHeight);
  };
  const take = (place) => {
    const { start, offers } = offered;
    hide();
    area.setRangeText(offers[place].text, start, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
    hide();
  };
  const complete = async () => {
    const [text, cursor] = [area.value, area.selectionStart];
    const answer = await ask(editor.dataset.editor, { text, cursor });
    // Who has typed on meanwhile wants nothing put in the place of that.
    const isLate = area.value !== text || area.selectionStart !== cursor;
    const isThere = answer?.offers?.length === 1 && answer.offers[0].text === text.slice(answer.start, cursor);
    offer(isLate || isThere ? null : answer);
  };

  area.addEventListener("input", (event) => {
    show();
    clearTimeout(timer);
    const goesOn = event.inputType?.startsWith("insert") && !event.inputType.endsWith("Paste");
    const below = editor.style.marginBottom;
    hide();
    if (!goesOn) return;
    // The next list comes at once: what stands below does not jump up and down.
    editor.style.setProperty("margin-bottom", below);
    timer = setTimeout(complete, 120);
  });
  area.addEventListener("set", () => { show(); hide(); });
  area.addEventListener("scroll", () => { layer.scrollLeft = area.scrollLeft; });
  area.addEventListener("blur", hide);
  area.addEventListener("keydown", (event) => {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      complete();
    } else if (offered && ["ArrowDown", "ArrowUp"].includes(event.key)) {
      event.preventDefault();
      chosen = (chosen + (event.key === "ArrowDown" ? 1 : -1) + offered.offers.length) % offered.offers.length;
      mark();
    } else if (offered && ["Enter", "Tab"].includes(event.key)) {
      event.preventDefault();
      take(chosen);
    } else if (offered && event.key === "Escape") {
      event.preventDefault();
      hide();
    }
  });
  document.addEventListener("swapped", () => show(wrongPlace(area.value)));
  show();
}
