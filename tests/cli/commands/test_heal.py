"""`sitewright heal`: a repaired map that waits is shown, accepted, edited or rejected, or made at once."""

import asyncio
import json
import os
import re
import signal
import stat
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sitewright.actions import hold
from sitewright.cli import editing
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Incident, ProposedField, RecordQuery, ShownValue, StoredProposal, StoredSite
from sitewright.store.states import RepairNote, SiteState
from sitewright.types import Failure
from sitewright.watch.rereading import ALL, wanted_rereading, with_rereading

pytestmark = pytest.mark.slow

Call = Callable[..., Any]
NOTES = "notes.example"
MADE = datetime(2025, 5, 20, 9, tzinfo=UTC)
SINCE = datetime(2025, 5, 19, 8, 4, tzinfo=UTC)
STANDFIRST, KICKER = 'select: [".story__standfirst"]', 'select: [".kicker__link"]'


def a_field(**changes: Any) -> ProposedField:
    usual: dict[str, Any] = {
        "field": "subtitle",
        "confidence": 0.97,
        "before": 0.1,
        "tagger": 0.6,
        "judged": 8,
        "changed": True,
        "sure": True,
        "shown": (ShownValue("https://a.example/1", "Old", "New", remembered=True),),
    }
    return ProposedField(**(usual | changes))


def a_proposal(site: str, text: str, **changes: Any) -> StoredProposal:
    usual: dict[str, Any] = {
        "based_on": 1,
        "made_at": MADE,
        "fields": (a_field(), a_field(field="title", changed=False)),
        "reason": "subtitle: not as usual on nearly all pages",
        "since": SINCE,
    }
    return StoredProposal(site=site, text=text, **(usual | changes))


def an_incident(site: str, **changes: Any) -> Incident:
    usual: dict[str, Any] = {"template": "article", "field": "subtitle", "kind": "lost", "pages": 5, "answer": "heal"}
    return Incident(site=site, since=SINCE, opened_at=SINCE, **(usual | changes))


def lines(done: Any) -> list[str]:
    return [line.rstrip() for line in done.out.decode().splitlines()]


def state_of(store: Store, site: str) -> SiteState:
    found = store.site(site)
    assert found is not None
    return found.state


def states(store: Store, site: str) -> list[str]:
    return [proposal.state for proposal in store.proposals(site, waiting_only=False)]


def everything(store: Store, site: str) -> object:
    """Return all that a call could change."""
    proposals = store.proposals(site, waiting_only=False)
    return (
        store.map_versions(site),
        store.incidents(site, open_only=False),
        proposals,
        store.sites(),
        list(store.records()),
    )


@pytest.fixture
def repaired(newspaper: Any) -> str:
    """Return the newspaper's map with one rule of one template repaired."""
    text: str = newspaper.site.map_text
    return text.replace("version: 1", "version: 2").replace(STANDFIRST, KICKER)


@pytest.fixture
def waiting(store: Store, newspaper: Any, repaired: str) -> StoredProposal:
    """Have the repaired map wait."""
    return store.put_proposal(a_proposal(newspaper.name, repaired))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for sites that others hold."""
    monkeypatch.setattr(hold, "PATIENCE", 0.0)
    monkeypatch.setattr(hold, "_POLL_SECONDS", 0.01)


# What is shown


def test_what_waits_is_shown(call: Call, waiting: StoredProposal, newspaper: Any) -> None:
    done = call("heal", newspaper.name)
    shown = lines(done)
    assert (done.status, done.err) == (0, "")
    assert shown[0] == f"{newspaper.name}: a repaired map waits since 2025-05-20 09:00 UTC"
    assert shown[1] == "    reason    subtitle: not as usual on nearly all pages"
    assert shown[2].startswith("    repairs   version 1 (learned, ")
    assert shown[3] == "    since     2025-05-19 08:04 UTC: pages from then on are read once more"
    assert shown[5:9] == [
        "what changes in the map (1 change):",
        "~ article/subtitle#0",
        "    - {select: [.story__standfirst]}",
        "    + {select: [.kicker__link]}",
    ]
    assert shown[11].split("   ")[0] == "field"
    assert re.split(r"\s{2,}", shown[12]) == ["subtitle", "0.97", "0.60, the tagger", "8 pages", "yes"]
    assert shown[13] == "1 more field stays as before"
    assert shown[15:20] == [
        "values before and after:",
        "subtitle",
        "    https://a.example/1",
        "      - Old",
        "      + New",
    ]
    assert shown[21].startswith(f"sitewright heal {newspaper.name} --accept    stores it as version 2")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"edited": True}, "no: a person wrote its rules"),
        ({"lost": True, "confidence": 0.0}, "no: its values are no longer on the pages"),
        ({"judged": 2}, "no: seen on too few pages"),
        ({"judged": 0}, "the tagger's view   no: seen on too few pages"),
        ({"before": 0.99}, "0.99, the old rules   8 pages     no: the old rules are right more often"),
        ({}, "no: all pages share one value, which may be the template's"),
        ({"confidence": 0.8}, "no: below the set confidence"),
        ({"field": "index https://a.example/", "edited": True}, "8 known links   no: a person wrote its selectors"),
    ],
)
def test_why_a_field_waits(
    call: Call, store: Store, newspaper: Any, repaired: str, changes: dict[str, Any], told: str
) -> None:
    store.put_proposal(a_proposal(newspaper.name, repaired, fields=(a_field(**{"sure": False} | changes),)))
    done = call("heal", newspaper.name)
    assert re.sub(r" {3,}", " ", told) in re.sub(r" {3,}", " ", done.out.decode())


def test_values_are_shown_where_they_differ(call: Call, store: Store, newspaper: Any, repaired: str) -> None:
    common = "A" * 5_000
    shown = (
        ShownValue("https://a.example/1", f"{common} old", f"{common} new", remembered=True),
        ShownValue("https://a.example/2", "the same", "the same", remembered=True),
        ShownValue("https://a.example/3", "by rules", "", remembered=False),
        ShownValue("https://a.example/4", "", "[red]x\x1b[2J\nb[/red]", remembered=True),
        ShownValue("https://a.example/5", "", "", remembered=True),
        ShownValue("https://a.example/6", "", "too many", remembered=True),
    )
    store.put_proposal(
        a_proposal(newspaper.name, repaired, fields=(a_field(shown=shown),), reason="[bold]\x1b[1m", warnings=("a\nb",))
    )
    text = call("heal", newspaper.name).out.decode()
    assert f"      - …{'A' * 19} old\n      + …{'A' * 19} new\n" in text.replace("A" * 20, "A" * 19)
    assert "https://a.example/2\n      = the same\n" in text
    assert "      - by rules  (by the old rules, now)\n      + nothing\n" in text
    assert "      - nothing\n      + [red]x\\x1b[2J b[/red]\n" in text
    assert "https://a.example/5\n      = nothing\n" in text
    assert "too many" not in text
    assert "reason    [bold]\\x1b[1m\n" in text
    assert "note      a b\n" in text
    assert "\x1b" not in text


def test_only_what_is_done_in_another_way_is_a_change(call: Call, store: Store, newspaper: Any, repaired: str) -> None:
    text = (
        repaired.replace("learned_at: ", "learned_at: 2025-05-20T09:00:00Z #")
        if "learned_at: " in repaired
        else repaired
    )
    supported = text.replace(
        'select: ["h1.story__title"]', 'select: ["h1.story__title"], support: {found: 7, sampled: 8}'
    )
    assert supported != repaired
    store.put_proposal(a_proposal(newspaper.name, supported))
    assert "what changes in the map (1 change):\n~ article/subtitle#0" in call("heal", newspaper.name).out.decode()


def test_as_json(call: Call, waiting: StoredProposal, newspaper: Any) -> None:
    row = json.loads(call("heal", newspaper.name, "--json").out)
    assert (row["site"], row["waiting"], row["number"], row["outdated"]) == (newspaper.name, True, 1, False)
    assert (row["based_on"], row["newest"], row["since"]) == (1, 1, "2025-05-19T08:04:00+00:00")
    assert row["changes"] == [
        {
            "path": "article/subtitle#0",
            "kind": "changed",
            "before": "{select: [.story__standfirst]}",
            "after": "{select: [.kicker__link]}",
        }
    ]
    assert row["fields"][0]["runner_up"] == {"confidence": 0.6, "by": "tagger"}
    assert row["fields"][0]["values"] == [
        {"url": "https://a.example/1", "before": "Old", "after": "New", "remembered": True}
    ]
    assert [field["doubt"] for field in row["fields"]] == [None, None]
    assert row["map"] == waiting.text


def test_nothing_waits(call: Call, store: Store, newspaper: Any) -> None:
    done = call("heal", NOTES)
    assert done.status == 0
    assert lines(done) == [
        f"no repaired map of {NOTES} waits; sitewright heal {NOTES} --now makes one, needed or not",
        "    none was ever needed",
    ]
    assert json.loads(call("heal", NOTES, "--json").out) == {
        "site": NOTES,
        "waiting": False,
        "number": None,
        "repairs": [],
        "earlier": [],
    }


def test_how_the_last_repairs_went(call: Call, store: Store, newspaper: Any, repaired: str) -> None:
    store.put_proposal(a_proposal(newspaper.name, repaired, reason="first"))
    store.decide_proposal(1, "rejected")
    store.save_map(repaired, "healed")
    shown = call("heal", newspaper.name).out.decode()
    assert re.search(r"UTC  version 2 was made by itself\n", shown)
    assert re.search(r"    2025-05-20 09:00 UTC  proposal 1, rejected \d{4}-\d\d-\d\d \d\d:\d\d UTC: first\n", shown)
    row = json.loads(call("heal", newspaper.name, "--json").out)
    assert [one["version"] for one in row["repairs"]] == [2]
    assert [one["state"] for one in row["earlier"]] == ["rejected"]


# Accepting


def test_accepting_stores_and_reads_again(call: Call, store: Store, waiting: StoredProposal, newspaper: Any) -> None:
    site = newspaper.name
    store.save_site_state(site, SiteState(seed=("/a",), repair=RepairNote(refused=3, tries=1)))
    for changes in (
        {},
        {"field": "title"},
        {"template": "video"},
        {"field": "", "kind": "handed over"},
        {"template": "", "field": "", "kind": "unlisted"},
    ):
        store.put_incident(an_incident(site, **changes))
    done = call("heal", site, "--accept")
    assert done.status == 0
    assert f"{site}: stored as version 2; 2 incidents healed\n" in done.err
    stored = store.load_map(site)
    assert stored is not None
    assert (stored.version, stored.made_by) == (2, "person")
    assert not any(rule.edited for rule in stored.parsed().rules)
    assert {incident.number: incident.state for incident in store.incidents(site, open_only=False)} == {
        1: "healed",
        2: "open",
        3: "open",
        4: "healed",
        5: "open",
    }
    assert states(store, site) == ["accepted"]
    versions = [record.record.map_version for record in store.records(RecordQuery(site=site))]
    assert sorted(map(int, filter(None, versions))) == [1] * 3 + [2] * 9
    assert "map version 2:" in done.err
    assert lines(done)[0].startswith("field")
    assert state_of(store, site) == SiteState(seed=("/a",), repair=RepairNote(tries=1))


def test_accepting_for_later(call: Call, store: Store, waiting: StoredProposal, newspaper: Any) -> None:
    before = list(store.records())
    done = call("heal", newspaper.name, "--accept", "--no-re-extract", "--pages", "not-there")
    assert done.status == 0
    assert done.err == (
        f"{newspaper.name}: stored as version 2\n"
        "pages since 2025-05-19 08:04 UTC are read once more with the next visit, or at once with: "
        f"sitewright re-extract {newspaper.name} --since 2025-05-19\n"
    )
    assert list(store.records()) == before
    wanted = wanted_rereading(state_of(store, newspaper.name))
    assert wanted is not None
    assert wanted.since == {"subtitle": SINCE}


def test_what_was_to_be_read_before_is_read_with_it(
    call: Call, store: Store, waiting: StoredProposal, newspaper: Any
) -> None:
    earlier = SINCE - timedelta(days=9)
    store.save_site_state(newspaper.name, with_rereading(SiteState(), {ALL: earlier}))
    assert call("heal", newspaper.name, "--accept").status == 0
    assert {record.record.map_version for record in store.records(RecordQuery(site=newspaper.name))} == {2}
    assert wanted_rereading(state_of(store, newspaper.name)) is None


def test_a_proposal_without_a_beginning(call: Call, store: Store, newspaper: Any, repaired: str) -> None:
    store.put_proposal(a_proposal(newspaper.name, repaired, since=None))
    done = call("heal", newspaper.name, "--accept")
    assert done.status == 0
    assert "7 records would get worse and stay as before" in done.err


def test_new_templates_and_index_pages(call: Call, store: Store, newspaper: Any, repaired: str) -> None:
    front, latest = (page.url for page in store.index_pages(newspaper.name))
    text = repaired.replace(f'"{latest}"', f'"{front}sport/"').replace(
        "templates:\n", "templates:\n  - name: other\n    probe: .other\n    rules:\n      text: {select: [p]}\n", 1
    )
    store.put_proposal(a_proposal(newspaper.name, text))
    for changes in (
        {"field": "text"},
        {"template": "", "field": "", "kind": "unlisted"},
        {"field": "", "kind": "walled"},
    ):
        store.put_incident(an_incident(newspaper.name, **changes))
    assert call("heal", newspaper.name, "--accept", "--no-re-extract").status == 0
    assert [incident.kind for incident in store.incidents(newspaper.name)] == ["walled"]
    assert {page.url for page in store.index_pages(newspaper.name)} == {front, f"{front}sport/"}


def test_pages_that_cannot_be_read_are_told(call: Call, store: Store, waiting: StoredProposal, newspaper: Any) -> None:
    for file in Path("sitewright-pages").iterdir():
        file.unlink()
    done = call("heal", newspaper.name, "--accept")
    assert done.status == 1
    assert "not read: " in done.err
    assert wanted_rereading(state_of(store, newspaper.name)) is None


@pytest.mark.parametrize("option", ["--accept", "--edit"])
def test_an_outdated_proposal_is_not_stored(
    call: Call, store: Store, newspaper: Any, repaired: str, option: str
) -> None:
    store.save_map(newspaper.site.map_text.replace("h1.story__title", "h1"), "person")
    store.put_proposal(a_proposal(newspaper.name, repaired))
    before = everything(store, newspaper.name)
    done = call("heal", newspaper.name, option)
    told = (
        f"the repaired map of {newspaper.name} is outdated: it repairs version 1, and version 2 is there now; "
        f"sitewright heal {newspaper.name} --now makes a new one\n"
    )
    assert (done.status, done.err) == (2, f"error[input_error]: {told}")
    assert everything(store, newspaper.name) == before
    shown = call("heal", newspaper.name)
    assert shown.status == 0
    assert shown.out.decode().endswith(told)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([NOTES, "--accept"], f"no repaired map of {NOTES} waits; sitewright heal {NOTES} --now makes one"),
        ([NOTES, "--edit"], f"no repaired map of {NOTES} waits"),
        ([NOTES, "--reject"], f"no repaired map of {NOTES} waits"),
        (["new.example"], "new.example has no map yet"),
        (["new.example", "--now"], "new.example has no map yet"),
        (["nowhere.example"], "there is no site nowhere.example in the store; there are new.example, notes.example"),
        ([NOTES, "--accept", "--reject"], "--accept and --reject do not go together; give one of them"),
        ([NOTES, "--accept", "--now"], "--accept and --now do not go together; give one of them"),
        ([NOTES, "--accept", "--json"], "--json shows a repaired map; it does not go with --accept"),
        (["the-daily-lantern.example", "--accept", "--pages", "x"], "there is no folder x with the pages of the store"),
        (["the-daily-lantern.example", "--accept"], "the-daily-lantern.example is held by collector:1"),
    ],
)
@pytest.mark.usefixtures("waiting", "impatient")
def test_what_cannot_be_done_is_told(call: Call, store: Store, newspaper: Any, arguments: list[str], told: str) -> None:
    store.add_site("new.example")
    store.lease_site("collector:1", newspaper.name, seconds=60)
    before = everything(store, newspaper.name)
    done = call("heal", *arguments)
    assert (done.status, done.out) == (2, b"")
    assert f"error[input_error]: {told}" in done.err
    assert everything(store, newspaper.name) == before


def test_a_store_that_is_not_there(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in ("heal", "rollback"):
        assert "there is no store sitewright.db; begin with: sitewright collect URL" in call(command, NOTES).err
    open_store("sqlite:///sitewright.db").close()
    for command in ("heal", "rollback"):
        assert "there is no site in the store yet; begin with: sitewright collect URL" in call(command, NOTES).err


# Rejecting


def test_rejecting(call: Call, store: Store, waiting: StoredProposal, newspaper: Any) -> None:
    store.put_incident(an_incident(newspaper.name))
    done = call("heal", newspaper.name, "--reject")
    told = f"{newspaper.name}: rejected; version 1 stays, and its incidents stay open\n"
    assert (done.status, done.out, done.err) == (0, b"", told)
    assert states(store, newspaper.name) == ["rejected"]
    assert len(store.map_versions(newspaper.name)) == 1
    assert len(store.incidents(newspaper.name)) == 1
    assert call("heal", newspaper.name, "--reject").status == 2


# Editing


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return what makes $EDITOR do something to the text `t` of the file `p`."""
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr(editing.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)

    def does(code: str) -> None:
        script = tmp_path / "editor"
        script.write_text(
            f"#!{sys.executable}\nimport sys, pathlib\np = pathlib.Path(sys.argv[1])\nt = p.read_text()\n{code}\n"
        )
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("EDITOR", str(script))

    return does


def drafts() -> list[Path]:
    return list(Path.cwd().glob("*.map.yaml"))


def test_what_was_edited_is_stored(
    call: Call, store: Store, waiting: StoredProposal, newspaper: Any, editor: Any
) -> None:
    store.put_incident(an_incident(newspaper.name))
    editor("p.write_text(t.replace('h1.story__title', 'h1').replace('# not every', '# really not every'))")
    done = call("heal", newspaper.name, "--edit")
    assert done.status == 0
    assert "stored as version 2; 1 incident healed" in done.err
    stored = store.load_map(newspaper.name)
    assert stored is not None
    assert (stored.version, stored.made_by, stored.parsed().version) == (2, "person", 2)
    assert [rule.field for rule in stored.parsed().rules if rule.edited] == ["title"]
    assert "# really not every" in stored.text
    assert KICKER.removeprefix("select: ") in stored.text
    assert states(store, newspaper.name) == ["accepted"]
    assert wanted_rereading(state_of(store, newspaper.name)) is None
    assert drafts() == []


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        ("pass", (0, "nothing was changed, and nothing was stored; --accept takes the repaired map as it is")),
        ("p.write_text(t)", (0, "nothing was changed, and nothing was stored")),
        ("sys.exit(1)", (1, "Editing failed; nothing was stored")),
    ],
)
def test_nothing_is_stored_where_nothing_was_edited(
    call: Call, store: Store, waiting: StoredProposal, editor: Any, code: str, ended: tuple[int, str]
) -> None:
    editor(code)
    before = everything(store, waiting.site)
    done = call("heal", waiting.site, "--edit")
    status, told = ended
    assert (done.status, done.out) == (status, b"")
    assert told in done.err
    assert everything(store, waiting.site) == before
    assert drafts() == []


def test_an_editor_that_is_not_there(
    call: Call, store: Store, waiting: StoredProposal, newspaper: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "/nowhere/editor")
    done = call("heal", newspaper.name, "--edit")
    assert done.status == 1
    assert "/nowhere/editor: Editing failed" in done.err
    assert done.err.endswith("; nothing was stored\n")


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("p.write_text(t.replace('select:', 'selekt:', 1))", "error[map_invalid]: "),
        ("p.write_text('a: [')", "error[map_syntax]: "),
        ("p.write_text(t.replace('.kicker__link', 'a['))", "error[map_invalid]: "),
        ("p.write_bytes(b'\\xff\\xfe')", "error["),
        (
            "p.write_text(t.replace('site: the-daily-lantern.example', 'site: notes.example'))",
            "error[input_error]: the edited map is of notes.example, not of the-daily-lantern.example",
        ),
        ("p.write_text('')", "error[map_"),
    ],
)
def test_what_is_wrong_is_told_and_not_lost(
    call: Call, store: Store, waiting: StoredProposal, editor: Any, code: str, told: str
) -> None:
    editor(code)
    before = everything(store, waiting.site)
    done = call("heal", waiting.site, "--edit")
    assert done.status == 2
    assert told in done.err
    (draft,) = drafts()
    assert f"what you wrote is kept in {draft}\n" in done.err
    assert everything(store, waiting.site) == before


def test_on_a_terminal_it_can_be_edited_again(
    call: Call, store: Store, waiting: StoredProposal, editor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr(editing.click, "confirm", lambda text, **_: asked.append(text) or True)
    editor(
        "p.write_text(t.replace('selekt', 'select') if 'selekt' in t else t.replace('h1.story__title', 'h1').replace('select', 'selekt'))"
    )
    done = call("heal", waiting.site, "--edit", "--no-re-extract")
    assert done.status == 0
    assert asked == ["Edit it again?"]
    assert "error[map_invalid]: " in done.err
    assert len(store.map_versions(waiting.site)) == 2
    assert drafts() == []


def test_what_was_edited_is_not_lost_when_another_decided_meanwhile(
    call: Call, store: Store, waiting: StoredProposal, editor: Any
) -> None:
    editor(
        "p.write_text(t.replace('h1.story__title', 'h1'))\n"
        "from sitewright.store.database import open_store\n"
        "with open_store('sqlite:///sitewright.db') as store: store.decide_proposal(1, 'rejected')"
    )
    done = call("heal", waiting.site, "--edit")
    assert done.status == 2
    assert f"no repaired map of {waiting.site} waits" in done.err
    assert f"what you wrote is kept in {drafts()[0]}\n" in done.err
    assert len(store.map_versions(waiting.site)) == 1


# At once


class FakeHealer:
    """Stands in for what fetches known articles again."""

    def __init__(self, outcome: StoredProposal | Failure) -> None:
        self.outcome = outcome
        self.held_by: str | None = None

    async def __call__(self, tools: Any, site: StoredSite) -> StoredProposal | Failure:
        found = await tools.store_thread.ask(lambda store: store.site(site.name))
        self.held_by = found.lease_owner
        if isinstance(self.outcome, Failure) or not any(field.changed for field in self.outcome.fields):
            return self.outcome
        proposal = self.outcome
        stored: StoredProposal = await tools.store_thread.ask(lambda store: store.put_proposal(proposal))
        return stored


@pytest.fixture
def healer(monkeypatch: pytest.MonkeyPatch) -> Callable[[StoredProposal | Failure], FakeHealer]:
    def gives(outcome: StoredProposal | Failure) -> FakeHealer:
        fake = FakeHealer(outcome)
        monkeypatch.setattr("sitewright.actions.make_proposal.propose_now", fake)
        return fake

    return gives


def test_a_proposal_is_made_at_once(call: Call, store: Store, newspaper: Any, repaired: str, healer: Any) -> None:
    fake = healer(a_proposal(newspaper.name, repaired, reason=""))
    done = call("heal", newspaper.name, "--now")
    assert (done.status, done.err) == (0, "")
    assert fake.held_by
    assert "    reason    it was asked for\n" in done.out.decode()
    assert "~ article/subtitle#0\n" in done.out.decode()
    assert [proposal.number for proposal in store.proposals(newspaper.name)] == [1]
    site = store.site(newspaper.name)
    assert site is not None
    assert site.lease_owner is None
    assert json.loads(call("heal", newspaper.name, "--now", "--json").out)["number"] == 2


def test_nothing_needs_to_be_repaired(call: Call, store: Store, newspaper: Any, healer: Any) -> None:
    same = newspaper.site.map_text.replace("version: 1", "version: 2")
    healer(a_proposal(newspaper.name, same, fields=(a_field(changed=False),)))
    done = call("heal", newspaper.name, "--now")
    told = f"{newspaper.name}: nothing needs to be repaired: version 1 of the map reads its pages\n"
    assert (done.status, done.out.decode()) == (0, told)
    row = json.loads(call("heal", newspaper.name, "--now", "--json").out)
    assert (row["waiting"], row["number"], row["changes"]) == (False, None, [])
    assert store.proposals(newspaper.name, waiting_only=False) == []


def test_a_repair_that_fails(call: Call, store: Store, newspaper: Any, healer: Any) -> None:
    healer(Failure("https://x.example/", "heal", "no_articles", "no known article can be fetched again"))
    before = everything(store, newspaper.name)
    done = call("heal", newspaper.name, "--now")
    assert (done.status, done.out) == (1, b"")
    assert done.err == (
        f"error[no_articles]: {newspaper.name}: no repaired map could be made: no known article can be fetched again\n"
    )
    assert everything(store, newspaper.name) == before


def test_an_interrupted_repair(call: Call, store: Store, newspaper: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def waits(tools: Any, site: StoredSite) -> Failure:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(60)
        raise AssertionError

    monkeypatch.setattr("sitewright.actions.make_proposal.propose_now", waits)
    done = call("heal", newspaper.name, "--now")
    assert (done.status, done.err) == (130, f"{newspaper.name}: interrupted; nothing was stored\n")
    site = store.site(newspaper.name)
    assert site is not None
    assert site.lease_owner is None
