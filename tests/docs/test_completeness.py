"""What the program has, the documentation has (codes, fields, settings, commands, folders), and its links resolve."""

import re
from pathlib import Path

import pytest

from sitewright import errors
from sitewright.cli.reference import commands, reference
from sitewright.cli.settings import PREFIX, setting_names
from sitewright.domains import domain_names, load_domain
from sitewright.maps import schema
from sitewright.maps.convert import FORMATS as MAP_FORMATS
from sitewright.output.export import FORMATS as RECORD_FORMATS
from sitewright.processes import work
from sitewright.values import PARSERS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
PACKAGE = ROOT / "src" / "sitewright"
LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?P<target>[^)\s]+)\)")
HEADING = re.compile(r"^#+ (?P<title>.+)$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchors_of(page: Path) -> set[str]:
    """Return the anchors that a Markdown page offers, made of its headings the way code hosts do it."""
    titles = HEADING.findall(FENCED.sub("", page.read_text("utf-8")))
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def error_codes() -> list[str]:
    kinds = [entry for entry in vars(errors).values() if isinstance(entry, type)]
    return [kind.code for kind in kinds if issubclass(kind, errors.SitewrightError)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_relative_links_resolve(page: Path) -> None:
    broken = []
    for target in LINK.findall(FENCED.sub("", page.read_text("utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and anchor not in anchors_of(file)):
            broken.append(target)
    assert not broken


def test_command_line_reference_is_up_to_date(docs: Path) -> None:
    assert (docs / "cli.md").read_text("utf-8") == reference(), "run: make docs"


@pytest.mark.parametrize("command", list(commands()))
def test_every_command_has_its_section(docs: Path, command: str) -> None:
    assert f"## {command}\n" in (docs / "cli.md").read_text("utf-8")


@pytest.mark.parametrize("code", [*error_codes(), "internal_error"])
def test_every_error_code_is_explained(docs: Path, code: str) -> None:
    assert f"`{code}`" in (docs / "errors.md").read_text("utf-8")


def test_the_last_resort_is_the_one_that_is_explained() -> None:
    assert '"internal_error"' in Path(work.__file__).read_text("utf-8")


@pytest.mark.parametrize(
    ("domain", "field"), [(domain, field) for domain in domain_names() for field in load_domain(domain).fields]
)
def test_every_field_is_defined_once(docs: Path, domain: str, field: str) -> None:
    part = re.split(r"^## ", (docs / "fields.md").read_text("utf-8"), flags=re.MULTILINE)
    own = [text for text in part if text.lower().startswith(domain)]
    assert len(own) == 1
    assert own[0].count(f"\n### {field}\n") == 1


@pytest.mark.parametrize("setting", setting_names())
def test_every_setting_is_explained(docs: Path, setting: str) -> None:
    text = (docs / "settings.md").read_text("utf-8")
    assert f"`{setting}`" in text
    assert f"`{PREFIX}{setting.replace('.', '_').upper()}`" in text


@pytest.mark.parametrize("parser", sorted(PARSERS))
def test_every_value_parser_is_explained(docs: Path, parser: str) -> None:
    assert f"### {parser}\n" in (docs / "values.md").read_text("utf-8")


@pytest.mark.parametrize("entry", sorted({*schema()["properties"], *schema()["$defs"]["rule"]["properties"]}))
def test_every_entry_of_a_map_is_explained(docs: Path, entry: str) -> None:
    assert f"`{entry}`" in (docs / "map-format.md").read_text("utf-8")


@pytest.mark.parametrize("name", [*MAP_FORMATS])
def test_every_foreign_map_format_is_explained(docs: Path, name: str) -> None:
    assert f"`{name}`" in (docs / "converting.md").read_text("utf-8")


@pytest.mark.parametrize("name", RECORD_FORMATS)
def test_every_output_format_is_explained(docs: Path, name: str) -> None:
    assert f"`{name}`" in (docs / "store.md").read_text("utf-8")


@pytest.mark.parametrize("folder", sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py")))
def test_every_folder_has_its_page(docs: Path, folder: str) -> None:
    assert (docs / f"{folder}.md").is_file()
    assert f"]({folder}.md)" in (docs / "architecture.md").read_text("utf-8")


def test_every_page_is_linked_from_the_readme() -> None:
    linked = set(LINK.findall((ROOT / "README.md").read_text("utf-8")))
    pages = {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}
    assert pages <= linked


def test_published_schema_is_the_packaged_one(docs: Path) -> None:
    packaged = PACKAGE / "maps" / "map.schema.json"
    assert (docs / "map.schema.json").read_bytes() == packaged.read_bytes()
