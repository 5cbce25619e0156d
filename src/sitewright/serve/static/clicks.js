// Tells the service what was shown, opened and viewed, in batches; what could not be sent waits for the next page.
const KEY = "events that wait";
const LIST = "list that was left";
const MOST = 300;  // 60 kB are what a page that is left may still send
const SEEN_AFTER = 1000;
const EVERY = 5000;

const name = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

function waiting() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

function keep(events) {
  try {
    localStorage.setItem(KEY, JSON.stringify(events.slice(-MOST)));
  } catch {
    // Nothing can be kept here: what was not sent by the end of this page is lost.
  }
}

function note(what, number, about = {}) {
  keep([...waiting(), { id: name(), what, number: Number(number), at: new Date().toISOString(), ...about }]);
}

// Removed only when the service has them: what is sent twice has the same name, and counts once.
async function send() {
  const events = waiting();
  if (!events.length) return;
  const answer = await fetch("/api/v1/events", {
    method: "POST", keepalive: true,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ events, sent: new Date().toISOString() }),
  });
  if (!answer.ok && answer.status !== 422) return;
  const sent = new Set(events.map((one) => one.id));
  keep(waiting().filter((one) => !sent.has(one.id)));
}

// Calls `seen` for each element of which half was on the screen for a second.
function watch(elements, seen) {
  const timers = new Map();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      clearTimeout(timers.get(target));
      if (!isIntersecting) continue;
      timers.set(target, setTimeout(() => { observer.unobserve(target); seen(target); }, SEEN_AFTER));
    }
  }, { threshold: 0.5 });
  for (const element of elements) observer.observe(element);
  return observer;
}

function watchCards() {
  const places = new Map();
  const place = (card) => places.get(card) ?? places.set(card, places.size + 1).get(card);
  const listOf = (card) => card.closest("[data-list]")?.dataset.list ?? "";
  const cards = [...document.querySelectorAll(".card[data-number]")];
  cards.forEach(place);
  document.addEventListener("click", (event) => {
    const card = event.target.closest(".card[data-number]");
    if (card) sessionStorage.setItem(LIST, listOf(card));
  });
  const observer = watch(cards, (card) =>
    note("shown", card.dataset.number, { shown_in: listOf(card), place: place(card) }));
  const list = document.getElementById("cards");
  if (list) {
    new MutationObserver((changes) => {
      for (const card of changes.flatMap((one) => [...one.addedNodes]).flatMap((node) => [...(node.querySelectorAll?.(".card[data-number]") ?? [])])) {
        place(card);
        observer.observe(card);
      }
    }).observe(list, { childList: true });
  }
}

function watchStory(story) {
  note("clicked", story.dataset.number, { shown_in: sessionStorage.getItem(LIST) ?? "" });
  sessionStorage.removeItem(LIST);
  const pictures = [...story.querySelectorAll("[data-gallery] li")];
  if (!pictures.length) return;
  const viewed = new Set();
  let told = 0;
  watch(pictures, (picture) => viewed.add(picture.id));
  document.addEventListener("looked", (event) => viewed.add(event.detail.picture));
  addEventListener("pagehide", () => {
    if (viewed.size > told) note("viewed", story.dataset.number, { viewed: viewed.size, total: pictures.length });
    told = viewed.size;
  });
}

export function start() {
  const story = document.querySelector("[data-story]");
  if (story) watchStory(story);
  watchCards();
  setInterval(() => send().catch(() => {}), EVERY);
  addEventListener("pagehide", () => send().catch(() => {}));
  if (story) send().catch(() => {});
}
