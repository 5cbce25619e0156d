// Shows the pictures of a story one by one on the whole screen: arrows, Home, End, swipes, Escape; a click comes closer.
function made(name, attributes = {}, text = "") {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

export function start() {
  const gallery = document.querySelector("[data-gallery]");
  const buttons = [...gallery.querySelectorAll(".zoom")];
  const box = made("dialog", { class: "viewer", "data-own-keys": "", dir: getComputedStyle(gallery).direction });
  const figure = made("figure");
  const image = made("img", { alt: "" });
  const caption = made("figcaption");
  const [prev, next, shut] = [["prev", "‹"], ["next", "›"], ["shut", "×"]].map(([name, sign]) =>
    made("button", { class: name, type: "button", "aria-label": name }, sign));
  figure.append(image, caption);
  box.append(figure, prev, next, shut);
  document.body.append(box);
  let at = 0;

  function show(number) {
    at = (number + buttons.length) % buttons.length;
    const source = buttons[at].querySelector("img");
    image.src = source.src;
    image.alt = source.alt;
    caption.textContent = buttons[at].closest("figure").querySelector("figcaption").textContent.trim();
    box.classList.remove("close-up");
    gallery.dispatchEvent(new CustomEvent("looked", { detail: { picture: buttons[at].closest("li").id }, bubbles: true }));
  }
  function open(number) {
    show(number);
    if (!box.open) box.showModal();
  }
  buttons.forEach((button, number) => button.addEventListener("click", () => open(number)));
  prev.addEventListener("click", () => show(at - 1));
  next.addEventListener("click", () => show(at + 1));
  shut.addEventListener("click", () => box.close());
  image.addEventListener("click", () => box.classList.toggle("close-up"));
  box.addEventListener("close", () => {
    buttons[at].focus();
  });
  const forward = box.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const backward = box.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
  box.addEventListener("keydown", (event) => {
    const to = { [forward]: at + 1, [backward]: at - 1, Home: 0, End: buttons.length - 1, " ": at + 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  });
  let touched = 0;
  box.addEventListener("pointerdown", (event) => (touched = event.clientX));
  box.addEventListener("pointerup", (event) => {
    const moved = event.clientX - touched;
    if (event.pointerType !== "mouse" && Math.abs(moved) > 48) show(at + (moved < 0 === (box.dir !== "rtl") ? 1 : -1));
  });
}
