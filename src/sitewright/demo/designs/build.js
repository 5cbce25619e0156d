// Fetches the data of a page, and builds its main part with the templates of the design.
async function load(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

const drawn = (data) => design.finish(show(PAGES[data.type](data)));

// The second half of a list comes when a reader is near its end.
function watch(place) {
  const observer = new IntersectionObserver(async (seen) => {
    if (!seen.some(({isIntersecting}) => isIntersecting)) return;
    observer.disconnect();
    place.outerHTML = drawn(await load(place.dataset.source));
  });
  observer.observe(place);
}

async function build(app) {
  const [found, page] = await Promise.all([load("/data/paper.json"), load(app.dataset.source)]);
  paper = found;
  app.innerHTML = drawn(page);
  document.title = design.entitle(page.title || paper.tagline);
  document.dispatchEvent(new Event("built"));
  const rest = app.querySelector("[data-source]");
  if (rest) watch(rest);
}

build(document.querySelector("[data-source]"));
