// What every page has: keys, and whatever the page itself brings elements for.
import { listen } from "./keys.js";
import { watchMarks } from "./marks.js";
import { keepPlace } from "./place.js";

listen();
keepPlace();
const gone = (image) => image.closest(".pic, figure, .zoom")?.classList.add("gone");
document.addEventListener("error", (event) => {
  if (event.target instanceof HTMLImageElement) gone(event.target);
}, true);
for (const image of document.images) if (image.complete && image.currentSrc && !image.naturalWidth) gone(image);
if (document.getElementById("marks")) watchMarks();
if (document.querySelector("[data-gallery]")) import("./gallery.js").then((it) => it.start());
if (document.getElementById("fresh")) import("./fresh.js").then((it) => it.start());
if (document.querySelector("[data-bring]")) import("./bring.js").then((it) => it.start());
if (document.getElementById("learning")) import("./learning.js").then((it) => it.start());
if (document.body.dataset.clicks === "on" && document.querySelector("[data-number]")) import("./clicks.js").then((it) => it.start());
