import pytest

from sitewright.domains import domain_names, load_domain
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
    with pytest.raises(UnknownDomain, match="news, shop"):
        load_domain(name)
