"""Fields learned from values as a person sees them, on the pages of a small shop."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from sitewright.domains import load_domain
from sitewright.errors import BadExample, NoStableRule
from sitewright.extract import Extractor
from sitewright.induce import Example, Learned, example_of, learn_map
from sitewright.induce.examples import ExampleBeliefs, labels_of, spec_of, wanted_keys
from sitewright.parse import Document, parse
from sitewright.types import Page, TaggedPage
from sitewright.values import Context

Opined = Callable[..., tuple[Document, TaggedPage]]
Learn = Callable[..., Learned]
NOW = datetime(2024, 6, 15, tzinfo=UTC)

NAMES = ("Oak table", "Pine shelf", "Steel lamp", "Glass vase")
PRICES = ("£1,249.00", "£89.50", "£45.00", "£12.99")
WAS = ("£1,499.00", "", "£60.00", "")
TOPICS = (("wood", "garden"), ("shelves", "office"), ("light", "study", "desk"), ("gift",))
COLOURS, ORIGINS = ("red", "green", "blue", "grey"), ("Wales", "Spain", "Italy", "Malta")
SEATS, WEIGHTS = (4, 6, 1, 2), (12, 31, 2, 7)


def shop(n: int) -> str:
    """Write the page of a product."""
    was = f"<s class=was>{WAS[n]}</s>" if WAS[n] else ""
    topics = "".join(f"<li><a href=/t/{topic}>{topic}</a></li>" for topic in TOPICS[n])
    return f"""<!doctype html><html lang=en-GB><title>{NAMES[n]} - The Shop</title><body><header><a href=/>The Shop</a>
<span class=basket>£0.00</span></header><div class=product-{n}77><h1>{NAMES[n]}</h1>
<div class=pricing>{was}<b class=now>{PRICES[n]}</b></div><p class=specs>Ref. {n}042: {SEATS[n]} seats, {WEIGHTS[n]} kg</p>
<table><tr><th>Colour</th><td>{COLOURS[n]}</td></tr><tr><th>Made in</th><td>{ORIGINS[n]}</td></tr></table>
<ul class=topics>{topics}</ul></div><ul class=menu><li><a href=/>Home</a></li><li><a href=/sale>Sale</a></li></ul></body></html>"""


@pytest.fixture(scope="module")
def pages(opined: Opined) -> list[tuple[Document, TaggedPage]]:
    """The four products, of which nobody has an opinion."""
    return [opined(shop(n), url=f"https://shop.example/p/{n}", kind="other") for n in range(4)]


@pytest.fixture(scope="module")
def learn(pages: list[tuple[Document, TaggedPage]]) -> Learn:
    """Return a function of examples that learns from the first three pages."""

    def learned(*examples: str, domain: str = "shop") -> Learned:
        return learn_map(pages[:3], domain, NOW, example_of(examples))

    return learned


@pytest.fixture(scope="module")
def values(learn: Learn, pages: list[tuple[Document, TaggedPage]]) -> Callable[..., list[object]]:
    """Return a function of examples of one field that gives the field of all four pages."""

    def found(*examples: str, domain: str = "shop") -> list[object]:
        extractor = Extractor(learn(*examples, domain=domain).extraction_map)
        [field] = example_of(examples)
        records = [extractor.extract(document, NOW) for document, _ in pages]
        return [record.fields[field].value if field in record.fields else None for record in records]

    return found


Values = Callable[..., list[object]]


class TestSingleValues:
    @pytest.mark.parametrize("n", range(3))
    def test_a_field_that_the_domain_knows_is_read_as_the_domain_reads_it(self, values: Values, n: int) -> None:
        pounds = [1249.0, 89.5, 45.0, 12.99]
        assert values(f"price={PRICES[n]}") == [{"amount": amount, "currency": "GBP"} for amount in pounds]

    @pytest.mark.parametrize(("domain", "field"), [("shop", "name"), ("shop", "thing"), ("news", "thing")])
    def test_a_field_that_no_domain_knows_is_a_line(self, values: Values, domain: str, field: str) -> None:
        assert values(f"{field}=Pine shelf", domain=domain) == list(NAMES)

    def test_values_may_be_of_two_pages(self, values: Values) -> None:
        assert values("name=Oak table", "name=Steel lamp") == list(NAMES)

    @pytest.mark.parametrize("spelling", ["OAK TABLE", " oak   table ", "Oak table."])
    def test_case_blanks_and_signs_do_not_matter(self, values: Values, spelling: str) -> None:
        assert values(f"name={spelling}") == list(NAMES)

    def test_a_value_without_a_name_of_its_own_is_found_by_its_place(self, values: Values) -> None:
        assert values("colour=green") == list(COLOURS)

    def test_a_value_beside_a_label_is_found_by_the_label(self, values: Values) -> None:
        assert values("origin=Spain") == list(ORIGINS)

    @pytest.mark.xfail(reason="on pages of which no example tells, any value is better than none")
    def test_a_field_that_a_page_does_not_have_stays_silent(self, values: Values) -> None:
        pounds = [1499.0, None, 60.0, None]
        assert values("old_price=£1,499.00") == [
            {"amount": amount, "currency": "GBP"} if amount else None for amount in pounds
        ]


class TestLists:
    def test_two_values_of_a_list_give_all(self, values: Values) -> None:
        assert values("topic=light", "topic=desk") == list(map(list, TOPICS))

    def test_a_list_that_the_domain_knows_needs_one(self, values: Values) -> None:
        assert values("categories=study") == list(map(list, TOPICS))

    def test_values_that_other_pages_have_too(self, opined: Opined) -> None:
        tags = (("wood", "garden"), ("wood", "office"), ("light", "office", "desk"))
        lists = ["".join(f"<li><a>{tag}</a></li>" for tag in of_page) for of_page in tags]
        pages = [
            opined(f"<h1>Page {n}</h1><ul class=topics>{entries}</ul><p><a>x</a></p>", kind="other")
            for n, entries in enumerate(lists)
        ]
        learned = learn_map(pages, "shop", NOW, example_of(["topic=wood", "topic=garden"]))
        extractor = Extractor(learned.extraction_map)
        found = [extractor.extract(document, NOW).fields["topic"].value for document, _ in pages]
        assert found == list(map(list, tags))

    def test_values_of_the_lists_of_two_pages(self, values: Values) -> None:
        assert values("topic=wood", "topic=light") == list(map(list, TOPICS))


class TestCutOut:
    @pytest.mark.parametrize(
        ("example", "expected"),
        [
            ("weight=12", [str(weight) for weight in WEIGHTS]),
            ("weight=12 kg", [f"{weight} kg" for weight in WEIGHTS]),
            ("number=0042", [f"{n}042" for n in range(4)]),
            ("number=Ref. 1042", [f"Ref. {n}042" for n in range(4)]),
            pytest.param(
                "seats=4",
                [str(seats) for seats in SEATS],
            ),
        ],
    )
    def test_a_value_within_a_longer_text(self, values: Values, example: str, expected: list[str]) -> None:
        assert values(example) == expected

    def test_is_done_by_a_pattern(self, learn: Learn) -> None:
        [rule] = learn("weight=12 kg").extraction_map.rules
        assert rule.select == ("p.specs",)
        assert "seats" in rule.match


class TestMaps:
    def test_several_fields_are_learned_together_and_nothing_else(self, learn: Learn) -> None:
        learned = learn("name=Oak table", "price=£89.50", "topic=light", "topic=desk")
        assert learned.extraction_map.fields == ("name", "price", "topic")
        assert learned.extraction_map.domain == "shop"
        assert learned.extraction_map.language == "en-GB"

    def test_generated_names_are_not_rested_on(self, learn: Learn) -> None:
        rules = learn("name=Oak table", "price=£89.50", "colour=red").extraction_map.rules
        assert not [rule for rule in rules if "product-" in "".join(rule.select)]

    def test_support_counts_the_pages_with_a_value(self, learn: Learn) -> None:
        support = learn("name=Oak table").extraction_map.rules[0].support
        assert support is not None
        assert (support.found, support.sampled) == (3, 3)

    def test_an_example_counts_for_more_than_opinions(self, opined: Opined) -> None:
        titles = ["First story of all", "Second story of all", "Third story of all"]
        pages = [
            opined(f"<h1>{title}</h1><h2>Kicker {n}</h2>", {"title": {title: 0.99}}) for n, title in enumerate(titles)
        ]
        [rule, *_] = learn_map(pages, "news", NOW, example_of(["title=Kicker 1"])).extraction_map.rules
        assert (rule.field, rule.select) == ("title", ("h2",))


class TestErrors:
    @pytest.mark.parametrize(
        "examples",
        [["price=£7.77"], ["name=Not on any page"], ["topic=light", "topic=absent", "name=nowhere"], ["name="]],
    )
    def test_a_value_that_no_page_shows(self, learn: Learn, examples: list[str]) -> None:
        with pytest.raises(BadExample, match="none of the pages shows"):
            learn(*examples)

    def test_one_of_two_values_that_no_page_shows(self, learn: Learn) -> None:
        with pytest.raises(BadExample):
            learn("topic=light", "topic=absent")

    def test_names_the_field_and_the_value(self, learn: Learn) -> None:
        with pytest.raises(BadExample, match="none of the pages shows brand = 'Acme'"):
            learn("name=Oak table", "brand=Acme")

    def test_what_scripts_and_the_head_hold_is_not_shown(self, opined: Opined) -> None:
        pages = [
            opined(f"<title>Hidden {n}</title><script>Hidden {n}</script><p>Seen {n}</p>", kind="other")
            for n in range(3)
        ]
        with pytest.raises(BadExample):
            learn_map(pages, "shop", NOW, example_of(["name=Hidden 1"]))

    def test_a_value_that_nothing_leads_to(self, opined: Opined) -> None:
        pages = [
            opined("<div>" * 8 + "".join(f"<p>Word {(n * 7 + m) % 30}</p>" for m in range(30)), kind="other")
            for n in range(3)
        ]
        with pytest.raises(NoStableRule, match="no rule gives thing"):
            learn_map(pages, "shop", NOW, example_of(["thing=Word 12"]))


@pytest.mark.parametrize(
    ("texts", "examples"),
    [
        ([], {}),
        (["a=1"], {"a": ("1",)}),
        (["tag=bees", "price = £4.50", "tag=honey"], {"tag": ("bees", "honey"), "price": ("£4.50",)}),
        (["sum=1 + 1 = 2"], {"sum": ("1 + 1 = 2",)}),
        ([" title =  Old \n ferry "], {"title": ("Old ferry",)}),
    ],
)
def test_examples_are_written_as_field_and_value(texts: list[str], examples: dict[str, tuple[str, ...]]) -> None:
    assert {field: example.values for field, example in example_of(texts).items()} == examples


@pytest.mark.parametrize(
    ("field", "values", "kind", "many"),
    [
        ("title", ("a",), "line", False),
        ("title", ("a", "b"), "line", False),
        ("tags", ("a",), "list", True),
        ("own", ("a",), "line", False),
        ("own", ("a", "b"), "list", True),
    ],
)
def test_what_is_known_of_an_examples_field(field: str, values: tuple[str, ...], kind: str, many: bool) -> None:
    spec = spec_of(Example(field, values), load_domain("news"))
    assert (spec.name, spec.kind, spec.many) == (field, kind, many)


class TestWhatAnExampleSays:
    HTML = "<div><p>Price: <b>4.50</b></p><p>4.50</p><p>No. 14.50</p><li>bees</li><li>Bees!</li></div>"

    def document(self) -> Document:
        return parse(Page(url="https://shop.example/p", body=self.HTML))

    @pytest.mark.parametrize(
        ("values", "texts"),
        [
            (("4.50",), ["4.50", "4.50"]),
            (("Price: 4.50",), ["Price: 4.50"]),
            (("Price",), ["Price: 4.50"]),
            (("14.50",), ["No. 14.50"]),
            (("bees", "4.50"), ["bees", "Bees!", "4.50", "4.50"]),
            (("wasps",), []),
            (("",), []),
        ],
    )
    def test_where_its_values_stand(self, values: tuple[str, ...], texts: list[str]) -> None:
        page = self.document()
        labels = labels_of(Example("x", values), page)
        assert [page.elements[label.node or 0].text for label in labels] == texts
        assert {label.score for label in labels} <= {1.0}

    def test_values_are_compared_as_the_field_reads_them(self) -> None:
        context = Context(document=self.document(), now=NOW, language="en")
        news = load_domain("news")
        for text in ("6 May 2024", "2024-05-06", "May 6, 2024"):
            example = Example("published", (text,))
            assert wanted_keys(example.values, spec_of(example, news), context) == {"2024 05 06"}
        example = Example("authors", ("By Ann Lee and Bo Ek",))
        assert wanted_keys(example.values, spec_of(example, news), context) == {"ann lee", "bo ek"}

    def test_of_one_value_that_and_nothing_else_is_right(self) -> None:
        beliefs = ExampleBeliefs(frozenset({"oak table"}), many=False)
        values = ["Oak Table", ["oak table"], "oak", ["oak table", "x"], None]
        assert [beliefs.rightness(value) for value in values] == [1, 1, 0, 0, 0]

    def test_of_a_list_more_may_be_right_too(self) -> None:
        beliefs = ExampleBeliefs(frozenset({"bees", "honey"}), many=True)
        lists = [["bees", "honey"], ["bees", "honey", "x"], ["bees", "honey", *map(str, range(50))], ["bees"], ["x"]]
        right = [beliefs.rightness(entries) for entries in lists]
        assert right[0] == 1 > right[1] > right[2] > 0 == right[4]
        assert right[1] > right[3]

    def test_of_a_page_that_no_example_is_of_nothing_is_known(self) -> None:
        beliefs = ExampleBeliefs(frozenset(), many=False)
        assert 0 < beliefs.rightness("anything") == beliefs.rightness("else") == beliefs.best < 1
