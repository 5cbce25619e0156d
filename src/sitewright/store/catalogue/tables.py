"""An engine in, the tables of the catalogue in its database out; those of another version are made anew."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Connection,
    Engine,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    inspect,
    select,
    text,
)

from sitewright.store.engine import is_sqlite, reading, writing
from sitewright.store.schema import MomentColumn, PlainText

_VERSION = 3
"""Of these tables; they are derived, so that no migration is needed."""
_NUMBER = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData()

cards = Table(
    "cards",
    metadata,
    Column("number", _NUMBER, primary_key=True, autoincrement=False),
    Column("words", _NUMBER, nullable=False, unique=True),
    Column("shown_at", MomentColumn, nullable=False),
    Column("stored_at", MomentColumn, nullable=False),
    Column("site", PlainText, nullable=False),
    Column("language", PlainText, nullable=False),
    Column("id", String(16), nullable=False),
    Column("url", PlainText, nullable=False),
    Column("domain", PlainText, nullable=False),
    Column("heading", PlainText, nullable=False),
    Column("summary", PlainText, nullable=False),
    Column("byline", JSON, nullable=False),
    Column("topics", JSON, nullable=False),
    Column("picture", PlainText, nullable=False),
    Column("pictures", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Index("cards_by_time", "shown_at", "number"),
    Index("cards_by_site", "site", "shown_at", "number"),
    Index("cards_by_language", "language", "shown_at", "number"),
)

card_topics = Table(
    "card_topics",
    metadata,
    Column("topic", PlainText, primary_key=True),
    Column("shown_at", MomentColumn, primary_key=True),
    Column("number", _NUMBER, primary_key=True, autoincrement=False),
    Index("card_topics_of_card", "number"),
    sqlite_with_rowid=False,
)

card_stories = Table(
    "card_stories",
    metadata,
    Column("number", _NUMBER, primary_key=True, autoincrement=False),
    Column("story", _NUMBER, nullable=False),
    Column("kind", PlainText, nullable=False),
    Column("score", Float, nullable=False),
    Index("card_stories_of_story", "story"),
)
"""Each card that was compared is of one story, which has the number of its first card."""

story_keys = Table(
    "story_keys",
    metadata,
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("number", _NUMBER, primary_key=True, autoincrement=False),
    Column("shown_at", MomentColumn, nullable=False),
    Index("story_keys_by_time", "shown_at"),
    sqlite_with_rowid=False,
)
"""By which a card is found that may tell the same."""

cards_state = Table(
    "cards_state",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("stored_at", MomentColumn),
    Column("number", _NUMBER, nullable=False),
    Column("note", Text, nullable=False),
)
"""How far the records are in the catalogue: up to this moment and number."""

_WORDS_SQLITE = (
    "CREATE VIRTUAL TABLE card_words USING fts5("
    "heading, rest, keys, content='', prefix='4 5 6 7 8', tokenize='unicode61 remove_diacritics 2')"
)
"""Beginnings of words have lists of their own: else a frequent one is put together of all cards first (measured: 134 ms
of 20,000 cards instead of .2), which takes three times the room."""
_WORDS_POSTGRES = (
    "CREATE TABLE card_words (rowid bigint PRIMARY KEY, words tsvector NOT NULL)",
    "CREATE INDEX card_words_found ON card_words USING gin (words)",
)


def prepare(engine: Engine) -> None:
    """Make the tables where they are not there, or are of another version."""
    with reading(engine) as connection:
        if inspect(connection).has_table("cards_state") and _version(connection) == _VERSION:
            return
    with writing(engine) as connection:
        connection.execute(text("DROP TABLE IF EXISTS card_words"))
        metadata.drop_all(connection)
        metadata.create_all(connection)
        for statement in (_WORDS_SQLITE,) if is_sqlite(connection) else _WORDS_POSTGRES:
            connection.execute(text(statement))
        connection.execute(cards_state.insert().values(version=_VERSION, number=0, note=""))


def _version(connection: Connection) -> int:
    return int(connection.execute(select(cards_state.c.version)).scalar() or 0)
