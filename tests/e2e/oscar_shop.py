"""A shop that runs django-oscar, in a process of its own: what it sells is made up here, all of its pages are Oscar's.

    python -m tests.e2e.oscar_shop HOST FOLDER

Serves until its standard input ends; its first line says where it is and what it sells, as JSON.
"""

# ruff: noqa: PLC0415, T201, A002, S106 -- Django is set up before what rests on it can be imported
import json
import sys
import threading
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

_CURRENCY = "EUR"
_SHELVES = {
    "Garden": {"Watering": ("Hose", "Sprinkler", "Watering can"), "Digging": ("Spade", "Trowel", "Fork")},
    "Kitchen": {"Baking": ("Loaf tin", "Whisk", "Rolling pin"), "Knives": ("Paring knife", "Bread knife", "Cleaver")},
    "Workshop": {"Saws": ("Coping saw", "Tenon saw", "Bow saw"), "Planes": ("Block plane", "Jack plane", "Spokeshave")},
}
_MAKERS = ("Arden", "Birch & Low", "Castell", "Dorne")
_SENTENCES = (
    "Made by hand of {wood} and steel that was forged in one piece.",
    "It lies well in small and in large hands, and keeps its edge for years.",
    "We oil each {thing} before it leaves the workshop, so it may smell of linseed at first.",
    "Spare parts are kept for as long as the maker lives.",
)
_WOODS = ("ash", "beech", "oak", "pear")
_REVIEWS = (
    ("Ruth Lomax", 5, "Just right", "I have used it every week since March and would not give it away again."),
    ("Otto Prem", 4, "Good, if heavy", "Well made in every detail, but heavier than I had expected from the picture."),
    ("Mina Sol", 2, "Not for me", "The handle came loose after some days; the shop sent another one without a word."),
    (
        "Jules Kerr",
        3,
        "Fair enough",
        "It does what it should, and for the price one cannot ask for much more than that.",
    ),
    ("Ana Brook", 5, "A present", "My father, who never praises anything, has praised it twice so far this spring."),
)
_SIZES = ("small", "medium", "large")
_MANY_REVIEWS, _FEW_REVIEWS = 5, 2
_EVERY_GONE, _EVERY_REVIEWED, _EVERY_SIZED = 7, 5, 9


@dataclass(frozen=True, kw_only=True)
class Sold:
    """What the page of a product says."""

    name: str
    price: float
    availability: str
    gtin: str
    categories: list[str]
    reviews: list[dict[str, Any]] = field(default_factory=list)
    variants: list[str] = field(default_factory=list)


def _configure(folder: Path) -> None:
    from django.conf import settings
    from oscar import INSTALLED_APPS
    from oscar.defaults import __dict__ as defaults

    usual = {name: value for name, value in defaults.items() if name.startswith("OSCAR_")}
    settings.configure(
        **usual | {"OSCAR_DEFAULT_CURRENCY": _CURRENCY, "OSCAR_SHOP_NAME": "Arden's", "OSCAR_ALLOW_ANON_REVIEWS": True},
        SECRET_KEY="made up",
        ALLOWED_HOSTS=["*"],
        SITE_ID=1,
        USE_TZ=True,
        LANGUAGE_CODE="en-gb",
        ROOT_URLCONF=__name__,
        INSTALLED_APPS=INSTALLED_APPS,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / "shop.db")}},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        STATIC_URL="/static/",
        MEDIA_URL="/media/",
        MEDIA_ROOT=str(folder / "media"),
        HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": str(folder / "index")}},
        MIGRATION_MODULES=_NoMigrations(),
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "oscar.apps.basket.middleware.BasketMiddleware",
        ],
        TEMPLATES=[{
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {"context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "oscar.apps.search.context_processors.search_form",
                "oscar.apps.checkout.context_processors.checkout",
                "oscar.apps.communication.notifications.context_processors.notifications",
                "oscar.core.context_processors.metadata",
            ]},
        }],
    )  # fmt: skip


class _NoMigrations:
    """Tables are made as they are in the end."""

    def __contains__(self, _app: str) -> bool:
        return True

    def __getitem__(self, _app: str) -> None:
        return None


def _stock(product_class: Any, partner: Any) -> dict[str, Sold]:
    """Fill the shop; return by path what its pages say."""
    from oscar.apps.catalogue.categories import create_from_breadcrumbs
    from oscar.apps.catalogue.models import Product, ProductCategory

    sold, number = {}, 0
    for department, shelves in _SHELVES.items():
        for shelf, things in shelves.items():
            category = create_from_breadcrumbs(f"{department} > {shelf}")
            for place in range(2 * len(things)):
                number += 1
                maker, wood = _MAKERS[number % len(_MAKERS)], _WOODS[number // 2 % len(_WOODS)]
                thing = things[place % len(things)]
                name = f"{maker} {thing.lower()} of {wood} No. {number}"
                about = " ".join(_SENTENCES).format(wood=wood, thing=thing.lower())
                is_sized = number % _EVERY_SIZED == 0
                product = Product.objects.create(
                    product_class=product_class, title=name, description=f"<p>{about}</p>", upc=_gtin(number),
                    structure=Product.PARENT if is_sized else Product.STANDALONE,
                )  # fmt: skip
                product.attr.material = wood
                product.attr.maker = maker
                product.save()
                ProductCategory.objects.create(product=product, category=category)
                count = 0 if number % _EVERY_GONE == 0 else 10 + number
                if is_sized:
                    sizes = list(_sized(product, partner, number))
                else:
                    sizes = []
                    _offer(product, partner, f"AR-{1000 + number}", Decimal(f"{10 + number * 3.5:.2f}"), count)
                sold[product.get_absolute_url()] = Sold(
                    name=name, price=_shown_price(product), gtin=_gtin(number),
                    availability="InStock" if count else "OutOfStock", categories=[department, shelf],
                    reviews=_review(product, number), variants=sizes,
                )  # fmt: skip
    return sold


def _shown_price(product: Any) -> float:
    """Return what Oscar says a product costs; of one with variants that is the price of one of them."""
    from oscar.apps.partner.strategy import Default

    strategy = Default()
    shown = strategy.fetch_for_parent(product) if product.is_parent else strategy.fetch_for_product(product)
    return float(shown.price.incl_tax)


def _offer(product: Any, partner: Any, sku: str, price: Decimal, count: int) -> None:
    from oscar.apps.partner.models import StockRecord

    StockRecord.objects.create(
        product=product, partner=partner, partner_sku=sku, price_currency=_CURRENCY, price=price, num_in_stock=count
    )


def _sized(parent: Any, partner: Any, number: int) -> Any:
    from oscar.apps.catalogue.models import Product

    for place, size in enumerate(_SIZES):
        name = f"{parent.title}, {size}"
        child = Product.objects.create(structure=Product.CHILD, parent=parent, title=name)
        _offer(child, partner, f"AR-{1000 + number}-{size[0].upper()}", Decimal(20 + number + 5 * place), 7)
        yield name


def _review(product: Any, number: int) -> list[dict[str, Any]]:
    from oscar.apps.catalogue.reviews.models import ProductReview

    if number % _EVERY_REVIEWED:
        return []
    several = _REVIEWS[: _MANY_REVIEWS if number % 2 else _FEW_REVIEWS]
    for author, stars, title, text in several:
        ProductReview.objects.create(
            product=product, score=stars, title=title, body=text, name=author, email="reader@example.com",
            status=ProductReview.APPROVED,
        )  # fmt: skip
    return [{"author": author, "stars": stars, "text": text} for author, stars, _, text in several]


def _gtin(number: int) -> str:
    digits = f"40123450{number:04}"
    check = -sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10
    return f"{digits}{check}"


def _pages() -> list[Any]:
    from django.apps import apps
    from django.urls import include, path
    from django.views.i18n import set_language

    return [
        path("i18n/setlang/", set_language, name="set_language"),
        path("", include(apps.get_app_config("oscar").urls[0])),
    ]


class _Urls:
    """The addresses of the shop, made when Django is ready for it."""

    def __iter__(self) -> Any:
        return iter(self._made())

    def __reversed__(self) -> Any:
        return reversed(self._made())

    def _made(self) -> list[Any]:
        if not hasattr(self, "_known"):
            self._known = _pages()
        return self._known


urlpatterns = _Urls()


def main(host: str, folder: Path) -> None:
    """Make the shop and serve it."""
    import django

    _configure(folder)
    django.setup()
    from django.core.handlers.wsgi import WSGIHandler
    from django.core.management import call_command
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
    from oscar.apps.catalogue.models import ProductAttribute, ProductClass
    from oscar.apps.partner.models import Partner

    call_command("migrate", run_syncdb=True, verbosity=0)
    product_class = ProductClass.objects.create(name="Tool", requires_shipping=True, track_stock=True)
    for code in ("material", "maker"):
        ProductAttribute.objects.create(product_class=product_class, name=code.title(), code=code, type="text")
    sold = _stock(product_class, Partner.objects.create(name="Arden's"))

    call_command("rebuild_index", interactive=False, verbosity=0)

    class Quiet(WSGIRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadedWSGIServer((host, 0), Quiet)
    server.set_app(WSGIHandler())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base_url = f"http://{host}:{server.server_address[1]}"
    print(json.dumps({"base_url": base_url, "sold": {path: asdict(one) for path, one in sold.items()}}), flush=True)
    sys.stdin.read()
    server.shutdown()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
