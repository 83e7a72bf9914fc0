// What all views share: the fields of the form `#state` are what the page shows; they are sent with every question and
// kept in the address. An answer is pieces of HTML: each element with an id takes the place of the one that has it.
//
//   data-post="/path"     a click asks that path; data-values (JSON) goes with the fields
//   data-load="/path"     the same, as soon as the element is on the page
//   data-live="/path"     of the form: asked whenever a field changes; of a field, data-change: that path instead
//   data-open="/path"     of what opens: asked when that is opened first;  data-stop="/path": a click stops that question
//   data-set='{"a": "b"}' a click, or the arrival of the element, gives fields their values
//   data-key="1"          that key presses the button;  data-file: of a file field, the path that its content is sent to
//   data-link             the field is in the address;  data-reset="a b": it is emptied when one of these fields changes
import { attachEditors } from "./editor.js";

const SEPARATOR = "\u001e";
const PAUSE = 80; // milliseconds without a key, before the page asks
const state = () => document.getElementById("state");
const waiting = new Map(); // path -> what stops the question
let opener = null; // the button that was pressed last: where one is again when a card is closed

export function fields() {
  const form = state();
  if (!form) return {};
  const values = Object.fromEntries(new FormData(form));
  for (const box of form.querySelectorAll("input[type=checkbox]:not([data-many])")) values[box.name] = box.checked ? "on" : "";
  // Boxes of one name are one field: those that are checked, one a line, and nothing where all are.
  for (const box of form.querySelectorAll("input[data-many]")) {
    const boxes = manyOf(box.name);
    const checked = boxes.filter((one) => one.checked);
    values[box.name] = checked.length === boxes.length ? "" : checked.map((one) => one.value).join("\n");
  }
  return values;
}

const manyOf = (name) => [...state().querySelectorAll("input[data-many]")].filter((box) => box.name === name);

export async function ask(path, values = {}, { stops = true } = {}) {
  if (stops) waiting.get(path)?.abort();
  const controller = new AbortController();
  waiting.set(path, controller);
  showWork();
  try {
    const body = JSON.stringify({ ...fields(), ...values });
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(path, { method: "POST", headers, body, signal: controller.signal });
    if (answer.headers.get("content-type")?.startsWith("application/json")) return await answer.json();
    await readPieces(answer);
  } catch (error) {
    if (error.name !== "AbortError") tell("The page has lost its server: is `starbank studio` still running?");
  } finally {
    if (waiting.get(path) === controller) waiting.delete(path);
    showWork();
  }
  return null;
}

async function readPieces(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    text += value ?? "";
    const pieces = text.split(SEPARATOR);
    text = done ? "" : pieces.pop();
    // Of several that have come at once, the last says all.
    if (pieces.some((piece) => piece.trim())) swap(pieces.filter((piece) => piece.trim()).pop());
    if (done) return;
  }
}

function showWork() {
  const working = document.getElementById("working");
  clearTimeout(showWork.timer);
  if (waiting.size === 0) working.hidden = true;
  else showWork.timer = setTimeout(() => { working.hidden = waiting.size === 0; }, 400);
}

function tell(message) {
  const place = document.getElementById("messages");
  if (!place) return;
  place.className = "error";
  place.textContent = message;
}

export function swap(html) {
  const answer = new DOMParser().parseFromString(html, "text/html");
  for (const element of [...answer.body.children]) {
    const place = element.id ? document.getElementById(element.id) : null;
    const held = document.activeElement?.id;
    if (place) place.replaceWith(element);
    if (held && !document.activeElement?.id) document.getElementById(held)?.focus();
    arrive(element);
  }
  document.dispatchEvent(new CustomEvent("swapped"));
}

function arrive(element) {
  const within = (name) => [...(element.matches(`[${name}]`) ? [element] : []), ...element.querySelectorAll(`[${name}]`)];
  for (const loading of within("data-load")) ask(loading.dataset.load, valuesOf(loading));
  if (element.matches("output[data-set]")) set(JSON.parse(element.dataset.set));
  if (element.matches("[data-focus]")) element.focus();
}

function valuesOf(element) {
  return JSON.parse(element.dataset.values ?? "{}");
}

export function set(values) {
  for (const [name, value] of Object.entries(values)) {
    const field = state().elements[name];
    if (!field) continue;
    field.value = value ?? "";
    field.dispatchEvent(new Event("set"));
  }
  changed(Object.keys(values));
}

// Fields have changed: what depends on them is emptied, the address and the results follow.
function changed(names) {
  for (const field of state().querySelectorAll("[data-reset]")) {
    const resets = field.dataset.reset.split(" ").some((name) => names.includes(name));
    if (resets && !names.includes(field.name)) field.value = field.getAttribute("value") ?? "";
  }
  keepInAddress();
  clearTimeout(changed.timer);
  changed.timer = setTimeout(() => {
    const ownPaths = names.map((name) => state().elements[name]?.dataset?.change).filter(Boolean);
    for (const path of ownPaths) ask(path);
    if (names.some((name) => state().elements[name]?.dataset?.quiet === undefined) && state().dataset.live) ask(state().dataset.live);
  }, PAUSE);
}

function linked() {
  const values = fields();
  const named = [...state().querySelectorAll("[data-link]")].map((field) => field.name);
  return new URLSearchParams(named.filter((name) => values[name] && values[name] !== "0").map((name) => [name, values[name]]));
}

function keepInAddress() {
  const query = linked().toString();
  history.replaceState(null, "", query ? `?${query}` : location.pathname);
}

function restore() {
  const form = state();
  if (!form) return;
  const kept = new URLSearchParams(location.search);
  for (const [name, value] of kept) {
    const field = form.elements[name];
    if (!field) continue;
    if (manyOf(name).length) for (const box of manyOf(name)) box.checked = value.split("\n").includes(box.value);
    else if (field.type === "checkbox") field.checked = value === "on";
    else if (field.tagName !== "SELECT" || has(field, value)) field.value = value;
  }
  const last = remembered();
  const choice = form.elements.treebank;
  if (choice?.options && !kept.get("treebank") && has(choice, last)) choice.value = last;
}

// In a frame of another site a browser may lend no storage.
function remembered() {
  try { return localStorage.getItem("treebank"); } catch { return null; }
}

function remember(treebank) {
  try { localStorage.setItem("treebank", treebank); } catch { /* The next page begins with the first treebank. */ }
}

function has(select, value) {
  return [...select.options].some((option) => option.value === value);
}

async function click(event) {
  const button = event.target.closest("[data-post], button[data-set], [data-stop], [data-copy], [data-save], [data-save-field], [data-close], a[data-keep]");
  if (!button) return;
  if (button.matches("a[data-keep]")) {
    const kept = state() ? linked() : new URLSearchParams(location.search);
    button.search = new URLSearchParams([...kept].filter(([name]) => name === "treebank" || name === "request"));
  } else if (button.dataset.set) {
    set(JSON.parse(button.dataset.set));
  } else if (button.dataset.stop) {
    waiting.get(button.dataset.stop)?.abort();
    button.closest("[id]").replaceChildren();
  } else if (button.dataset.copy !== undefined) {
    // Without https there is no clipboard.
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Copied";
    } catch {
      tell(location.href);
    }
  } else if (button.dataset.save) {
    save(button.dataset.save, button.closest(".tree").querySelector("svg").outerHTML, "image/svg+xml");
  } else if (button.dataset.saveField) {
    save(`${fields().name || "query"}${fields().suffix || ".grew"}`, fields()[button.dataset.saveField], "text/plain");
  } else if (button.dataset.close !== undefined) {
    const place = button.closest("[id]");
    const before = document.querySelector(`[aria-controls="${place.id}"]`) ?? opener;
    place.replaceChildren();
    place.removeAttribute("tabindex");
    if (before?.hasAttribute("aria-expanded")) before.setAttribute("aria-expanded", "false");
    before?.focus();
  } else {
    if (button.hasAttribute("aria-expanded")) button.setAttribute("aria-expanded", "true");
    if (!button.closest("#word")) opener = button;
    await ask(button.dataset.post, valuesOf(button));
  }
}

function save(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

document.addEventListener("click", click);
document.addEventListener("toggle", (event) => {
  const path = event.target.dataset.open;
  delete event.target.dataset.open;
  if (path && event.target.open) ask(path);
}, true);
document.addEventListener("keydown", (event) => {
  // A key that is held, or that writes something, presses no button.
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, textarea, select")) return;
  document.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
});
document.addEventListener("change", async (event) => {
  if (event.target.dataset.file) await ask(event.target.dataset.file, { file: await event.target.files[0].text() });
});
restore();
attachEditors(ask, fields);
for (const element of document.querySelectorAll("[data-load]")) ask(element.dataset.load, valuesOf(element));
if (state()) {
  state().addEventListener("input", (event) => {
    if (event.target.name === "treebank") remember(event.target.value);
    if (event.target.name) changed([event.target.name]);
  });
  state().addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.tagName === "INPUT") event.preventDefault();
  });
  if (state().dataset.live) ask(state().dataset.live);
}
