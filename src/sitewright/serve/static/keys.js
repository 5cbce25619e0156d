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
  j: () => step(1),
  k: () => step(-1),
  n: () => step(1, (card) => !("read" in card.dataset)),
  p: () => step(-1, (card) => !("read" in card.dataset)),
  o: () => link(current())?.click(),
  v: () => document.getElementById("original")?.click(),
  r: () => press(current(), "read"),
  m: () => press(current(), "read"),
  f: () => press(current(), "star"),
  u: () => {
    const button = document.querySelector("[data-undone]");
    return button ? button.click() : undoLast();
  },
  e: () => document.querySelector("[data-edit]")?.click(),
  y: () => document.querySelector("[data-accept]")?.click(),
  "+": () => location.assign("/sites/new"),
  "/": () => find(),
  a: () => find(),
  "?": () => document.getElementById("keys").showModal(),
};

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
    if (event.key === "g") { leading = true; setTimeout(() => (leading = false), 1500); return; }
    if (event.key === " " && !event.shiftKey && !event.target.closest?.("button, a, summary")) return scrollOrStep(event);
    if (event.key === "Escape") { document.getElementById("back")?.click(); return; }
    if (event.key === "F1") { event.preventDefault(); return DO["?"](); }
    if (DO[event.key]) { event.preventDefault(); DO[event.key](); }
  });
}
