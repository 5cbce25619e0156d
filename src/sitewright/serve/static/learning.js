// Shows how a site is learned: each step and each record as it comes.
const box = document.getElementById("learning");
const steps = document.getElementById("steps");
const came = document.getElementById("came");

function add(list, ...parts) {
  const item = document.createElement("li");
  item.append(...parts);
  list.append(item);
  return item;
}

function made(name, text, attributes = {}) {
  const element = document.createElement(name);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

export function start() {
  steps.replaceChildren();
  const news = new EventSource(`/live/learning/${encodeURIComponent(box.dataset.site)}`);
  news.addEventListener("step", (event) => {
    const { at, line } = JSON.parse(event.data);
    add(steps, made("time", new Date(at).toLocaleTimeString()), " ", made("span", line, { dir: "auto" }));
  });
  news.addEventListener("state", (event) => {
    document.getElementById("count").textContent = JSON.parse(event.data).records;
  });
  news.addEventListener("record", (event) => {
    const { heading, place, language } = JSON.parse(event.data);
    const item = made("li", "");
    item.append(made("a", heading, { href: place, lang: language, dir: "auto" }));
    came.prepend(item);
  });
  news.addEventListener("over", (event) => {
    const { map, why } = JSON.parse(event.data);
    news.close();
    const state = document.getElementById("learning-state");
    state.className = `state ${map ? "well" : "failing"}`;
    state.lastElementChild.textContent = map ? box.dataset.done : box.dataset.failed;
    document.getElementById("after").hidden = !map;
    if (!map && why) {
      const told = document.getElementById("why");
      told.textContent = why;
      told.hidden = false;
    }
  });
  addEventListener("pagehide", () => news.close());
}
