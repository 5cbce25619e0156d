// Says what was done, with a way to undo it; the last thing said can be undone by a key.
const place = document.getElementById("told");
let undoing = null;
let timer = 0;
let pending = Promise.resolve();

// What is still on its way to the service is what an undo is meant for.
export function onItsWay(work) {
  pending = work;
}

export function tell(text, undo = null) {
  const box = document.createElement("div");
  const words = document.createElement("span");
  words.textContent = text;
  box.append(words);
  undoing = undo;
  if (undo) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = document.body.dataset.undo;
    button.addEventListener("click", undoLast);
    box.append(button);
  }
  place.replaceChildren(box);
  clearTimeout(timer);
  timer = setTimeout(() => place.replaceChildren(), undo ? 12000 : 5000);
}

export async function undoLast() {
  await pending;
  const last = undoing;
  undoing = null;
  place.replaceChildren();
  if (last) await last();
}
