import pytest

from sitewright.domains import Domain, domain_names, load_domain
from sitewright.errors import UnknownDomain
from sitewright.values import PARSERS


def test_news_has_the_promised_fields_in_order() -> None:
    expected = ["title", "subtitle", "published", "modified", "text", "authors", "categories", "tags", "images"]
    assert list(load_domain("news").fields) == expected


@pytest.mark.parametrize("name", domain_names())
class TestEveryDomain:
    def test_is_called_by_its_file(self, name: str) -> None:
        assert load_domain(name).name == name

    def test_names_parsers_that_exist(self, name: str) -> None:
        assert {spec.parse for spec in load_domain(name).fields.values()} <= set(PARSERS)

    def test_has_something_it_requires(self, name: str) -> None:
        assert any(spec.required for spec in load_domain(name).fields.values())

    def test_reads_an_unknown_field_as_a_line(self, name: str) -> None:
        assert load_domain(name).parser_of("no_such_field") == "line.v1"


@pytest.mark.parametrize(
    ("domain", "field", "parser"),
    [
        ("news", "title", "line.v1"),
        ("news", "published", "date.v1"),
        ("news", "text", "text.v1"),
        ("news", "authors", "authors.v1"),
        ("news", "tags", "list.v1"),
        ("news", "images", "image.v1"),
        ("shop", "price", "price.v1"),
        ("shop", "description", "text.v1"),
    ],
)
def test_default_parsers(domain: str, field: str, parser: str) -> None:
    assert load_domain(domain).parser_of(field) == parser


@pytest.mark.parametrize("name", ["nope", "", "../news", "news.yaml", "News"])
def test_an_unknown_domain_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(UnknownDomain, match="jobs, news, recipe, shop"):
        load_domain(name)


class TestQuestions:
    def test_news_answers_all(self) -> None:
        news = load_domain("news")
        answers = (news.heading, news.summary, news.main_text, news.published, news.modified)
        assert answers == ("title", "subtitle", "text", "published", "modified")
        assert news.required == ("title", "text")
        assert (news.item.kind, news.item.called, news.item.noun, news.item.plural) == (
            "article", "an article", "article", "articles",
        )  # fmt: skip
        assert news.kinds == ("article", "list", "other")

    def test_a_shop_answers_what_it_has(self) -> None:
        shop = load_domain("shop")
        answers = (shop.heading, shop.summary, shop.main_text, shop.published, shop.modified)
        assert answers == ("name", "", "description", "", "")
        assert shop.kinds == ("product", "list", "category", "other")

    def test_fields_are_found_by_kind(self) -> None:
        assert load_domain("news").fields_of_kind("images") == ("images",)
        assert load_domain("shop").fields_of_kind("price", "images") == ("price", "old_price", "images")

    def test_a_field_that_is_not_known_is_a_line(self) -> None:
        spec = load_domain("news").spec_of("engine")
        assert (spec.name, spec.kind, spec.parse, spec.many, spec.words.for_it) == (
            "engine", "line", "line.v1", False, "",
        )  # fmt: skip

    @pytest.mark.parametrize("name", domain_names())
    def test_every_name_in_a_file_is_one_of_its_fields(self, name: str) -> None:
        domain: Domain = load_domain(name)
        assert {spec.rival for spec in domain.fields.values()} - {""} <= set(domain.fields)
        assert all(set(spec.exact) <= set(spec.sources) for spec in domain.fields.values())
        assert domain.levels[-1] == domain.item.kind
