// Whoever comes back finds the card they left from, with the focus on it; a link back goes back, where that is ours.
const KEY = "left from";

function returned(event) {
  const [entry] = performance.getEntriesByType("navigation");
  if (!event.persisted && entry?.type !== "back_forward") return;
  const left = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  if (left?.place !== location.pathname + location.search) return;
  const card = document.getElementById(left.card);
  card?.querySelector("h2 a")?.focus({ preventScroll: event.persisted });
}

export function keepPlace() {
  document.addEventListener("click", (event) => {
    const card = event.target.closest(".card");
    if (card && event.target.closest("a")) {
      sessionStorage.setItem(KEY, JSON.stringify({ place: location.pathname + location.search, card: card.id }));
    }
    const back = event.target.closest("#back");
    if (back && history.length > 1 && document.referrer.startsWith(location.origin)) {
      event.preventDefault();
      history.back();
    }
  });
  addEventListener("pageshow", returned);
}
