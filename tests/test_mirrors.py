"""Every module has a test file of its name in the folder of its name, or stands in one list with the reason why not."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "sitewright"

ELSEWHERE = {
    "__main__.py": "`e2e/test_start.py` starts it",
    "batch/desk.py": "`e2e/test_collect.py` and all that collects goes through its jobs; each has a test beside what it calls",
    "batch/heal_index.py": "`batch/test_heal.py` heals whole maps, index entries among them",
    "batch/places.py": "`batch/test_reread.py` reads pages from their places",
    "batch/processes.py": "`batch/test_pool.py` and `batch/test_workers.py` are its two users",
    "batch/proposal.py": "`batch/test_heal.py`: types, and how sure each field is",
    "batch/reading.py": "`batch/test_mapped.py`, `batch/test_observation.py` and `batch/test_links.py`, one for each thing read",
    "batch/rightness.py": "`batch/test_heal.py` judges values by it",
    "batch/shapes.py": "`batch/test_observation.py` tells the shapes of values",
    "cli/adoption.py": "`cli/test_heal.py` adopts maps as a person does",
    "cli/changes.py": "`cli/test_reextract.py` prints what changes",
    "cli/collect.py": "`e2e/test_collect.py` and `e2e/test_bad_sites.py`: it needs sites to collect",
    "cli/collected.py": "`e2e/test_collect.py` reads the table it prints",
    "cli/columns.py": "`cli/test_export.py` exports tables",
    "cli/demo.py": "`e2e/test_demo.py` runs it",
    "cli/demo_collect.py": "`e2e/test_demo_heal.py` runs the other demo of the same parts; this one shows only",
    "cli/demo_eras.py": "`e2e/test_demo_heal.py` checks its numbers against the store",
    "cli/demo_heal.py": "`e2e/test_demo_heal.py`",
    "cli/demo_healed.py": "`e2e/test_demo_heal.py` reads what it prints",
    "cli/demo_live.py": "`e2e/test_demo_heal.py` lives on its clock",
    "cli/editing.py": "`cli/test_heal.py` edits maps as a person does",
    "cli/effect.py": "`cli/test_maps.py` compares maps by their values",
    "cli/explained.py": "`cli/test_explain.py` reads what it prints",
    "cli/heal_now.py": "`cli/test_heal.py`: `heal --now`",
    "cli/hold.py": "`cli/test_heal.py`, `cli/test_reextract.py` and `cli/test_rollback.py` hold sites and are held off",
    "cli/incident_words.py": "`cli/test_incidents.py` reads what it prints",
    "cli/main.py": "`cli/test_help.py` for all commands, `e2e/test_start.py` for each as a process",
    "cli/map_changes.py": "`cli/test_maps.py` and `cli/test_rollback.py` read what it prints",
    "cli/next_steps.py": "`e2e/test_demo.py`: it prints commands to copy",
    "cli/plain.py": "`cli/test_incidents.py` has texts of strangers to print",
    "cli/progress.py": "`cli/test_extract.py` reads its last line, `e2e/test_links.py` sees it on a terminal",
    "cli/proposed.py": "`cli/test_heal.py` reads what it prints",
    "cli/reference.py": "`docs/test_completeness.py` compares what it writes with the page",
    "cli/site_health.py": "`cli/test_status.py` reads what it finds",
    "cli/sparkline.py": "`cli/test_incidents.py` reads what it draws",
    "cli/stored.py": "`cli/test_lookup.py` and the tests of all commands that open a store",
    "cli/tables.py": "`cli/test_status.py` and `cli/test_incidents.py` read its tables",
    "demo/agenda.py": "`demo/test_living.py`: when stories appear and go",
    "demo/bodies.py": "`demo/test_site.py`: a step of writing stories",
    "demo/cast.py": "`demo/test_words.py` fills every sentence of every language",
    "demo/catalogue.py": "`demo/test_site.py` asks for every page",
    "demo/data.py": "`demo/test_living.py`: the data of scripted papers",
    "demo/dates.py": "`demo/test_words.py` and `demo/test_site.py` read dates back",
    "demo/designs/": "`demo/test_designs.py` and `demo/test_site.py` read every page of every design: markup is right when its map reads it",
    "demo/feeds.py": "`demo/test_site.py`: feed and sitemap",
    "demo/loopback.py": "`demo/test_server.py` and `demo/test_living.py`: its two servers",
    "demo/newspaper.py": "`demo/test_site.py`: where everything is found",
    "demo/pages.py": "`demo/test_site.py` and `demo/test_living.py` read all pages",
    "demo/story.py": "types, filled by `demo/writing.py`",
    "demo/truth.py": "`demo/test_site.py`: every story has a truth",
    "demo/writing.py": "`demo/test_words.py` and `demo/test_site.py`",
    "errors.py": "`test_public_names.py`: its tree, its codes",
    "extract/take.py": "`extract/test_extractor.py` takes all that rules can take",
    "fetch/advertisers.py": "a list of hosts; `e2e/test_browser.py` sees that they are not loaded",
    "fetch/browser.py": "`e2e/test_browser.py` and `fetch/test_tricks.py`: it needs a browser",
    "fetch/browser_failures.py": "`e2e/test_browser.py` brings each failure about",
    "fetch/chromium.py": "`e2e/test_browser.py`: it needs a browser",
    "fetch/cookies.py": "`fetch/test_access.py` and `fetch/test_tricks.py`: a link of the chain that needs the others",
    "fetch/errand.py": "`fetch/test_access.py`: time that a page has left",
    "fetch/failures.py": "`fetch/test_access.py` brings each failure about",
    "fetch/handler.py": "`fetch/test_access.py`: it needs a server",
    "fetch/obedience.py": "`fetch/test_access.py`: robots.txt, asked for and obeyed",
    "fetch/pace.py": "`fetch/test_access.py`: turns of hosts",
    "fetch/page_cache.py": "`fetch/test_access.py`: the cache",
    "fetch/patience.py": "`fetch/test_access.py`: how long a busy server asks to wait",
    "fetch/processes.py": "`e2e/test_browser.py` counts the processes of browsers",
    "fetch/refresh.py": "`fetch/test_access.py`: redirects by markup",
    "fetch/retry.py": "`fetch/test_access.py`: who is busy is asked three times",
    "fetch/walls.py": "`e2e/test_redesigns.py`: paywalls and consent pages; doctests",
    "induce/affinity.py": "`induce/test_objective.py` weighs names",
    "induce/drafts.py": "types; `induce/test_candidates.py` makes them",
    "induce/sample.py": "`induce/test_candidates.py` and `induce/test_objective.py` try rules on pages",
    "links/feed_parts.py": "`links/test_feeds.py`: the elements of feeds",
    "links/observe.py": "`links/test_model.py` looks at its tables",
    "links/paging_signs.py": "`links/test_paging.py`",
    "links/paging_words.py": "words; `links/test_paging.py` checks the list",
    "links/reasons.py": "`links/test_judge.py` reads every reason",
    "maps/convert/": "`maps/test_convert.py` goes through the two functions of the folder, there and back, format by format",
    "maps/plain.py": "`maps/test_file.py`: maps to files and back",
    "parse/jsonld.py": "`parse/test_metadata.py` reads broken and whole JSON-LD",
    "store/engine.py": "`store/test_database.py`: addresses, locks, servers that go away",
    "store/entries.py": "types",
    "store/failures.py": "`store/test_database.py`: one of the store's groups of statements",
    "store/markdown.py": "`store/test_export.py` writes Markdown",
    "store/markup.py": "`store/test_report.py` has texts of strangers to show",
    "store/members.py": "`store/test_warc.py` cuts files anywhere",
    "store/migrations/": "`store/test_migrations.py` goes through all versions, up and down",
    "store/moments.py": "doctests; `store/test_proposals.py` stores moments",
    "store/photo_sets.py": "`store/test_database.py`: one of the store's groups of statements",
    "store/records.py": "`store/test_database.py`: one of the store's groups of statements",
    "store/rows.py": "`store/test_export.py` writes rows in all formats",
    "store/schedule.py": "`store/test_leases.py` and `store/test_frontier.py`: what is due",
    "store/schema.py": "`store/test_migrations.py` compares it with what migrations make",
    "store/sites.py": "`store/test_database.py`: one of the store's groups of statements",
    "store/statements.py": "`store/test_migrations.py` and `store/test_database.py`",
    "store/tables.py": "`store/test_migrations.py` opens stores of all versions",
    "store/warc_record.py": "`store/test_warc.py`: pages to records and back",
    "tag/features/": "`tag/test_features.py` looks at the whole row of a unit, which is what a network gets",
    "tag/images.py": "`tag/test_reader.py`: pictures of a story",
    "tag/readings.py": "`tag/test_candidates.py`: what a unit would give",
    "tag/scores.py": "types; `tag/test_decode.py` decodes them",
    "types.py": "types, with doctests",
    "values/captions.py": "`values/test_images.py`: caption and credit",
    "values/lists.py": "`values/test_values.py`: small parsers share a table",
    "values/months.py": "words; `values/test_dates.py` reads them",
    "values/parsers.py": "`values/test_values.py`: small parsers share a table",
    "values/prices.py": "`values/test_values.py`: small parsers share a table",
    "values/texts.py": "`values/test_values.py`: small parsers share a table",
    "values/urls.py": "`values/test_values.py`: small parsers share a table",
    "values/value.py": "`values/test_values.py`: small parsers share a table",
    "watch/contexts.py": "`watch/test_baselines.py`: a part of baselines",
    "watch/evidence.py": "`watch/test_baselines.py`: sequential tests",
    "watch/field_baseline.py": "`watch/test_baselines.py`: a part of baselines",
    "watch/keeper.py": "`watch/test_recorder.py`: the store's own thread",
    "watch/learner.py": "`watch/test_visit.py` and `e2e/test_collect.py` learn sites",
    "watch/rendering.py": "`e2e/test_collect.py`: it needs a browser",
    "watch/rhythm.py": "`watch/test_periods.py` and `watch/test_schedule.py`",
    "watch/signals.py": "types; `watch/test_baselines.py` gives them",
    "watch/streams.py": "`watch/test_baselines.py`: a part of baselines",
    "watch/template_baseline.py": "`watch/test_baselines.py`: a part of baselines",
    "watch/tools.py": "types",
}  # fmt: skip
"""Modules, or folders with all that is in them, that no test file mirrors; where their tests are, in backticks."""


def mirrored(module: str) -> Path:
    """Return the test file that a module should have."""
    path = Path(module)
    return TESTS / path.parent / f"test_{path.name}"


def modules() -> Iterator[str]:
    """Yield all modules but those that only name their folder."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.name != "__init__.py":
            yield path.relative_to(SOURCE).as_posix()


ALONE = [module for module in modules() if not mirrored(module).is_file()]


def reason_of(module: str) -> str:
    folders = [f"{folder.as_posix()}/" for folder in Path(module).parents]
    return next((ELSEWHERE[place] for place in (module, *folders) if place in ELSEWHERE), "")


def test_a_module_has_its_tests_or_a_reason() -> None:
    assert [module for module in ALONE if not reason_of(module)] == []


@pytest.mark.parametrize("place", ELSEWHERE)
def test_a_reason_is_needed_and_true(place: str) -> None:
    concerned = [module for module in ALONE if module == place or (place.endswith("/") and module.startswith(place))]
    assert concerned, "it is gone, or has its test file"
    assert [named for named in re.findall(r"`([^`\s]+\.py)`", ELSEWHERE[place]) if not is_there(named)] == []


def is_there(named: str) -> bool:
    return (TESTS / named).is_file() or (SOURCE / named).is_file()


def test_reasons_are_in_order() -> None:
    assert list(ELSEWHERE) == sorted(ELSEWHERE)
