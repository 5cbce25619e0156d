"""A shop in the style of ECShop: `category.php?id=3&page=2`, `goods.php?id=12`, and nothing that states what is what."""

from collections.abc import Sequence
from html import escape

from sitewright.demo.shops.drawing import Asked, Drawn, Stocked, page_of, pages_of
from sitewright.demo.shops.goods import Good


def path_of(good: Good) -> str:
    """Return where a product is."""
    return f"/goods.php?id={good.number}"


def draw(shop: Stocked, asked: Asked) -> Drawn | None:
    """Return the page at a path; None where there is none."""
    number = asked.query.get("id", "")
    if asked.path in ("/", "/index.php"):
        return Drawn(_front(shop, asked), "front")
    if asked.path == "/category.php" and number.isdecimal():
        return _category(shop, int(number), asked)
    if asked.path == "/goods.php":
        good = next((one for one in shop.goods if str(one.number) == number), None)
        return Drawn(_goods(shop, good, asked), "product") if good is not None else None
    if asked.path in ("/user.php", "/flow.php", "/article.php"):
        return Drawn(_frame(shop, shop.words.labels["login"], "", f"<p>{shop.label('login')}</p>"), "notice")
    return None


def _frame(shop: Stocked, title: str, here: str, main: str) -> str:
    menu = "".join(
        f'<dl><dt><a href="category.php?id={number}">{escape(name)}</a></dt><dd>'
        + "".join(f'<a href="category.php?id={below}">{escape(shown)}</a>' for below, shown in shelves)
        + "</dd></dl>"
        for number, name, shelves in _tree(shop)
    )
    trail = f'<div class="block box"><div id="ur_here">{here}</div></div>' if here else ""
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8" />
<title>{escape(title)} - Powered by ECShop</title></head><body>
<div class="block clearfix"><div class="f_l"><a href="index.php">{escape(shop.words.name)}</a></div>
<div class="f_r log"><a href="user.php">{shop.label("login")}</a> | <a href="flow.php">{shop.label("basket")}</a></div></div>
{trail}<div class="block clearfix"><div class="AreaL"><div id="category_tree">{menu}</div></div><div class="AreaR">{main}</div></div>
<div class="foot"><a href="article.php?id=1">{shop.label("about")}</a> | <a href="article.php?id=2">{shop.label("shipping")}</a></div>
</body></html>
"""


def _tree(shop: Stocked) -> list[tuple[int, str, list[tuple[int, str]]]]:
    """Return the categories with their numbers, as a shop gives them away: one after the other."""
    found, number = [], 0
    for department in shop.words.departments:
        number += 1
        own = number
        shelves = []
        for shelf in department.shelves:
            number += 1
            shelves.append((number, shelf.name))
        found.append((own, department.name, shelves))
    return found


def _front(shop: Stocked, asked: Asked) -> str:
    chosen = [good for good in shop.goods if good.number % 11 == 1][:8]
    main = f'<div id="show_best_area" class="clearfix goodsBox"><h2>{shop.label("featured")}</h2>{_boxes(shop, chosen, asked)}</div>'
    return _frame(shop, shop.words.name, "", main)


def _category(shop: Stocked, number: int, asked: Asked) -> Drawn | None:
    for own, name, shelves in _tree(shop):
        below = dict(shelves)
        if number == own or number in below:
            names = [name, below[number]] if number in below else [name]
            goods = [
                good
                for good in shop.goods
                if good.shelf.name == names[-1]
                or (good.also and good.also[1].name == names[-1])
                or (number == own and good.department.name == name)
            ]
            return _list(shop, number, names, goods, asked)
    return None


def _list(shop: Stocked, number: int, names: Sequence[str], goods: Sequence[Good], asked: Asked) -> Drawn | None:
    pages = pages_of(goods)
    if asked.page > pages:
        return None
    here = f'当前位置: <a href="index.php">{shop.label("home")}</a>' + "".join(
        f" <code>&gt;</code> <a href='category.php?id={number}'>{escape(name)}</a>" for name in names
    )
    link = f"category.php?id={number}&amp;price_min=0&amp;price_max=0"
    brands = "".join(
        f'<a href="category.php?id={number}&amp;brand={n}&amp;price_min=0&amp;price_max=0">{escape(name)}</a> '
        for n, name in enumerate(shop.words.brands, 1)
    )
    sorts = "".join(
        f'<a href="{link}&amp;page=1&amp;sort={name}&amp;order=ASC#goods_list">{name}</a> '
        for name in ("goods_id", "shop_price", "last_update")
    )
    shown = _boxes(shop, page_of(goods, asked.page), asked) if goods else f"<p>{shop.label('empty')}</p>"
    turns = [
        f'<a href="category.php?id={number}&amp;page={n}">[{n}]</a>' for n in range(1, pages + 1) if n != asked.page
    ]
    if asked.page > 1:
        turns.append(f'<a href="category.php?id={number}&amp;page={asked.page - 1}">{shop.label("previous")}</a>')
    if asked.page < pages:
        turns.append(
            f'<a class="next" href="category.php?id={number}&amp;page={asked.page + 1}">{shop.label("next")}</a>'
        )
    main = f"""<div class="box"><h3><span>{shop.label("filter")}</span></h3><div class="screeBox">{brands}</div></div>
<div class="box"><h3><span>商品列表</span> {shop.label("sort")}: {sorts}</h3><div class="clearfix goodsBox">{shown}</div></div>
<div id="pager" class="pagebar"><span class="f_l">总计 <b>{len(goods)}</b> 个记录</span> {" ".join(turns)}</div>"""
    return Drawn(_frame(shop, "_".join(reversed([shop.words.name, *names])), here, main))


def _boxes(shop: Stocked, goods: Sequence[Good], asked: Asked) -> str:
    return "".join(
        f'<div class="goodsItem"><a href="goods.php?id={good.number}"><img src="/media/{good.slug}.svg" '
        f'alt="{escape(good.name)}" class="goodsimg" /></a><br /><p><a href="goods.php?id={good.number}" '
        f'title="{escape(good.name)}">{escape(good.name)}</a></p>{_cost(shop, good, asked)}</div>'
        for good in goods
    )


def _cost(shop: Stocked, good: Good, asked: Asked) -> str:
    offer, shown = good.offer(asked.passed), shop.words.shown
    if offer.cents is None:
        return f'<font class="shop_s">{shop.label("on_request")}</font>'
    market = (
        f'<font class="market_s">{shop.label("was")}{shown(offer.old_cents)}</font><br />' if offer.old_cents else ""
    )
    upper = f" - {shown(offer.to_cents)}" if offer.to_cents else ""
    return f'{market}<font class="shop_s">本店价：{shown(offer.cents)}{upper}</font><br />'


def _goods(shop: Stocked, good: Good, asked: Asked) -> str:
    number = next(below for _, _, shelves in _tree(shop) for below, shown in shelves if shown == good.shelf.name)
    above = next(own for own, name, _ in _tree(shop) if name == good.department.name)
    here = (
        f'当前位置: <a href="index.php">{shop.label("home")}</a> <code>&gt;</code> <a href="category.php?id={above}">'
        f'{escape(good.department.name)}</a> <code>&gt;</code> <a href="category.php?id={number}">{escape(good.shelf.name)}</a> '
        f"<code>&gt;</code> {escape(good.name)}"
    )
    offer, shown = good.offer(asked.passed), shop.words.shown
    market = ""
    if offer.old_cents is not None:
        market = f'<li class="clearfix"><dd><strong>{shop.label("was")}</strong><font class="market">{shown(offer.old_cents)}</font></dd></li>'
    cost = shop.label("on_request") if offer.cents is None else shown(offer.cents)
    upper = f" - {shown(offer.to_cents)}" if offer.to_cents else ""
    button = '<a href="javascript:addToCart(1)">加入购物车</a>' if good.stock != "sold_out" else ""
    reviews = "".join(
        f'<li><font class="f3">{escape(one.author)}</font> <img src="/media/star{one.stars}.svg" alt="" /><p>{escape(one.text)}</p></li>'
        for one in good.reviews
    )
    main = f"""<div id="goodsInfo" class="clearfix"><div class="imgInfo"><img src="/media/{good.slug}.svg" alt="{escape(good.name)}" /></div>
<div class="textInfo"><form><div class="goods_name"><h1>{escape(good.name)}</h1></div><ul>
<li class="clearfix"><dd><strong>{shop.label("sku")}</strong>{good.sku}</dd><dd class="ddR"><strong>商品库存：</strong>{shop.label(good.stock)}</dd></li>
<li class="clearfix"><dd><strong>{shop.label("brand")}</strong><a href="brand.php?id=1">{escape(good.brand)}</a></dd><dd class="ddR"><strong>商品重量：</strong>{good.weight}克</dd></li>
{market}<li class="clearfix"><dd><strong>本店售价：</strong><font class="shop" id="ECS_SHOPPRICE">{cost}{upper}</font></dd></li></ul>
<div class="btns">{button}</div></form></div></div>
<div class="box" id="com_b"><h2>{shop.label("description")}</h2><div id="com_v"><p>{escape("".join(good.sentences))}</p></div></div>
<div class="box"><ul class="comments">{reviews}</ul></div>
<div class="box"><h3>{shop.label("also")}</h3><div class="clearfix goodsBox">{_boxes(shop, shop.beside(good), asked)}</div></div>"""
    return _frame(shop, f"{good.name}_{good.shelf.name}_{shop.words.name}", here, main)
