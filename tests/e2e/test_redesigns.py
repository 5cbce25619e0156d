"""A newspaper changes while it is collected: what happened is told apart, and each thing has its own answer.

All scenes begin with the same night, in which the paper was learned and a hundred stories were collected.
"""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from zlib import crc32

import pytest
from click.testing import CliRunner
from tests.e2e.newsstand import Newsroom
from tests.e2e.redesigning import (
    EVENING,
    MORNING,
    NIGHTLY,
    TIMING,
    ChangingPaper,
    Scene,
    TickingClock,
    begin,
    is_tagged,
    noticed_after,
    silent,
)
from tests.e2e.servers import Reply, serving

from sitewright.cli.main import cli
from sitewright.demo.designs import CLASSIC, REBUILT, RENAMED, Design
from sitewright.demo.newspaper import story_path
from sitewright.demo.story import Story
from sitewright.fetch import retry
from sitewright.maps import dump_map
from sitewright.store import database
from sitewright.store.database import open_store
from sitewright.types import Rule

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the paper has an address of its own")
HOST, SEED = "127.0.6.1", 2
REQUIRED = {"", "title", "text"}
"""What is noticed within five affected pages: required fields, and whole pages."""
Command = Callable[..., str]


@dataclass(frozen=True)
class Night:
    """A store and its pages as they were at six in the morning, and where the paper was."""

    folder: Path
    port: int


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Night:
    folder, clock = tmp_path_factory.mktemp("night"), TickingClock(EVENING - NIGHTLY)
    paper = ChangingPaper(HOST, clock, seed=SEED)
    scene = Scene(paper, clock, Newsroom(folder, clock, (HOST,), TIMING))
    with serving(paper):
        scene.newsroom.add([paper.url])
        scene.collect(step=NIGHTLY, hours=13)
    assert scene.makers == ["learned"], "\n".join(scene.said)
    assert scene.incidents == []
    assert scene.lost == []
    assert scene.wrong_titles == scene.poor_texts == scene.wrong_days == {}
    return Night(folder, paper.server_port)


@pytest.fixture
def scene(night: Night, tmp_path: Path) -> Iterator[Scene]:
    clock = TickingClock(MORNING)
    paper = ChangingPaper(HOST, clock, seed=SEED, port=night.port)
    with serving(paper):
        yield begin(night.folder, tmp_path, paper, clock)


@pytest.fixture
def command(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command line at the scene's time."""
    monkeypatch.setattr(database, "open_store", partial(open_store, clock=scene.clock.now))

    def run(*arguments: str, pages: bool = False) -> str:
        places = ["--store", scene.newsroom.store, *(["--pages", scene.newsroom.options.pages] if pages else [])]
        done = CliRunner().invoke(cli, [*arguments, *places], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    return run


def by_story(name: str, choose: Callable[[Story], Design]) -> Design:
    """Return a design that draws each story as another one does."""
    return silent(replace(CLASSIC, name=name, draw_story=lambda paper, story: choose(story).draw_story(paper, story)))


def rewritten(name: str, change: Callable[[Story, str], str]) -> Design:
    """Return the classic design with the pages of stories changed."""
    draw = CLASSIC.draw_story
    return silent(replace(CLASSIC, name=name, draw_story=lambda paper, story: change(story, draw(paper, story))))


# The whole site


@pytest.mark.parametrize("design", [RENAMED, REBUILT], ids=lambda design: design.name)
def test_a_redesign_is_noticed_and_healed(scene: Scene, design: Design) -> None:
    """By itself, but for the text: where a live blog is among the ten known articles that are asked for, no rule gives
    all that was remembered, so its repair waits for more pages or for a person, and the tagger reads it until then."""
    scene.paper.design = silent(design)
    scene.collect_until(lambda: "healed" in scene.makers, hours=1)
    scene.collect(hours=1)
    first = scene.incidents[0]
    assert first.field in REQUIRED
    assert noticed_after(first) <= 5
    assert (first.state, first.answer) == ("healed", "heal")
    assert set(scene.makers[1:]) == {"healed"}
    waiting = {incident.field for incident in scene.open_incidents} & REQUIRED
    assert waiting <= {"text"}, "\n".join(scene.said)
    proposed = {field.field for proposal in scene.proposals for field in proposal.fields if field.changed}
    assert waiting <= proposed

    assert scene.lost == []
    assert scene.wrong_titles == scene.poor_texts == scene.wrong_days == {}
    read_again = scene.records_of(first)
    assert len(read_again) >= 4
    unsure = {incident.field for incident in scene.incidents if "its repair is not sure" in incident.diagnosis}
    assert not any(is_tagged(stored, name) for stored in read_again for name in {"title", "text"} - waiting - unsure)
    check_lists(scene)


def check_lists(scene: Scene) -> None:
    """The selectors of all index pages are new, and find what these list."""
    old, new = ({e.url: e.items for e in scene.versions[n].parsed().index if e.items} for n in (0, -1))
    assert old.keys() == new.keys()
    assert not any(old[url] == new[url] for url in old)
    assert [source.url for source in scene.sources if source.state.unlisted] == []


def test_only_the_pages_that_list_stories_are_redesigned(scene: Scene) -> None:
    lists = replace(CLASSIC, name="lists", draw_front=REBUILT.draw_front, draw_listing=REBUILT.draw_listing)
    scene.paper.design = silent(lists)
    scene.collect_until(lambda: "healed" in scene.makers, hours=1)
    scene.collect(hours=1)
    assert {(incident.kind, incident.state, incident.answer) for incident in scene.incidents} == {
        ("unlisted", "healed", "heal")
    }
    assert scene.lost == []
    assert scene.wrong_titles == scene.poor_texts == scene.wrong_days == {}
    check_lists(scene)
    before, after = (scene.versions[number].parsed().templates for number in (0, -1))
    assert before == after


# A part of it


def test_variants(scene: Scene) -> None:
    """Half of the stories, by their addresses, are shown in another design."""
    scene.paper.design = by_story("a/b", lambda story: (CLASSIC, RENAMED)[crc32(story_path(story).encode()) % 2])
    scene.collect_until(lambda: any("in turn with others" in line for line in scene.said), hours=3)
    incident = scene.incidents[0]
    assert (incident.template, incident.field) == ("article", "")
    assert scene.wrong_titles == {}

    scene.collect(hours=2)
    assert set(scene.makers[1:]) == {"healed"}
    assert scene.lost == []
    assert scene.wrong_titles == {}


def test_a_second_template(scene: Scene) -> None:
    """What two sections publish from now on is shown in another design."""

    def choose(story: Story) -> Design:
        is_new = story.published > MORNING and story.kind == "article"
        return REBUILT if is_new and story.sections[0].slug in {"science", "culture"} else CLASSIC

    scene.paper.design = by_story("second", choose)
    scene.collect_until(lambda: any(incident.answer == "new template" for incident in scene.incidents), hours=3)
    (incident,) = scene.incidents
    assert (incident.template, incident.field) == ("article", "")
    assert "/culture, /science are built in another way" in incident.diagnosis
    scene.collect(hours=1)
    assert scene.lost == []
    assert scene.wrong_titles == {}


def test_a_field_that_moved_in_a_section(scene: Scene) -> None:
    """In two sections topics are marked up in another way, and machines are not told of them any more."""
    sections = {"city", "sport"}

    def change(story: Story, html: str) -> str:
        if story.kind != "article" or story.sections[0].slug not in sections:
            return html
        silent = re.sub(r'"keywords": \[[^\]]*\],\s*|<meta (name="keywords"|property="article:tag")[^>]*>', "", html)
        return re.sub(r'<div class="tags">(.*?)</div>', topics, silent)

    def topics(tags: re.Match[str]) -> str:
        links = re.sub(r"</?(ul|li)>", " ", tags[1]).replace(' rel="tag"', "")
        return f'<section class="topics">{links}</section>'

    scene.paper.design = rewritten("moved", change)
    scene.collect_until(lambda: "healed" in scene.makers, hours=4)
    scene.collect(minutes=30)
    (incident,) = scene.incidents
    assert (incident.field, incident.kind, incident.state, incident.answer) == ("tags", "lost", "healed", "heal")
    assert "not as usual in /city, /sport" in incident.diagnosis
    assert noticed_after(incident) <= 20
    assert scene.lost == []
    assert scene.wrong_titles == scene.poor_texts == scene.wrong_days == scene.wrong_tags == {}


# What is no redesign


def check_untouched(scene: Scene) -> None:
    """The map is as it was, and nothing waits."""
    assert scene.makers == ["learned"]
    assert scene.proposals == []
    assert not any("repairing" in line for line in scene.said)


def test_a_paywall(scene: Scene) -> None:
    box = '<div class="gate"><h3>Read on</h3><p>Subscribe to read the whole story.</p><a href="/about/">Subscribe</a></div>'

    def cut(_: Story, html: str) -> str:
        return re.sub(
            r'(<div class="story__body">\n.*?</p>).*?(\n</div>\n<div class="tags">)',
            rf"\1{box}\2",
            html,
            flags=re.DOTALL,
        )

    scene.paper.design = rewritten("paywall", cut)
    scene.collect_until(lambda: bool(scene.incidents), hours=3)
    scene.collect(hours=1)
    (incident,) = scene.incidents
    assert (incident.field, incident.kind, incident.state, incident.answer) == ("text", "shorter", "open", "incident")
    assert "texts are cut short" in incident.diagnosis
    check_untouched(scene)
    assert scene.lost == []
    assert scene.wrong_titles == {}


CONSENT = """<!DOCTYPE html><html lang="en"><head><title>Your privacy</title></head><body><div class="dialog">
<h1>We value your privacy</h1><p>We and our partners use cookies to show you news. Do you consent?</p>
<button>Accept all</button> <button>Reject all</button></div></body></html>"""


def test_a_consent_page(scene: Scene) -> None:
    """First it stands in the place of stories, then in that of everything."""
    paper = scene.paper
    paper.answer = lambda path: Reply(CONSENT) if paper.is_story(path) else paper.good(path)
    scene.collect_until(lambda: bool(scene.incidents), hours=1)
    paper.answer = lambda path: paper.good(path) if path == "/robots.txt" else Reply(CONSENT)
    scene.collect(minutes=30)
    (incident,) = scene.incidents
    assert (incident.kind, incident.state, incident.answer) == ("walled", "open", "incident")
    assert noticed_after(incident) <= 5
    assert len(scene.lost) >= 4

    paper.answer = paper.good
    scene.collect_until(lambda: not scene.open_incidents, hours=3)
    came = scene.paper.expected.keys()
    scene.clock.move(days=1)  # walls are not asked sooner
    scene.collect(minutes=15)
    assert [incident.state for incident in scene.incidents] == ["over"]
    check_untouched(scene)
    assert came.isdisjoint(scene.lost)
    assert scene.wrong_titles == scene.poor_texts == {}


def hang_up(_: str) -> Reply:
    raise ConnectionResetError


@pytest.mark.parametrize("answer", [lambda _: Reply("out of order", 503), hang_up], ids=["503", "no answer"])
def test_a_site_that_is_down(scene: Scene, monkeypatch: pytest.MonkeyPatch, answer: Callable[[str], Reply]) -> None:
    monkeypatch.setattr(retry, "_FIRST_PAUSE", 0.01)
    scene.paper.answer = answer
    scene.collect_until(lambda: bool(scene.incidents), step=timedelta(minutes=5), hours=2)
    (incident,) = scene.incidents
    assert (incident.kind, incident.state, incident.answer) == ("failing", "open", "wait")
    scene.paper.answer = scene.paper.good
    scene.collect_until(lambda: not scene.open_incidents, hours=3)
    assert [incident.state for incident in scene.incidents] == ["over"]
    check_untouched(scene)
    assert scene.lost == []
    assert scene.wrong_titles == scene.poor_texts == {}


ERROR = """<!DOCTYPE html><html lang="en"><head><title>Something went wrong</title></head><body>
<h1>Something went wrong</h1><p>We are sorry: this page cannot be shown right now. Please try again later.</p>
</body></html>"""


def test_an_error_page_in_the_place_of_stories(scene: Scene) -> None:
    paper = scene.paper
    paper.answer = lambda path: Reply(ERROR) if paper.is_story(path) else paper.good(path)
    scene.collect_until(lambda: bool(scene.incidents), hours=2)
    (incident,) = scene.incidents
    assert incident.kind in {"refused", "handed over"}, "known articles are asked for again, and look the same"
    assert (incident.state, incident.answer) == ("open", "wait")
    assert "pages are all alike" in incident.diagnosis
    assert noticed_after(incident) <= 20
    paper.answer = paper.good
    scene.collect_until(lambda: not scene.open_incidents, hours=3)
    scene.collect(minutes=30)
    assert [incident.state for incident in scene.incidents] == ["over"]
    check_untouched(scene)
    assert scene.lost == []
    assert scene.wrong_titles == scene.poor_texts == {}


# What a person wrote


def test_a_rule_of_a_person(scene: Scene, command: Command) -> None:
    """It is not repaired without being asked; what is accepted can be taken back, and is not done again by itself."""
    titles = tuple(f"h1.{kind}__title" for kind in ("story", "gallery", "clip", "live"))
    put_rule(scene, command, Rule(field="title", select=titles))
    scene.paper.design = rewritten(
        "retitled", lambda _, html: re.sub(r"\b(story|gallery|clip|live)__title\b", r"\1__name", html)
    )
    scene.collect_until(lambda: bool(scene.proposals), hours=1)
    (incident,) = scene.incidents
    assert (incident.field, incident.kind, incident.state, incident.answer) == ("title", "lost", "waiting", "heal")
    assert noticed_after(incident) <= 5
    (proposal,) = scene.proposals
    (title,) = [field for field in proposal.fields if field.field == "title"]
    assert (title.changed, title.edited, title.sure) == (True, True, False)
    assert len(title.shown) >= 5
    scene.collect(minutes=30)
    assert {rule.select for _, rule in scene.rules("title")} == {titles}
    assert scene.wrong_titles == {}

    command("heal", scene.site, "--accept", pages=True)
    accepted = len(scene.versions)
    assert scene.makers[-1] == "person"
    assert [incident.state for incident in scene.incidents] == ["healed"]
    assert not any(is_tagged(stored, "title") for stored in scene.records_of(scene.incidents[0]))
    scene.collect(minutes=30)
    assert scene.wrong_titles == {}
    assert len(scene.versions) == accepted

    command("rollback", scene.site)
    assert scene.rules("title") == scene.rules("title", accepted - 2)
    scene.collect_until(lambda: bool(scene.proposals), hours=2)
    scene.collect(minutes=30)
    assert len(scene.versions) == accepted + 1
    assert {rule.select for _, rule in scene.rules("title")} == {titles}
    assert scene.lost == []
    assert scene.wrong_titles == {}


def put_rule(scene: Scene, command: Command, rule: Rule) -> None:
    """Have a person replace the rules of a field."""
    stored = scene.versions[-1]
    known = stored.parsed()
    templates = tuple(
        replace(template, rules=(rule, *(own for own in template.rules if own.field != rule.field)))
        for template in known.templates
    )
    file = scene.newsroom.folder / "edited.yaml"
    file.write_text(dump_map(replace(known, templates=templates), like=stored.text), "utf-8")
    command("map", "put", str(file))
