// Dismisses the cookie banner and loads pictures that wait in data-src.
document.querySelectorAll("[data-dismiss]").forEach((button) => {
  button.addEventListener("click", () => button.closest("[role=dialog]").remove());
});
function loadPictures() {
  document.querySelectorAll("img[data-src]").forEach((image) => {
    image.srcset = image.dataset.srcset;
    image.src = image.dataset.src;
    image.sizes = "(min-width: 60em) 44rem, 100vw";
  });
}
loadPictures();
document.addEventListener("built", loadPictures);
