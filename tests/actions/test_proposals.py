"""A repaired map that waits is seen, rejected, or adopted as it is or edited."""

from datetime import UTC, datetime
from typing import Any

import pytest

from sitewright.actions.adopt import adopt, edited_text, note_reread
from sitewright.actions.proposals import find_offer, past_repairs, reject, waiting_offer
from sitewright.errors import InputError
from sitewright.store.database import Store
from sitewright.store.entries import Incident, ProposedField, StoredProposal
from sitewright.watch.rereading import wanted_rereading

pytestmark = pytest.mark.slow

SINCE = datetime(2025, 5, 19, 8, 4, tzinfo=UTC)


@pytest.fixture
def waiting(store: Store, newspaper: Any) -> StoredProposal:
    text = newspaper.site.map_text.replace(".story__standfirst", ".kicker__link")
    field = ProposedField(
        field="subtitle", confidence=0.97, before=0.1, tagger=0.6, judged=8, changed=True, sure=True, shown=()
    )
    return store.put_proposal(
        StoredProposal(site=newspaper.name, text=text, based_on=1, made_at=SINCE, fields=(field,), since=SINCE)
    )


def test_nothing_waits(store: Store, newspaper: Any) -> None:
    assert find_offer(store, newspaper.name) is None
    past = past_repairs(store, newspaper.name)
    assert (past.site, past.proposals, past.repairs) == (newspaper.name, [], [])
    for asked in (waiting_offer, reject, adopt):
        with pytest.raises(InputError, match="no repaired map"):
            asked(store, newspaper.name)


def test_what_waits_is_compared(store: Store, newspaper: Any, waiting: StoredProposal) -> None:
    offer = waiting_offer(store, newspaper.name)
    assert (offer.proposal.number, offer.before.version, offer.newest.version) == (waiting.number, 1, 1)
    assert [change.path for change in offer.changes] == ["article/subtitle#0"]
    assert [one.field for one in offer.changed] == ["subtitle"]
    assert not offer.is_outdated


def test_what_is_outdated_is_seen_but_not_adopted(store: Store, newspaper: Any) -> None:
    store.save_map(newspaper.site.map_text.replace("h1.story__title", "h1"), "person")
    store.put_proposal(StoredProposal(site=newspaper.name, text=newspaper.site.map_text, based_on=1, made_at=SINCE))
    offer = find_offer(store, newspaper.name)
    assert offer is not None
    assert offer.is_outdated
    with pytest.raises(InputError, match="outdated: it repairs version 1, and version 2 is there now"):
        adopt(store, newspaper.name)


def test_adopting_closes_incidents_and_wants_pages_read_again(
    store: Store, newspaper: Any, waiting: StoredProposal
) -> None:
    own = {"template": "article", "kind": "lost", "since": SINCE, "opened_at": SINCE}
    for field in ("subtitle", "title"):
        store.put_incident(Incident(site=newspaper.name, field=field, **own))
    done = adopt(store, newspaper.name, waiting.number)
    assert (done.stored.version, done.stored.made_by) == (2, "person")
    assert [incident.field for incident in done.healed] == ["subtitle"]
    assert [incident.field for incident in store.incidents(newspaper.name)] == ["title"]
    assert find_offer(store, newspaper.name) is None
    site = store.site(newspaper.name)
    assert site is not None
    assert wanted_rereading(site.state) == done.wanted
    note_reread(store, done)
    site = store.site(newspaper.name)
    assert site is not None
    assert wanted_rereading(site.state) is None


def test_another_than_the_one_that_was_seen_is_not_adopted(
    store: Store, newspaper: Any, waiting: StoredProposal
) -> None:
    with pytest.raises(InputError, match="another repaired map"):
        adopt(store, newspaper.name, 99)


def test_what_a_person_changed_is_marked(store: Store, newspaper: Any, waiting: StoredProposal) -> None:
    text = edited_text(waiting, waiting.text.replace("h1.story__title", "h1"))
    done = adopt(store, newspaper.name, waiting.number, text)
    edited = [rule.field for rule in done.stored.parsed().rules if rule.edited]
    assert edited == ["title"]
    with pytest.raises(InputError, match=r"is of a\.example"):
        edited_text(waiting, waiting.text.replace(f"site: {newspaper.name}", "site: a.example"))


def test_a_rejected_one_waits_no_longer(store: Store, newspaper: Any, waiting: StoredProposal) -> None:
    assert reject(store, newspaper.name).number == waiting.number
    assert find_offer(store, newspaper.name) is None
    assert [one.state for one in past_repairs(store, newspaper.name).proposals] == ["rejected"]
