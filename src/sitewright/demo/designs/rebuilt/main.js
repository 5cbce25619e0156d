// Takes away the notice on cookies once a choice is made.
document.querySelectorAll(".consent .choice").forEach((choice) => {
  choice.addEventListener("click", () => choice.form.remove());
});
