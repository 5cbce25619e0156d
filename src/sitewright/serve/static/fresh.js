// Tells how much is new since the list was made; whoever clicks gets a new list, nothing moves by itself.
export function start() {
  const button = document.getElementById("fresh");
  const news = new EventSource(`/live/fresh?since=${button.dataset.newest}`);
  news.addEventListener("fresh", (event) => {
    button.textContent = JSON.parse(event.data).told;
    button.hidden = false;
  });
  addEventListener("pagehide", () => news.close());
}
