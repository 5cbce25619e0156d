"""Every module has a test file of its name in the folder of its name, or stands in one list with the reason why not."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "sitewright"

ELSEWHERE = {
    "__main__.py": "`e2e/test_start.py` starts it",
    "actions/accounts.py": "`serve/security/test_entry.py` logs in, guesses, and sends tokens",
    "actions/adopt.py": "`cli/commands/test_heal.py` adopts maps as a person does",
    "actions/backup_store.py": "`cli/commands/test_store_backup.py`: copies, and interrupted ones",
    "actions/catalogues.py": "`serve/pages/test_front.py` reads what is kept up",
    "actions/changes.py": "`actions/test_extract_again.py` counts by it, `cli/commands/test_reextract.py` prints it",
    "actions/check_database.py": "`cli/commands/test_store_check.py` damages a store in every way",
    "actions/check_store.py": "`cli/commands/test_store_check.py` damages a store in every way",
    "actions/columns.py": "`actions/test_export.py` exports tables",
    "actions/edit_map.py": "`serve/pages/test_editor.py` asks for all that it does, as the editor does",
    "actions/export_clicks.py": "`cli/commands/test_clicks.py` writes days, `cli/commands/test_forget.py` takes readers out",
    "actions/find_lists.py": "`cli/commands/test_lists.py` finds lists as a person does",
    "actions/item_facts.py": "`cli/commands/test_recommend.py` names sections of items",
    "actions/judge_recommendations.py": "`cli/commands/test_recommend.py` judges methods, and draws charts",
    "actions/known_store.py": "`python/test_stores.py` opens stores that are there, and one that is not",
    "actions/learnings.py": "`serve/test_browser.py` learns a site from the console",
    "actions/manifest.py": "`cli/commands/test_export.py` checks every entry against the files",
    "actions/move_store.py": "`cli/commands/test_store_move.py`: there and back",
    "actions/preferences.py": "`serve/security/test_headers.py` shows pages as they are preferred",
    "actions/prices.py": "`cli/commands/test_prices.py` shows, compares and exports prices",
    "actions/prune_store.py": "`cli/commands/test_store_prune.py`: what is old, interrupted anywhere",
    "actions/read_cards.py": "`serve/pages/test_front.py` and `serve/pages/test_marks.py`: what is shown to whom",
    "actions/read_story.py": "`serve/pages/test_story.py` reads stories",
    "actions/recommend.py": "`cli/commands/test_recommend.py`: clicks, good and bad",
    "actions/remove_site.py": "`cli/commands/test_store_prune.py` and `actions/test_sites.py`",
    "actions/run_summary.py": "`e2e/test_collect.py` reads what `--summary` writes",
    "actions/show_page.py": "`serve/security/test_headers.py` shows stored pages",
    "actions/show_picture.py": "`serve/pages/test_pages.py` asks for pictures",
    "actions/site_report.py": "a doctest; `serve/pages/test_pages.py` shows sites",
    "actions/telling.py": "a type, and what hears nothing",
    "body/align.py": "`body/test_build.py` finds the lines of many texts on their pages",
    "body/inline.py": "`body/test_build.py`: links and emphasis",
    "body/pictures.py": "`body/test_build.py`: which picture stands where",
    "body/render.py": "`body/test_build.py` writes every body as Markdown, some as HTML",
    "body/runs.py": "`body/test_build.py`: what pages display",
    "body/tables.py": "`body/test_build.py`: tables of data, and of layout",
    "checking.py": "`maps/test_check.py` and `domains/test_load.py`: what both check files with",
    "cli/collecting.py": "`e2e/test_collect.py` and `e2e/test_bad_sites.py`: it needs sites to collect",
    "cli/commands/account.py": "`cli/commands/test_serve.py` makes accounts",
    "cli/commands/collect.py": "`e2e/test_collect.py` and `e2e/test_bad_sites.py`: it needs sites to collect",
    "cli/commands/demo.py": "`e2e/test_demo.py` runs it",
    "cli/commands/map_check.py": "`cli/commands/test_maps.py`",
    "cli/commands/map_convert.py": "`cli/commands/test_maps.py`",
    "cli/commands/map_diff.py": "`cli/commands/test_maps.py`",
    "cli/commands/map_get.py": "`cli/commands/test_map_put.py`: out of the store, and back into it",
    "cli/commands/map_show.py": "`cli/commands/test_maps.py`",
    "cli/commands/map_versions.py": "`cli/commands/test_map_put.py` lists what it has stored",
    "cli/commands/sites_export.py": "`cli/commands/test_sites_add.py`: out of the store, and back into it",
    "cli/commands/store.py": "a group; its commands have tests",
    "cli/commands/watch.py": "`e2e/test_several.py` and `e2e/test_outages.py`: it needs sites to watch",
    "cli/demo/": "`e2e/test_demo.py`, `e2e/test_demo_collect.py` and `e2e/test_demo_heal.py` run them, and check their numbers",
    "cli/domain_option.py": "`domains/test_made_up.py` names files, `cli/test_help.py` the others",
    "cli/editing.py": "`cli/commands/test_heal.py` edits maps as a person does",
    "cli/files.py": "`cli/commands/test_maps.py` reads and writes files",
    "cli/lazy_group.py": "`cli/test_help.py` asks for all commands",
    "cli/lists.py": "`cli/commands/test_sites_add.py` and `cli/test_mistakes.py` name lists, good and bad",
    "cli/main.py": "`cli/test_help.py` for all commands, `e2e/test_start.py` for each as a process",
    "cli/options.py": "the tests of all commands that open a store",
    "cli/reference.py": "`docs/test_completeness.py` compares what it writes with the page",
    "cli/run_options.py": "`e2e/test_collect.py`: they need something to run",
    "cli/show/": "the tests of the commands read what is printed",
    "cli/site_options.py": "`cli/commands/test_sites_add.py` names addresses and lists, good and bad",
    "cli/statuses.py": "numbers; the tests of the commands expect them",
    "cli/web_options.py": "`cli/test_mistakes.py` and `e2e/test_addresses.py` read from the web and from lists",
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
    "demo/shops/drawing.py": "`demo/shops/test_shop.py` asks for pages of all designs",
    "demo/shops/ecshop.py": "`demo/shops/test_shop.py` reads its pages, and goes down its lists",
    "demo/shops/goods.py": "doctests; `demo/shops/test_shop.py` holds pages to what is true of the products",
    "demo/shops/plain.py": "`demo/shops/test_shop.py` reads its pages, and goes down its lists",
    "demo/shops/scripted.py": "`e2e/test_shops.py` collects it with a browser",
    "demo/shops/served.py": "`e2e/test_shops.py` collects what it serves",
    "demo/story.py": "types, filled by `demo/writing.py`",
    "demo/truth.py": "`demo/test_site.py`: every story has a truth",
    "demo/writing.py": "`demo/test_words.py` and `demo/test_site.py`",
    "domains/check.py": "`domains/test_load.py` loads files with faults",
    "domains/kinds.py": "words, and how each kind is usually read; `domains/test_domain.py`",
    "errors.py": "`test_public_names.py`: its tree, its codes",
    "extract/take.py": "`extract/test_extractor.py` takes all that rules can take",
    "fetch/advertisers.py": "a list of hosts; `e2e/test_browser.py` sees that they are not loaded",
    "fetch/browser.py": "`e2e/test_browser.py` and `fetch/test_tricks.py`: it needs a browser",
    "fetch/browser_failures.py": "`e2e/test_browser.py` brings each failure about",
    "fetch/cookies.py": "`fetch/test_live_web.py` and `fetch/test_tricks.py`: a link of the chain that needs the others",
    "fetch/download.py": "`fetch/test_live_web.py`: it needs a server",
    "fetch/failures.py": "`fetch/test_live_web.py` brings each failure about",
    "fetch/host_pauses.py": "`fetch/test_live_web.py`: turns of hosts",
    "fetch/page_cache.py": "`fetch/test_live_web.py`: the cache",
    "fetch/process_tree.py": "`e2e/test_browser.py` counts the processes of browsers",
    "fetch/refresh.py": "`fetch/test_live_web.py`: redirects by markup",
    "fetch/retry.py": "`fetch/test_live_web.py`: who is busy is asked three times",
    "fetch/retry_after.py": "`fetch/test_live_web.py`: how long a busy server asks to wait",
    "fetch/robots_check.py": "`fetch/test_live_web.py`: robots.txt, asked for and obeyed",
    "fetch/site_headers.py": "`e2e/test_site_headers.py`: it needs a browser",
    "fetch/time_limit.py": "`fetch/test_live_web.py`: time that a page has left",
    "fetch/unpacking.py": "`fetch/test_page_fetcher.py`: compressed answers, and bombs",
    "fetch/user_agent.py": "`fetch/test_page_fetcher.py`: who we say we are",
    "fetch/walls.py": "`e2e/test_redesigns.py`: paywalls and consent pages; doctests",
    "fetch/web.py": "a protocol; `fetch/test_memory_web.py` and `fetch/test_live_web.py` test both implementations",
    "induce/affinity.py": "`induce/test_objective.py` weighs names",
    "induce/drafts.py": "types; `induce/test_candidates.py` makes them",
    "induce/sample.py": "`induce/test_candidates.py` and `induce/test_objective.py` try rules on pages",
    "links/feed_parts.py": "`links/test_feeds.py`: the elements of feeds",
    "links/observe.py": "`links/test_model.py` looks at its tables",
    "links/paging_signs.py": "`links/test_paging.py`",
    "links/paging_words.py": "words; `links/test_paging.py` checks the list",
    "links/reasons.py": "`links/test_judge.py` reads every reason",
    "maps/changes.py": "doctests; `actions/test_roll_back.py` and `cli/commands/test_rollback.py` read it",
    "maps/convert/": "`maps/test_convert.py` goes through the two functions of the folder, there and back, format by format",
    "maps/plain.py": "`maps/test_file.py`: maps to files and back",
    "notice/signals.py": "types; `notice/test_baselines.py` gives them",
    "output/csv_table.py": "`output/test_export.py` writes CSV to files, pipes and standard output",
    "output/feed_entry.py": "`output/test_feed.py`: what all feeds say of a record",
    "output/feed_head.py": "`output/test_feed.py`: what feeds say of themselves",
    "output/markdown.py": "`output/test_export.py` writes Markdown",
    "output/markdown_files.py": "`output/test_export.py` writes Markdown",
    "output/markup.py": "`output/test_report.py` has texts of strangers to show",
    "output/photos.py": "`output/test_feed.py` and `output/test_export.py` have pictures in every form",
    "output/rows.py": "`output/test_export.py` writes rows in all formats",
    "parse/jsonld.py": "`parse/test_metadata.py` reads broken and whole JSON-LD",
    "processes/lists.py": "`cli/commands/test_lists.py`: pages in workers, and those that fail",
    "processes/places.py": "`processes/test_reread.py` reads pages from their places",
    "processes/process.py": "`processes/test_pool.py` and `processes/test_workers.py` are its two users",
    "processes/readers.py": "`processes/test_here.py`, and `e2e/test_collect.py`: all that collects goes through it",
    "processes/report.py": "`reading/test_report.py` makes reports with it",
    "processes/spark.py": "`actions/test_extract_on_spark.py` reads pages on it, and kills an executor",
    "processes/tag.py": "`reading/test_learn.py` learns from what it tags",
    "processes/taggers.py": "`tag/test_markuplm.py` checks checkpoints",
    "processes/tasks.py": "`notice/test_observation.py` and `watch/test_visit.py`: items read for collectors",
    "processes/work.py": "`processes/test_extract.py`: what goes wrong with a page is its failure",
    "reading/index.py": "`processes/test_links.py` judges what its job has read",
    "reading/item.py": "`reading/test_mapped.py`, and `watch/test_visit.py` for pages that are no items",
    "reading/lists.py": "`cli/commands/test_lists.py`: the lists of pages with their fields",
    "reading/rendering.py": "`fetch/test_fingerprint.py` and `fetch/test_data_calls.py`: the two that it asks",
    "reading/samples.py": "`reading/test_learn.py` and `reading/test_refine.py` read samples",
    "reading/taggers.py": "`processes/test_extract.py` names taggers that are there and those that are not",
    "recommend/duck.py": "all tests of `recommend` compute with it",
    "recommend/engine.py": "a protocol; DuckDB and Spark are its implementations",
    "recommend/reasons.py": "doctest; `recommend/test_lists.py` reads them",
    "recommend/typed.py": "`recommend/test_clicklog.py` reads columns of all kinds",
    "serve/api/": "`serve/api/test_api.py` asks for everything",
    "serve/app.py": "`serve/conftest.py` opens services, all tests beside it ask them",
    "serve/article.py": "`serve/pages/test_story.py` reads stories, hostile ones too",
    "serve/charts.py": "doctests; `serve/pages/test_pages.py` shows charts",
    "serve/colours.py": "a doctest; `serve/security/test_headers.py` shows outlined pages",
    "serve/forms.py": "`serve/security/test_origins.py`: forms without their token",
    "serve/options.py": "doctests; `serve/security/test_origins.py` calls a service by all its names",
    "serve/pages/": "`serve/pages/test_pages.py` asks for every page",
    "serve/pictures.py": "`serve/pages/test_story.py` shows pictures",
    "serve/rendering.py": "doctests; every page is rendered by it",
    "serve/run.py": "`cli/commands/test_serve.py` starts it",
    "serve/security/visitor.py": "`serve/security/test_entry.py`: who may do what",
    "serve/service.py": "`serve/conftest.py` opens services",
    "serve/suggested.py": "doctests; `serve/pages/test_for_you.py` reads reasons, and goes on in lists",
    "serve/views.py": "doctests; `serve/pages/test_front.py` asks for views",
    "serve/workbenches.py": "`serve/pages/test_editor.py`: the newest version, and pages that were asked for",
    "store/agreement.py": "`cli/commands/test_store_check.py`: files and rows that do not agree",
    "store/archive_rows.py": "`cli/commands/test_store_check.py`: pages that are lost, found and moved",
    "store/catalogue/": "`store/test_catalogue.py` keeps one up and asks it",
    "store/catalogue/stories.py": "`actions/test_same_stories.py`: what is one card, and what is not",
    "store/compaction.py": "`cli/commands/test_store_prune.py`: interrupted anywhere",
    "store/engine.py": "`store/test_database.py`: addresses, locks, servers that go away",
    "store/entries.py": "types",
    "store/failures.py": "`store/test_database.py`: one of the store's groups of statements",
    "store/integrity.py": "`cli/commands/test_store_check.py`: rows, tables and indexes that are damaged",
    "store/migrations/": "`store/test_migrations.py` goes through all versions, up and down",
    "store/pages.py": "`processes/test_reread.py`: the newest page of each link",
    "store/parts.py": "`cli/commands/test_store_check.py` and `store/test_members.py`: damaged files",
    "store/people.py": "`serve/security/test_entry.py` and `serve/pages/test_marks.py`: what people do is kept",
    "store/photo_sets.py": "`store/test_database.py`: one of the store's groups of statements",
    "store/pictures.py": "`store/test_database.py`: one of the store's groups of statements",
    "store/records.py": "`store/test_database.py`: one of the store's groups of statements",
    "store/retention.py": "`cli/commands/test_store_prune.py`: what is old",
    "store/salvage.py": "`cli/commands/test_store_check.py`: damaged database files",
    "store/schedule.py": "`store/test_leases.py` and `store/test_frontier.py`: what is due",
    "store/schema.py": "`store/test_migrations.py` compares it with what migrations make",
    "store/sites.py": "`store/test_database.py`: one of the store's groups of statements",
    "store/statements.py": "`store/test_migrations.py` and `store/test_database.py`",
    "store/tables.py": "`store/test_migrations.py` opens stores of all versions",
    "store/transfer.py": "`cli/commands/test_store_move.py`: there and back",
    "store/warc_record.py": "`store/test_warc.py`: pages to records and back",
    "tag/features/": "`tag/test_features.py` looks at the whole row of a unit, which is what a network gets",
    "tag/images.py": "`tag/test_pictures.py`: pictures of a story",
    "tag/meanings/": "`tag/test_meanings.py` reads whole pages by word lists, labels, looks and places, as a shop's reader does",
    "tag/picture_judge.py": "`tag/test_pictures.py`: pictures of a story",
    "tag/readings.py": "`tag/test_candidates.py`: what a unit would give",
    "tag/scored_page.py": "`tag/test_candidates.py` and `tag/test_decode.py` read scored pages",
    "tag/scores.py": "types; `tag/test_decode.py` decodes them",
    "tag/signs.py": "`tag/test_candidates.py`: signs of candidates",
    "types.py": "types, with doctests",
    "values/caption_search.py": "`values/test_images.py`: caption and credit",
    "values/captions.py": "`values/test_images.py`: caption and credit",
    "values/lists.py": "`values/test_values.py`: small parsers share a table",
    "values/moments.py": "doctests; `store/test_proposals.py` stores moments",
    "values/months.py": "words; `values/test_dates.py` reads them",
    "values/parsers.py": "`values/test_values.py`: small parsers share a table",
    "values/prices.py": "`values/test_values.py`: small parsers share a table",
    "values/texts.py": "`values/test_values.py`: small parsers share a table",
    "values/urls.py": "`values/test_values.py`: small parsers share a table",
    "values/value.py": "`values/test_values.py`: small parsers share a table",
    "values/words.py": "doctests; `cli/commands/test_incidents.py` has texts of strangers to print",
    "vectors/characters.py": "`vectors/test_grams.py`: what grams are made of",
    "watch/events.py": "`watch/test_tally.py` and `watch/test_courier.py`: what is counted and told",
    "watch/held_state.py": "`watch/test_upkeep.py` holds states",
    "watch/items.py": "`watch/test_visit.py` collects items",
    "watch/picture_files.py": "`watch/test_pictures.py`: files of pictures, each once",
    "watch/rendering.py": "`e2e/test_collect.py`: it needs a browser",
    "watch/sources.py": "`watch/test_visit.py` looks at sources",
    "watch/store_thread.py": "`watch/test_recorder.py`: the store's own thread",
    "watch/timing/rhythm.py": "`watch/timing/test_periods.py` and `watch/timing/test_schedule.py`",
    "watch/tools.py": "types",
    "watch/trouble.py": "`watch/test_visit.py`: hosts that do not answer are left alone",
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
