"""A repaired map is made at once, with the site held as long as that takes."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from sitewright.actions import make_proposal as making
from sitewright.actions.hold import held
from sitewright.actions.make_proposal import make_proposal
from sitewright.actions.sites import known_sites
from sitewright.store.database import Store
from sitewright.store.entries import StoredSite
from sitewright.types import Failure
from sitewright.watch.collector import CollectorOptions

NOTES = "notes.example"


def test_the_hold_is_looked_after_until_it_is_made(store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    why = Failure("https://notes.example/", "heal", "no_stable_rule", "nothing found")
    renewed: list[bool] = []

    async def propose(tools: Any, site: StoredSite) -> Failure:
        tools.say(site.name, "looking")
        while len(renewed) < 3:
            await asyncio.sleep(0.001)
        return why

    monkeypatch.setattr(making, "propose_now", propose)
    monkeypatch.setattr(making, "_SIGN_OF_LIFE", 0.01)
    options = CollectorOptions(store=f"sqlite:///{folder}/sitewright.db", pages=str(folder / "sitewright-pages"))
    said: list[tuple[str, str]] = []
    with held(store, NOTES) as hold:
        monkeypatch.setattr(hold, "renew", lambda: renewed.append(True))
        (site,) = known_sites(store, [NOTES])
        assert asyncio.run(make_proposal(options, hold, site, lambda *line: said.append(line))) == why
    assert said == [(NOTES, "looking")]
