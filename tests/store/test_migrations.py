"""Tables are made, brought up to date, and refused where they are not ours or from the future."""

import subprocess
import sys
import zipfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from sitewright.errors import StoreError
from sitewright.store.database import open_store
from sitewright.store.engine import make_engine, writing
from sitewright.store.migrations import scripts, upgrade
from sitewright.store.schema import REVISION, VERSION_TABLE, metadata
from sitewright.store.statements import signature_of
from sitewright.store.states import SiteState, SourceState
from sitewright.types import Page

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
    return list(compare_metadata(context, metadata))


def test_migrations_are_one_line_that_ends_with_the_revision_of_the_schema() -> None:
    revisions = [script.revision for script in scripts().walk_revisions()]
    assert len(revisions) == len(list(Path(scripts().versions).glob("r*.py")))
    assert scripts().get_heads() == [REVISION]


def test_an_empty_database_gets_the_tables_of_the_schema(url: str) -> None:
    open_store(url).close()
    engine = make_engine(url, 5)
    with engine.begin() as connection:
        assert differences(connection) == []
        assert connection.execute(text("SELECT version_num FROM sitewright_version")).scalars().all() == [REVISION]
    engine.dispose()


def test_tables_of_the_first_revision_are_brought_up_to_date_with_what_is_in_them(url: str) -> None:
    engine = make_engine(url, 5)
    with writing(engine) as connection:
        upgrade(connection, "0001")
        assert not inspect(connection).has_table("hosts")
        connection.execute(text("INSERT INTO sites VALUES (1, 'example.com', '', 'news', '2024-05-06 07:08:09')"))
        connection.execute(text("INSERT INTO seen_links VALUES (1, 77, '2024-05-06 07:08:09', NULL)"))
    with open_store(url) as store:
        assert [site.name for site in store.sites()] == ["example.com"]
        assert store.count_seen("example.com") == 0
    with engine.begin() as connection:
        assert differences(connection) == []
    engine.dispose()


SECOND = [
    "INSERT INTO sites VALUES (1, 'example.com', '', 'news', :then), (2, 'b.example', '', 'news', :then)",
    "INSERT INTO maps VALUES (1, 1, 'person', :then, 'sitewright: 1')",
    """INSERT INTO index_pages VALUES
        (1, 1, 'https://example.com/', 'page', 3, 60.0, :then, :later, 'e', 'm', '{"rate": 2}', 'a', :later),
        (2, 1, 'https://example.com/feed', 'feed', 1, 60.0, NULL, :then, '', '', '{}', NULL, NULL)""",
    "INSERT INTO seen_links VALUES (1, 77, :then, :then, NULL, NULL), (1, 78, :then, NULL, 'a', :later)",
    """INSERT INTO pages VALUES
        ('a.warc.gz', 0, 9, 'sha1:', 1, 77, 'http://example.com/one', 200, :then),
        ('a.warc.gz', 9, 9, 'sha1:', 1, 79, 'http://example.com/none', 200, :then)""",
    """INSERT INTO records VALUES
        (7, 1, '0123456789abcdef', 'http://example.com/one',
        '["http://example.com/one", "http://example.com/one?page=2"]', 'news', 'en', NULL, 'article', '', 1,
        '{}', '{}', '{}', '2024-05-06', :then, NULL, :later, 'a.warc.gz', 0)""",
    """INSERT INTO failures VALUES
        (1, 81, 'fetch', 'https://example.com/two', 'b', '', :then, :later, 2),
        (1, 80, 'fetch', 'http://example.com/two', 'a', '', :then, :then, 1)""",
    "INSERT INTO hosts VALUES ('example.com', :then)",
]
"""One of everything, as the second revision kept it."""
TIMES = {"then": "2024-05-06 07:08:09.000000", "later": "2024-05-06 08:08:09.000000"}


def test_tables_of_the_second_revision_are_brought_up_to_date_with_what_is_in_them(url: str) -> None:
    engine = make_engine(url, 5)
    with writing(engine) as connection:
        upgrade(connection, "0002")
        for statement in SECOND:
            connection.execute(text(statement), TIMES)
    then, later = (datetime.fromisoformat(f"{time}+00:00") for time in TIMES.values())
    with open_store(url) as store:
        assert [(site.name, site.next_due, site.state) for site in store.sites()] == [
            ("b.example", None, SiteState()),
            ("example.com", then, SiteState()),
        ]
        first, second = store.index_pages("example.com")
        assert (first.next_due, first.last_fetched, first.state) == (later, then, SourceState(pace={"rate": 2}))
        assert (second.kind, second.next_due) == ("feed", then)
        urls = [f"https://example.com/{name}" for name in ("one/", "one?page=2", "two", "none")]
        assert store.known_links("example.com", urls) == set(urls[:2])
        assert store.count_seen("example.com") == 2
        assert len(list(store.pages("example.com"))) == 2
        assert [(one.failure.code, one.times) for one in store.failures("example.com")] == [("b", 2)]
        (record,) = store.records()
        page = Page(url="http://www.example.com/two", body=b"")
        store.commit_page(replace(record.record, urls=(page.url,)), page)
        assert store.failures("example.com") == []
    with engine.begin() as connection:
        assert differences(connection) == []
        signed = connection.execute(text("SELECT signature FROM pages ORDER BY warc_offset")).scalars().all()
        assert signed == [signature_of(urls[0]), signature_of(urls[3])]
    engine.dispose()


def test_opening_again_changes_nothing(url: str) -> None:
    with open_store(url) as store:
        store.add_site("example.com")
    with open_store(url) as store:
        assert [site.name for site in store.sites()] == ["example.com"]


def test_a_store_of_a_newer_version_is_refused(url: str) -> None:
    open_store(url).close()
    engine = make_engine(url, 5)
    with writing(engine) as connection:
        connection.execute(text("UPDATE sitewright_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreError, match=r"newer version of Sitewright wrote it \(tables 9999.*update Sitewright"):
        open_store(url)


def test_tables_of_something_else_are_refused_and_left_alone(url: str) -> None:
    engine = make_engine(url, 5)
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE records (a INTEGER)"))
    with pytest.raises(StoreError, match=r"tables of something else \(records\)"):
        open_store(url)
    with engine.begin() as connection:
        assert inspect(connection).get_table_names() == ["records"]
    engine.dispose()


def test_a_migration_that_fails_leaves_the_tables_as_they_were(url: str) -> None:
    engine = make_engine(url, 5)
    with writing(engine) as connection:
        upgrade(connection, "0001")
        connection.execute(text("CREATE TABLE hosts (a INTEGER)"))
    with pytest.raises(StoreError, match="hosts"):
        open_store(url)
    with writing(engine) as connection:
        connection.execute(text("DROP TABLE hosts"))
    engine.dispose()
    open_store(url).close()


def test_several_processes_may_open_a_new_store_at_once(url: str) -> None:
    script = (
        "import sys; from sitewright.store.database import open_store; open_store(sys.argv[1]).add_site(sys.argv[2])"
    )
    running = [subprocess.Popen([sys.executable, "-c", script, url, f"{number}.example"]) for number in range(4)]
    assert [process.wait(600) for process in running] == [0] * 4
    with open_store(url) as store:
        assert len(store.sites()) == 4


def test_migrations_are_in_the_wheel(tmp_path: Path) -> None:
    builder = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed")
    built = next(iter(builder.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])))
    own = {path.name for path in Path(scripts().versions).glob("r*.py")}
    assert own == {Path(name).name for name in zipfile.ZipFile(built).namelist() if "/versions/r" in name}


def test_the_path_of_a_domain_has_any_length(url: str) -> None:
    engine = make_engine(url, 5)
    with writing(engine) as connection:
        upgrade(connection, "0005")
    engine.dispose()
    path = f"/{'sites/' * 20}bikes.yaml"
    with open_store(url) as store:
        store.add_site("bikes.example", domain=path)
        assert [site.domain for site in store.sites()] == [path]


def test_pictures_of_photo_sets_of_before_are_looked_up(url: str) -> None:
    engine = make_engine(url, 5)
    with writing(engine) as connection:
        upgrade(connection, "0040")
        connection.execute(
            text("INSERT INTO sites (id, name, url, domain, added_at) VALUES (1, 'example.com', '', 'news', :then)"),
            {"then": "2024-05-06 07:08:09"},
        )
        for name, photos in (("a", """[{"url": "https://example.com/harbour-1.jpg"}]"""), ("b", "[]")):
            row = {"name": name, "urls": f"""["https://example.com/{name}"]""", "photos": photos}
            connection.execute(
                text("""INSERT INTO photo_sets (site_id, id, urls, title, text, photos, stored_at)
                    VALUES (1, :name, :urls, '', '', :photos, '2024-05-06 07:08:09')"""),
                row,
            )
    engine.dispose()
    with open_store(url) as store:
        assert store.stories_showing("example.com", ["harbour-1"]) == ["https://example.com/a"]
