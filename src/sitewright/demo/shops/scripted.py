"""A shop whose pages are shells: scripts fetch JSON and draw it; lists grow as one asks for more, or scrolls."""

import json
from html import escape

from sitewright.demo.shops.drawing import Asked, Drawn, Stocked, page_of, pages_of
from sitewright.demo.shops.goods import Good

_JSON = "application/json; charset=utf-8"
_SCRIPT = """
const app = document.getElementById("app"), labels = window.LABELS;
const link = (href, text, name) => { const a = document.createElement("a"); a.href = href; a.textContent = text; if (name) a.className = name; return a; };
const box = (tag, name, text) => { const e = document.createElement(tag); e.className = name; if (text) e.textContent = text; return e; };
const price = (offer, box_) => {
  if (offer.old) { const s = box("s", "p-old", offer.old); box_.append(s, " "); }
  box_.append(box("span", "p-now", offer.now));
};
const ask = path => fetch(path).then(answer => answer.json());
async function menu() {
  const nav = document.querySelector("nav ul");
  for (const one of await ask("/api/menu")) {
    const li = box("li", "dept"); li.append(link("/c/" + one.slug, one.name));
    const ul = box("ul", "sub");
    for (const sub of one.shelves) { const item = box("li", "shelf"); item.append(link("/c/" + one.slug + "/" + sub.slug, sub.name)); ul.append(item); }
    li.append(ul); nav.append(li);
  }
}
const card = one => {
  const div = box("article", "tile"); const a = link(one.href, "", "tile-link");
  const img = document.createElement("img"); img.src = one.image; img.alt = one.name; a.append(img, box("h4", "tile-name", one.name));
  const p = box("p", "tile-price"); price(one.offer, p); div.append(a, p); return div;
};
async function list(path) {
  app.append(box("h1", "head", ""));
  const grid = box("div", "tiles"); app.append(grid);
  const more = box("button", "load-more", labels.more); app.append(more);
  let page = 0, busy = false;
  const load = async () => {
    if (busy) return; busy = true;
    const found = await ask("/api/products?shelf=" + encodeURIComponent(path) + "&page=" + (page + 1));
    page = found.page; app.querySelector("h1").textContent = found.name;
    for (const one of found.products) grid.append(card(one));
    if (page >= found.pages) more.remove();
    busy = false;
  };
  more.onclick = load; await load();
  if (window.ENDLESS) new IntersectionObserver(seen => { if (seen[0].isIntersecting) load(); }).observe(more);
}
async function product(number) {
  const one = await ask("/api/product?id=" + number);
  document.title = one.name;
  const trail = box("div", "crumbs"); for (const step of one.trail) trail.append(link(step.href, step.name), " / ");
  const info = box("div", "detail");
  info.append(box("h1", "detail-name", one.name));
  const img = document.createElement("img"); img.className = "detail-image"; img.src = one.image; img.alt = one.name;
  const cost = box("div", "detail-price"); price(one.offer, cost);
  const code = box("p", "detail-sku", labels.sku + ": "); code.append(box("span", "sku", one.sku));
  const made = box("p", "detail-brand", labels.brand + ": "); made.append(box("span", "brand", one.brand));
  const ean = box("p", "detail-ean", labels.gtin + ": "); ean.append(box("span", "ean", one.gtin));
  info.append(img, cost, code, made, ean, box("p", "stock", one.stock), box("button", "add-to-cart", labels.cart));
  info.append(box("h2", "", labels.description), box("div", "detail-description", one.description));
  app.append(trail, info);
}
const parts = location.pathname.split("/").filter(Boolean);
menu().then(() => parts[0] === "p" ? product(parts[1]) : parts[0] === "c" ? list(parts.slice(1).join("/")) : list(""));
"""


def path_of(good: Good) -> str:
    """Return where a product is."""
    return f"/p/{good.number}"


def draw(shop: Stocked, asked: Asked) -> Drawn | None:
    """Return the shell or the data at a path; None where there is none."""
    names = [name for name in asked.path.split("/") if name]
    if asked.path == "/app.js":
        return Drawn(_SCRIPT, "asset", "text/javascript; charset=utf-8")
    if names[:1] == ["api"]:
        return _data(shop, asked)
    if not names:
        return Drawn(_shell(shop, endless=False), "front")
    if names[0] == "c" and _goods_of(shop, "/".join(names[1:])) is not None:
        return Drawn(_shell(shop, endless=len(names) > 2))
    known = {str(good.number) for good in shop.goods}
    return Drawn(_shell(shop, endless=False), "product") if names[0] == "p" and names[-1] in known else None


def _shell(shop: Stocked, *, endless: bool) -> str:
    words = shop.words
    labels = json.dumps(dict(words.labels), ensure_ascii=False).replace("</", "<\\/")
    return f"""<!DOCTYPE html><html lang="{words.language}"><head><meta charset="utf-8"><title>{escape(words.name)}</title></head>
<body><header><a href="/">{escape(words.name)}</a><nav><ul></ul></nav></header><main id="app"></main>
<footer>{escape(words.tagline)}</footer>
<script>window.LABELS={labels};window.ENDLESS={json.dumps(endless)}</script><script src="/app.js"></script></body></html>
"""


def _data(shop: Stocked, asked: Asked) -> Drawn | None:
    if asked.path == "/api/menu":
        departments = [
            {"slug": one.slug, "name": one.name, "shelves": [{"slug": s.slug, "name": s.name} for s in one.shelves]}
            for one in shop.words.departments
        ]
        return _answer(departments)
    if asked.path == "/api/products":
        found = _goods_of(shop, asked.query.get("shelf", ""))
        if found is None:
            return None
        name, goods = found
        cards = [_card(shop, good, asked) for good in page_of(goods, asked.page)]
        return _answer({"name": name, "page": asked.page, "pages": pages_of(goods), "products": cards})
    good = next((one for one in shop.goods if str(one.number) == asked.query.get("id")), None)
    if asked.path != "/api/product" or good is None:
        return None
    trail = [
        {"href": f"/c/{good.department.slug}", "name": good.department.name},
        {"href": f"/c/{good.department.slug}/{good.shelf.slug}", "name": good.shelf.name},
    ]
    own = {"sku": good.sku, "gtin": good.gtin, "brand": good.brand, "description": " ".join(good.sentences)}
    stock = shop.words.labels[good.stock]
    return _answer({**_card(shop, good, asked), **own, "trail": trail, "stock": stock})


def _answer(data: object) -> Drawn:
    return Drawn(json.dumps(data, ensure_ascii=False), "data", _JSON)


def _goods_of(shop: Stocked, place: str) -> tuple[str, list[Good]] | None:
    """Return the name and the products of a category; those of the front page where none is named."""
    if not place:
        return shop.words.name, [good for good in shop.goods if good.number % 13 == 1][:6]
    department, _, below = place.partition("/")
    for one, shelf in shop.shelves():
        if one.slug == department and shelf.slug == below:
            return shelf.name, shop.on(shelf)
        if one.slug == department and not below:
            return one.name, [good for good in shop.goods if good.department == one]
    return None


def _card(shop: Stocked, good: Good, asked: Asked) -> dict[str, object]:
    offer, shown = good.offer(asked.passed), shop.words.shown
    now = shop.words.labels["on_request"] if offer.cents is None else shown(offer.cents)
    if offer.to_cents is not None:
        now = f"{now} – {shown(offer.to_cents)}"
    old = {"old": shown(offer.old_cents)} if offer.old_cents is not None else {}
    return {
        "href": path_of(good),
        "name": good.name,
        "image": f"/media/{good.slug}.svg",
        "offer": {"now": now, **old},
    }
