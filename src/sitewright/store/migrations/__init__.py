"""A connection in, the tables of this version of Sitewright out, made anew or brought up from an earlier version."""

from collections.abc import Iterable
from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, MigrationStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from sitewright.store.schema import VERSION_TABLE, metadata


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run the migrations that lie between the database and a revision, in the transaction of the connection."""
    script = scripts()

    def steps(current: tuple[str, ...] | str, _: MigrationContext) -> Iterable[MigrationStep]:
        earlier = current or "base"
        found = script.iterate_revisions(revision, earlier)
        ordered = reversed([one for one in found if one.revision not in current])
        return [MigrationStep.upgrade_from_script(script.revision_map, one) for one in ordered]

    with EnvironmentContext(_config(), script, fn=steps) as environment:
        environment.configure(connection=connection, target_metadata=metadata, version_table=VERSION_TABLE)
        environment.run_migrations()


def scripts() -> ScriptDirectory:
    """Return the migrations that the package ships."""
    return ScriptDirectory.from_config(_config())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
