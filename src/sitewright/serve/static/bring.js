// A file that is chosen, or dropped anywhere on the page, becomes the text of the form, which is sent to be looked over.
async function take(form, file) {
  if (!file) return;
  form.elements.text.value = await file.text();
  form.elements.file.value = file.name;
  form.requestSubmit(form.querySelector("button[value=look]"));
}

export function start() {
  const form = document.querySelector("[data-bring]");
  form.querySelector("input[type=file]").addEventListener("change", (event) => take(form, event.target.files[0]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    take(form, event.dataTransfer.files[0]);
  });
}
