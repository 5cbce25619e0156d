// Single keys do things, where readers of feeds agree on them: never inside of a field, never with Ctrl, Alt or Meta.
import { undoLast } from "./told.js";
import { press } from "./marks.js";

const GO = { t: "/", y: "/for-you", f: "/sites", i: "/incidents", u: "/?show=unread", s: "/?show=starred", q: "/queue" };
let leading = false;

const all = () => [...document.querySelectorAll(".card, [data-row]")];
const current = () => document.activeElement?.closest(".card, [data-row]") ?? document.querySelector("[data-story]");
const link = (card) => card?.querySelector("h2 a, [data-open]");

function step(by, wanted = () => true) {
  const cards = all();
  const from = cards.indexOf(document.activeElement?.closest(".card, [data-row]"));
  for (let at = from < 0 ? (by > 0 ? 0 : cards.length - 1) : from + by; at >= 0 && at < cards.length; at += by) {
    if (wanted(cards[at])) return show(cards[at]);
  }
  return false;
}

function show(card) {
  link(card)?.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
  return true;
}

function scrollOrStep(event) {
  const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 4;
  if (atEnd && step(1, (card) => !("read" in card.dataset))) event.preventDefault();
}

const DO = {
  next: () => step(1),
  previous: () => step(-1),
  next_unread: () => step(1, (card) => !("read" in card.dataset)),
  previous_unread: () => step(-1, (card) => !("read" in card.dataset)),
  open: () => link(current())?.click(),
  original: () => document.getElementById("original")?.click(),
  read: () => press(current(), "read"),
  star: () => press(current(), "star"),
  undo: () => {
    const button = document.querySelector("[data-undone]");
    return button ? button.click() : undoLast();
  },
  edit: () => document.querySelector("[data-edit]")?.click(),
  accept: () => document.querySelector("[data-accept]")?.click(),
  add: () => location.assign("/sites/new"),
  search: () => find(),
  go: () => { leading = true; setTimeout(() => (leading = false), 1500); },
  help: () => document.getElementById("keys").showModal(),
};

const chosen = Object.entries(JSON.parse(document.body.dataset.keyNames));
// Second keys for what has one, where nobody chose them for something else.
const BY_KEY = { r: "read", a: "search", y: "accept", F1: "help", ...Object.fromEntries(chosen.map(([name, key]) => [key, name])) };

function find() {
  const field = document.getElementById("find");
  field.focus();
  field.select();
}

export function listen() {
  document.addEventListener("keydown", (event) => {
    if (document.body.dataset.keys === "off" || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable], dialog[open], [data-own-keys]")) {
      if (event.key === "Escape" && event.target.matches("#find")) event.target.blur();
      return;
    }
    if (leading) {
      leading = false;
      if (GO[event.key]) { event.preventDefault(); location.assign(GO[event.key]); }
      return;
    }
    if (event.key === " " && !event.shiftKey && !event.target.closest?.("button, a, summary")) return scrollOrStep(event);
    if (event.key === "Escape") { document.getElementById("back")?.click(); return; }
    const act = DO[BY_KEY[event.key]];
    if (act) { event.preventDefault(); act(); }
  });
}
