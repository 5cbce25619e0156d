// The map editor: a draft is the text of the map; the service applies each edit to it and says what it reads of ten pages.
import { ask } from "./ask.js";
import { tell } from "./told.js";

const $ = (id) => document.getElementById(id);
const root = $("editor");
const words = JSON.parse(root.dataset.words);
const colours = JSON.parse(root.dataset.colours);
const base = `/site/${encodeURIComponent(root.dataset.site)}/map`;
const state = {
  record: root.dataset.record, version: Number(root.dataset.version), saved: "", text: "", undone: [], done: [],
  active: "", wanted: [], unwanted: [], shown: null, isRevealed: false, latest: 0,
};

function make(tag, values = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(values)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...inside);
  return element;
}

const PAUSE = 80; // milliseconds without a key, so that a word is one step of Undo

// The draft

async function attempt(edits = [], text = state.text, { keep = true } = {}) {
  const turn = ++state.latest;
  try {
    const shown = await ask(`${base}/try`, { text, edits: JSON.stringify(edits), record: state.record });
    if (turn !== state.latest) return;
    if (keep && state.text && shown.text !== state.text) { state.done.push(state.text); state.undone = []; }
    state.text = shown.text;
    state.shown = shown;
    fault("");
    draw();
    if (!state.isRevealed) reveal();
    state.isRevealed = true;
  } catch (error) {
    if (turn === state.latest) fault(error.message);
  }
}

function fault(text) {
  $("fault").textContent = text;
  $("fault").hidden = !text;
}

function step(from, to) {
  if (!from.length) return;
  to.push(state.text);
  state.text = from.pop();
  attempt([], state.text, { keep: false });
}

const undo = () => step(state.done, state.undone);
const redo = () => step(state.undone, state.done);
const set = (rule, entries) => attempt([{ act: "set", rule: rule.name, entries }]);

// What is shown of it

function draw() {
  const { shown } = state;
  $("undo").disabled = !state.done.length;
  $("redo").disabled = !state.undone.length;
  $("save").disabled = !shown.changes;
  $("waiting").hidden = true;
  if (document.activeElement !== $("text")) $("text").value = state.text;
  const own = ownRules();
  if (!own.some((rule) => rule.name === state.active)) {
    const field = active()?.field;
    state.active = (own.find((rule) => rule.field === field) ?? own[0])?.name ?? "";
  }
  drawRules();
  drawIndex();
  drawValues();
  drawOutlines();
  $("new-template").replaceChildren(...shown.templates.map((name) => make("option", { value: name, textContent: name })));
}

// Who types goes on typing where they were, whatever is drawn anew meanwhile.
function keepFocus(redraw) {
  const { id, value, selectionStart, selectionEnd } = document.activeElement ?? {};
  redraw();
  const now = id && $(id);
  if (!now || now === document.activeElement) return;
  now.focus({ preventScroll: true });
  if (Number.isInteger(selectionStart)) {
    now.value = value;
    now.setSelectionRange(selectionStart, selectionEnd);
  }
}

const ownPage = () => state.shown.pages.find((one) => one.record === state.record);

// The rules of the template that the shown page is of.
function ownRules() {
  const page = ownPage();
  return state.shown.rules.filter((rule) => !page?.template || rule.template === page.template);
}

function drawRules() {
  const page = ownPage();
  keepFocus(() => $("fields").replaceChildren(...ownRules().map((rule) => drawRule(rule, page))));
}

function drawIndex() {
  const entry = (page, name, id) => {
    const field = make("textarea", { id: `${id}-${name}`, rows: Math.max(1, page[name].length), value: page[name].join("\n"), spellcheck: false });
    let waiting = 0;
    field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => attempt([{ act: "index", rule: page.url, entries: { [name]: field.value } }]), PAUSE); });
    return [make("label", { htmlFor: field.id, textContent: words[`index_${name}`] }), field];
  };
  keepFocus(() => $("index").replaceChildren(...state.shown.index.map((page, number) => make("div", { className: "rule" },
    make("b", { textContent: page.url, dir: "ltr" }), ...["items", "lists", "next"].flatMap((name) => entry(page, name, `index-${number}`))))));
}

function drawRule(rule, page) {
  const value = page?.values[rule.field];
  const reads = value && value.rule === rule.name;
  const [now] = state.shown.fill[rule.field] ?? [0];
  const active = rule.name === state.active;
  const isOther = Boolean(value?.now) && !reads;
  const id = `rule-${rule.name.replace(/[^\w-]/g, "-")}`;
  const item = make("li", { className: "rule" });
  if (active) item.dataset.active = "";
  item.style.setProperty("--c", colours[rule.field] ?? "#999");
  const head = make("button", { type: "button", className: "rule-head", id, onclick: () => choose(rule.name) },
    make("b", { textContent: rule.field }),
    ...(rule.edited ? [make("span", { className: "badge", textContent: words.edited })] : []),
    ...(rule.fragile ? [make("span", { className: "badge", textContent: words.fragile })] : []),
    make("span", { className: "meta", textContent: isOther ? words.other_rule : words.fill.replace("{now}", now).replace("{all}", state.shown.pages.length) }));
  head.setAttribute("aria-expanded", String(active));
  const sample = make("p", { className: "rule-value", textContent: reads ? value.now : "", dir: "auto" });
  sample.dataset.none = words.nothing;
  sample.hidden = isOther;
  item.append(head, sample);
  if (active) item.append(...entriesOf(rule, id));
  return item;
}

function entriesOf(rule, id) {
  const text = (name, label, value, rows) => {
    const field = make(rows ? "textarea" : "input", { id: `${id}-${name}`, value, spellcheck: false });
    if (rows) field.rows = Math.max(rows, value.split("\n").length); else field.type = "text";
    let waiting = 0;
    field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => set(rule, { [name]: field.value }), PAUSE); });
    return [make("label", { htmlFor: field.id, textContent: label }), field];
  };
  const parts = rule.parts.map((inner) => make("li", {}, make("b", { textContent: inner.field }), " ", make("code", { textContent: inner.select.join(", ") }),
    make("button", { type: "button", className: "act", textContent: "×", ariaLabel: `${words.drop}: ${inner.field}`, onclick: () => attempt([{ act: "inner", rule: rule.name, entries: { field: inner.field, select: [] } }]) })));
  const many = make("input", { type: "checkbox", id: `${id}-many`, checked: rule.many, onchange: (event) => set(rule, { many: event.target.checked }) });
  const act = (label, does) => make("button", { type: "button", className: "act", textContent: label, onclick: does });
  const more = make("details", {}, make("summary", { textContent: words.more }),
    ...text("take", words.take, rule.take), ...text("match", words.match, rule.match), ...text("parse", words.parse, rule.parse));
  more.open = Boolean(rule.match || rule.parse || rule.take !== "text");
  return [
    ...text("select", words.select, rule.select.join("\n"), 1),
    ...text("remove", words.remove, rule.remove.join("\n"), rule.remove.length ? 1 : 1),
    make("div", { className: "row" }, make("label", { htmlFor: many.id }, many, make("span", { textContent: words.many }))),
    ...(parts.length ? [make("p", { className: "meta", textContent: words.parts }), make("ul", { className: "parts" }, ...parts)] : []),
    more,
    make("div", { className: "row" },
      act(words.first, () => attempt([{ act: "first", rule: rule.name }])),
      act(words.drop, () => attempt([{ act: "drop", rule: rule.name }]))),
  ];
}

function choose(name) {
  state.active = name;
  drawRules();
  drawValues();
  drawOutlines();
  $(`rule-${name.replace(/[^\w-]/g, "-")}`)?.focus();
}

const active = () => state.shown?.rules.find((rule) => rule.name === state.active);

function drawValues() {
  const field = active()?.field ?? "";
  $("values-of").textContent = field ? words.values_of.replace("{field}", field) : "";
  $("values").replaceChildren(...state.shown.pages.map((page) => {
    const value = page.values[field] ?? { now: "", before: "", state: "same" };
    const changed = value.state !== "same";
    const row = make("tr", {},
      make("th", { scope: "row" }, make("button", { type: "button", textContent: decodeURI(new URL(page.url).pathname), onclick: () => open(page.record) })),
      make("td", { className: `now-${value.state}`, dir: "auto" },
        ...(changed ? [make("span", { className: "state", textContent: words[value.state] })] : []), value.now || "–"),
      make("td", { dir: "auto", textContent: changed ? value.before || "–" : words.same }));
    if (page.record === state.record) row.setAttribute("aria-current", "true");
    return row;
  }));
}

// The page

const inside = () => $("page").contentDocument;
const element = (number) => inside()?.querySelector(`[data-n="${number}"]`);

function drawOutlines() {
  const page = inside();
  if (!page?.body) return;
  for (const one of page.querySelectorAll("[data-c]")) for (const name of ["c", "f", "stated"]) delete one.dataset[name];
  for (const [field, numbers] of Object.entries(state.shown.outlines)) {
    numbers.forEach((number, place) => {
      const one = element(number);
      if (!one) return;
      one.dataset.c = field;
      if (place === 0) one.dataset.f = field;
    });
  }
  fit();
}

function fit() {
  const page = inside();
  if (!page?.body) return;
  const height = Math.max(page.documentElement.scrollHeight, $("sheet").clientHeight);
  $("page").style.height = $("glass").style.height = `${height}px`;
}

// What is read stands below heads and menus: the page is shown from where its first field is.
function reveal() {
  const tops = Object.values(state.shown.outlines).flat().map(element).filter(Boolean).map((one) => one.getBoundingClientRect().top);
  if (tops.length && !state.wanted.length) $("sheet").scrollTop = Math.max(0, Math.min(...tops.filter((top) => top > 0)) - 48);
}

function open(record) {
  state.record = record;
  forget();
  $("which").value = record;
  $("page").src = `${base}/page/${encodeURIComponent(record)}`;
  $("source").href = state.shown.pages.find((one) => one.record === record)?.url ?? "#";
  attempt();
}

function at(event) {
  const box = $("page").getBoundingClientRect();
  return inside()?.elementFromPoint(event.clientX - box.left, event.clientY - box.top)?.closest("[data-n]") ?? null;
}

function under(one) {
  const box = $("under");
  box.hidden = !one;
  if (!one) return;
  const place = one.getBoundingClientRect();
  Object.assign(box.style, { left: `${place.left}px`, top: `${place.top}px`, width: `${place.width}px`, height: `${place.height}px` });
}

// Pointing

const numberOf = (one) => Number(one.dataset.n);
const picked = () => state.wanted.at(-1) && element(state.wanted.at(-1).element);

function pick(one, { more = false, not = false } = {}) {
  const place = { record: state.record, element: numberOf(one) };
  if (not) state.unwanted.push(place);
  else if (more) state.wanted.push(place);
  else { state.wanted = [place]; state.unwanted = []; }
  under(one);
  one.scrollIntoView?.({ block: "nearest" });
  if (state.wanted.length) propose();
}

function forget() {
  state.wanted = [];
  state.unwanted = [];
  $("picked").hidden = true;
  under(null);
}

async function propose() {
  try {
    const found = await ask(`${base}/propose`, {
      wanted: JSON.stringify(state.wanted), unwanted: JSON.stringify(state.unwanted), items: isInside() ? active().select.join("\n") : "",
    });
    fault("");
    drawProposals(found.proposals, found.inside);
  } catch (error) {
    fault(error.message);
  }
}

// Whether what is pointed at lies in an item of the list that the active rule reads.
function isInside() {
  const rule = active();
  if (!rule?.many) return false;
  const items = new Set(state.shown.outlines[rule.field] ?? []);
  for (let one = picked()?.parentElement; one; one = one.parentElement) if (items.has(numberOf(one))) return true;
  return false;
}

function drawInside(proposals) {
  if (!proposals.length) return [];
  const name = make("input", { id: "inner-field", type: "text", spellcheck: false, placeholder: words.inner_name });
  name.setAttribute("aria-label", words.inner_name);
  const put = (one) => {
    if (!name.value.trim()) return name.focus();
    const rule = active();
    forget();
    attempt([{ act: "inner", rule: rule.name, entries: { field: name.value, select: [one.selector] } }]);
  };
  return [make("h3", { textContent: words.inside }), name, make("ul", {}, ...proposals.map((one) => make("li", {},
    make("button", { type: "button", onclick: () => put(one) }, make("code", { textContent: one.selector }),
      make("span", { className: "meta", textContent: words.count_inside.replace("{here}", one.here) })))))];
}

function drawProposals(proposals, inside = []) {
  const list = (title, own) => own.length ? [make("h3", { textContent: title }), make("ul", {}, ...own.map((one) => make("li", {},
    make("button", { type: "button", onclick: () => use(one) }, make("code", { textContent: one.selector }),
      make("span", { className: "meta", textContent: (one.many ? words.count_many : words.count_one).replace("{here}", one.here).replace("{pages}", one.pages).replace("{all}", one.all) })))))] : [];
  const field = active()?.field ?? "";
  const text = picked()?.textContent.trim().replace(/\s+/g, " ").slice(0, 80) ?? "";
  $("picked").replaceChildren(
    make("h2", { textContent: words.picked.replace("{field}", field).replace("{text}", text), dir: "auto" }),
    ...drawInside(inside), ...list(words.one, proposals.filter((one) => !one.many)), ...list(words.all, proposals.filter((one) => one.many)),
    ...(proposals.length ? [] : [make("p", { className: "meta", textContent: words.no_proposal })]),
    make("div", { className: "acts" },
      make("button", { type: "button", className: "act", textContent: words.exclude, onclick: () => exclude(proposals) }),
      make("button", { type: "button", className: "act", textContent: words.forget, onclick: forget })));
  $("picked").hidden = false;
  state.proposals = proposals;
}

function use(one) {
  const rule = active();
  forget();
  if (rule) set(rule, { select: [one.selector], many: rule.many || one.many, take: "text" });
}

function exclude(proposals = state.proposals ?? []) {
  const rule = active();
  const one = proposals.find((own) => own.many) ?? proposals[0];
  forget();
  if (rule && one) set(rule, { remove: [...rule.remove, one.selector] });
}

const beside = (one, way) => {
  let next = one[`${way}ElementSibling`];
  while (next && !("n" in next.dataset)) next = next[`${way}ElementSibling`];
  return next;
};
const WALK = {
  ArrowUp: (one) => one.parentElement?.closest("[data-n]"),
  ArrowDown: (one) => one.querySelector("[data-n]"),
  ArrowRight: (one) => beside(one, "next"),
  ArrowLeft: (one) => beside(one, "previous"),
};
WALK.p = WALK.ArrowUp;
WALK.c = WALK.ArrowDown;

function walk(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const step = WALK[event.key];
  const now = picked();
  if (step) {
    event.preventDefault();
    const first = state.shown.outlines[active()?.field]?.[0];
    const next = now ? step(now) : element(first) ?? inside()?.querySelector("h1[data-n], [data-n]");
    if (next) pick(next);
  } else if (event.key === "Enter" && state.proposals?.length && now) {
    event.preventDefault();
    use(state.proposals[0]);
  } else if (event.key === "x" && now) {
    event.preventDefault();
    exclude();
  } else if (event.key === "s" && now) {
    event.preventDefault();
    $("picked").querySelector("button")?.focus();
  }
}

// Saving

async function save() {
  const dialog = $("saving");
  if ($("save").disabled || dialog.open) return;
  $("what").textContent = words.changes.replace("{count}", state.shown.changes);
  dialog.showModal();
  $("why").focus();
  dialog.addEventListener("close", async () => {
    if (dialog.returnValue !== "save") return;
    try {
      const done = await ask(`${base}/save`, { text: state.text, based_on: state.version, reason: $("why").value });
      state.version = done.version;
      state.done = [];
      state.undone = [];
      document.querySelector(".version").textContent = words.version.replace("{number}", done.version);
      $("why").value = "";
      state.text = "";
      await attempt();
      tell(words.saved.replace("{number}", done.version));
    } catch (error) {
      fault(error.message);
    }
  }, { once: true });
}

$("glass").addEventListener("mousemove", (event) => under(at(event)));
$("glass").addEventListener("mouseleave", () => under(picked()));
$("glass").addEventListener("click", (event) => {
  const one = at(event);
  if (one) pick(one, { more: event.shiftKey && state.wanted.length > 0, not: event.altKey && state.wanted.length > 0 });
});
$("glass").addEventListener("keydown", walk);
$("page").addEventListener("load", () => { fit(); if (state.shown) { drawOutlines(); reveal(); } });
$("which").addEventListener("change", (event) => open(event.target.value));
$("undo").addEventListener("click", undo);
$("redo").addEventListener("click", redo);
$("save").addEventListener("click", save);
$("as-file").addEventListener("click", (event) => {
  $("file").hidden = !$("file").hidden;
  event.currentTarget.setAttribute("aria-pressed", String(!$("file").hidden));
  if (!$("file").hidden) $("text").focus();
});
$("bring").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  try {
    const brought = await ask(`${base}/bring`, { text: await file.text(), name: file.name });
    await attempt([], brought.text);
    tell([words.brought.replace("{name}", file.name), ...brought.lost].join(" "));
  } catch (error) {
    fault(error.message);
  }
});
let typing = 0;
$("text").addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => attempt([], $("text").value), PAUSE); });
$("add").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = $("new-field").value.trim();
  state.active = `${$("new-template").value}/${field}#0`;
  attempt([{ act: "add", rule: `${$("new-template").value}/${field}`, entries: { select: [`.${field}`] } }]);
  $("new-field").value = "";
});
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey)) {
    if (event.key === "Escape" && !$("saving").open && state.wanted.length) { event.preventDefault(); event.stopPropagation(); forget(); }
    return;
  }
  const inField = event.target.closest?.("input, textarea");
  if (event.key === "s") { event.preventDefault(); save(); }
  else if (!inField && event.key === "z" && !event.shiftKey) { event.preventDefault(); undo(); }
  else if (!inField && (event.key === "y" || (event.key === "z" && event.shiftKey))) { event.preventDefault(); redo(); }
}, true);
window.addEventListener("beforeunload", (event) => { if (state.shown?.changes) event.preventDefault(); });
attempt([], $("text").value);
