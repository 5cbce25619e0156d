// Marks cards as read or starred at once, tells the service, and can take it back; without scripts the form does it.
import { ask } from "./ask.js";
import { onItsWay, tell } from "./told.js";

const element = (number) => document.getElementById(`s${number}`);

function set(card, name, on) {
  if (!card) return;
  const key = name === "star" ? "starred" : "read";
  if (on) card.dataset[key] = ""; else delete card.dataset[key];
  card.querySelector(`.act[name="${name}"]`)?.setAttribute("aria-pressed", String(on));
}

function setAll(marks) {
  for (const mark of marks) {
    set(element(mark.record), "read", Boolean(mark.read_at));
    set(element(mark.record), "star", Boolean(mark.starred_at));
    const other = document.querySelector(`[data-other="${mark.record}"]`);
    if (other) other.hidden = Boolean(mark.apart_at);
  }
}

let sending = Promise.resolve();
let waiting = 0;
const answered = new Map();

// One after the other; what an answer says is shown when no younger act waits, or it would undo that for a moment.
function send(entries) {
  waiting += 1;
  sending = sending.then(() => sendOne(entries)).finally(() => {
    waiting -= 1;
    if (waiting) return;
    setAll(answered.values());
    answered.clear();
  });
  onItsWay(sending);
  return sending;
}

async function sendOne(entries) {
  try {
    const done = await ask("/marks", entries);
    for (const mark of done.marks) answered.set(mark.record, mark);
    if (!("before" in entries)) tell(done.told, () => send({ before: JSON.stringify(done.before) }));
  } catch (error) {
    tell(error.message);
  }
}

export function press(card, name) {
  if (!card?.dataset.number) return;
  set(card, name, !((name === "star" ? "starred" : "read") in card.dataset));
  send({ [name]: card.dataset.number });
}

export function watchMarks() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest('button[form="marks"]');
    if (!button || button.name === "hide") return;
    event.preventDefault();
    if (button.name === "all" || button.name === "apart") send({ [button.name]: button.value });
    else press(button.closest("[data-number]"), button.name);
  });
  const story = document.querySelector("[data-story]:not([data-read])");
  if (story) ask("/marks", { opened: story.dataset.number }).then((done) => setAll(done.marks), () => {});
}
