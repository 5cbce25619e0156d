"""The tables of the store, the same for SQLite and PostgreSQL."""

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)

REVISION = "0041"
"""The newest migration; `migrations/versions` ends with it."""
VERSION_TABLE = "sitewright_version"
_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""Constraints have names of their own, so that migrations can speak of them."""


class MomentColumn(TypeDecorator[datetime]):
    """A moment, kept in UTC; one without a zone is taken to be in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Bring it to UTC; SQLite drops the zone then."""
        if value is None:
            return None
        moment = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return it in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class PlainText(TypeDecorator[str]):
    """Text of strangers; what no database keeps (NUL, half surrogates) is replaced."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Replace what cannot be kept."""
        return None if value is None else value.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


_NUMBER = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows by itself only in a column that is called INTEGER."""

_REFERENCE = Text().with_variant(String(40), "sqlite")
"""A name, or a path of any length; SQLite does not mind what it was called when the tables were made."""

metadata = MetaData(naming_convention=_NAMES)

sites = Table(
    "sites",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", PlainText, nullable=False, unique=True),
    Column("url", PlainText, nullable=False),
    Column("domain", _REFERENCE, nullable=False),
    Column("added_at", MomentColumn, nullable=False),
    Column("next_due", MomentColumn),
    Column("lease_owner", PlainText),
    Column("lease_until", MomentColumn),
    Column("state", JSON, nullable=False, server_default=text("'{}'")),
    Column("paused_at", MomentColumn),
    Index(None, "next_due"),
)
"""What may be long stands last: SQLite reads all that is before a column to get to it."""

maps = Table(
    "maps",
    metadata,
    Column("site_id", ForeignKey("sites.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("made_by", String(20), nullable=False),
    Column("made_at", MomentColumn, nullable=False),
    Column("text", PlainText, nullable=False),
)

index_pages = Table(
    "index_pages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("site_id", ForeignKey("sites.id"), nullable=False),
    Column("url", PlainText, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("weight", Integer, nullable=False),
    Column("period_seconds", Float, nullable=False),
    Column("last_fetched", MomentColumn),
    Column("next_due", MomentColumn, nullable=False),
    Column("etag", PlainText, nullable=False),
    Column("last_modified", PlainText, nullable=False),
    Column("state", JSON, nullable=False),
    UniqueConstraint("site_id", "url"),
)

seen_links = Table(
    "seen_links",
    metadata,
    Column("site_id", ForeignKey("sites.id"), primary_key=True),
    Column("signature", BigInteger, primary_key=True, autoincrement=False),
    Column("first_seen", MomentColumn, nullable=False),
    Column("stored_at", MomentColumn, nullable=False),
    sqlite_with_rowid=False,  # the key is all that is looked up: one tree instead of two
)

waiting_links = Table(
    "waiting_links",
    metadata,
    Column("site_id", ForeignKey("sites.id"), primary_key=True),
    Column("signature", BigInteger, primary_key=True, autoincrement=False),
    Column("url", PlainText, nullable=False),
    Column("source", PlainText, nullable=False),
    Column("found_at", MomentColumn, nullable=False),
    Column("due", MomentColumn, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("published", MomentColumn),
    Index(None, "site_id", "due", "signature"),
    sqlite_with_rowid=False,
)

pages = Table(
    "pages",
    metadata,
    Column("warc_file", String(200), primary_key=True),
    Column("warc_offset", BigInteger, primary_key=True, autoincrement=False),
    Column("warc_length", BigInteger, nullable=False),
    Column("digest", String(80), nullable=False),
    Column("site_id", ForeignKey("sites.id"), nullable=False),
    Column("signature", BigInteger, nullable=False),
    Column("url", PlainText, nullable=False),
    Column("status", Integer, nullable=False),
    Column("fetched_at", MomentColumn),
    Index(None, "site_id", "signature"),
)

records = Table(
    "records",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("site_id", ForeignKey("sites.id"), nullable=False),
    Column("id", String(16), nullable=False),
    Column("url", PlainText, nullable=False),
    Column("urls", JSON, nullable=False),
    Column("domain", _REFERENCE, nullable=False),
    Column("language", PlainText, nullable=False),
    Column("kind", String(20)),
    Column("template", PlainText, nullable=False),
    Column("via", String(20), nullable=False),
    Column("map_version", Integer),
    Column("fields", JSON, nullable=False),
    Column("confidence", JSON, nullable=False),
    Column("rules", JSON, nullable=False),
    Column("day", Date, nullable=False),
    Column("shown_at", MomentColumn, nullable=False),
    Column("extracted_at", MomentColumn),
    Column("stored_at", MomentColumn, nullable=False),
    Column("warc_file", String(200)),
    Column("warc_offset", BigInteger),
    Column("checksum", String(32)),
    ForeignKeyConstraint(["warc_file", "warc_offset"], ["pages.warc_file", "pages.warc_offset"]),
    UniqueConstraint("site_id", "id"),
    Index(None, "site_id", "shown_at"),
    Index(None, "shown_at"),
    Index(None, "stored_at"),
    Index(None, "warc_file", "warc_offset"),
)

photo_sets = Table(
    "photo_sets",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("site_id", ForeignKey("sites.id"), nullable=False),
    Column("id", String(16), nullable=False),
    Column("urls", JSON, nullable=False),
    Column("title", PlainText, nullable=False),
    Column("text", PlainText, nullable=False),
    Column("photos", JSON, nullable=False),
    Column("stored_at", MomentColumn, nullable=False),
    Column("version", Integer, nullable=False, server_default=text("1")),
    Column("left_out", JSON, nullable=False, server_default=text("'[]'")),
    UniqueConstraint("site_id", "id"),
)

photo_set_pictures = Table(
    "photo_set_pictures",
    metadata,
    Column("site_id", ForeignKey("sites.id"), primary_key=True),
    Column("signature", BigInteger, primary_key=True, autoincrement=False),
    Column("id", String(16), primary_key=True),
    ForeignKeyConstraint(["site_id", "id"], ["photo_sets.site_id", "photo_sets.id"], ondelete="CASCADE"),
    Index(None, "site_id", "id"),
)
"""In which photo sets a picture is, or would be if it were not left out."""

story_parts = Table(
    "story_parts",
    metadata,
    Column("site_id", ForeignKey("sites.id"), primary_key=True),
    Column("signature", BigInteger, primary_key=True, autoincrement=False),
    Column("url", PlainText, nullable=False),
    Column("story", PlainText, nullable=False),
    Column("number", Integer, nullable=False),
    Column("state", String(20), nullable=False),
    Column("content", JSON),
    Column("found_at", MomentColumn, nullable=False),
    Column("changed_at", MomentColumn, nullable=False),
    Index(None, "site_id", "story"),
)

pictures = Table(
    "pictures",
    metadata,
    Column("site_id", ForeignKey("sites.id"), primary_key=True),
    Column("signature", BigInteger, primary_key=True, autoincrement=False),
    Column("url", PlainText, nullable=False),
    Column("stories", Integer, nullable=False),
    Column("due", MomentColumn),
    Column("tries", Integer, nullable=False),
    Column("checked_at", MomentColumn),
    Column("media_type", String(40), nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("code", String(40), nullable=False),
    Column("file", String(80), nullable=False),
    Column("is_told", Boolean, nullable=False),
    Index(None, "site_id", "due"),
)
"""The pictures of a site's stories, each once for all its sizes: how many stories show it, and what its bytes say.

`due`: when its bytes are asked for; none: nobody wants them. `is_told`: photo sets know that it is of the site.
"""

prices = Table(
    "prices",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("site_id", ForeignKey("sites.id"), nullable=False),
    Column("id", String(16), nullable=False),
    Column("since", MomentColumn, nullable=False),
    Column("until", MomentColumn, nullable=False),
    Column("amount", Float),
    Column("currency", PlainText, nullable=False),
    Column("old_amount", Float),
    Column("stock", PlainText, nullable=False),
    Column("unstated", Boolean, nullable=False),
    Index(None, "site_id", "id", "since"),
)
"""What items cost, and whether they could be had: a row for each time that was another than before."""

offers = Table(
    "offers",
    metadata,
    Column("site_id", ForeignKey("sites.id"), primary_key=True),
    Column("id", String(16), primary_key=True),
    Column("url", PlainText, nullable=False),
    Column("first_at", MomentColumn, nullable=False),
    Column("checked_at", MomentColumn, nullable=False),
    Column("next_due", MomentColumn, nullable=False),
    Column("period_seconds", Float, nullable=False),
    Column("looks", Integer, nullable=False),
    Column("changes", Integer, nullable=False),
    Index(None, "site_id", "next_due"),
)
"""Items that are visited again, and when."""

listings = Table(
    "listings",
    metadata,
    Column("site_id", ForeignKey("sites.id"), primary_key=True),
    Column("id", String(16), primary_key=True),
    Column("trail", PlainText, primary_key=True),
    Column("first_seen", MomentColumn, nullable=False),
    Column("amount", Float),
)
"""In which categories addresses are listed: the names on the way there, as a JSON list; what they cost there."""

item_keys = Table(
    "item_keys",
    metadata,
    Column("site_id", ForeignKey("sites.id"), primary_key=True),
    Column("id", String(16), primary_key=True),
    Column("rank", Integer, primary_key=True, autoincrement=False),
    Column("key", String(24), nullable=False),
    Index(None, "key"),
)
"""By what items are known to be the same, within a site and across sites."""

failures = Table(
    "failures",
    metadata,
    Column("site_id", ForeignKey("sites.id"), primary_key=True),
    Column("signature", BigInteger, primary_key=True, autoincrement=False),
    Column("stage", String(40), primary_key=True),
    Column("url", PlainText, nullable=False),
    Column("code", String(40), nullable=False),
    Column("detail", PlainText, nullable=False),
    Column("first_at", MomentColumn, nullable=False),
    Column("at", MomentColumn, nullable=False),
    Column("times", Integer, nullable=False),
)

metrics = Table(
    "metrics",
    metadata,
    Column("site_id", ForeignKey("sites.id"), primary_key=True),
    Column("template", PlainText, primary_key=True),
    Column("field", PlainText, primary_key=True),
    Column("day", Date, primary_key=True),
    Column("filled", Integer, nullable=False),
    Column("confidence", Float, nullable=False),
)
"""How many records of a day have a field, and the sum of their confidence; field "" counts the records themselves."""

baselines = Table(
    "baselines",
    metadata,
    Column("site_id", ForeignKey("sites.id"), primary_key=True),
    Column("template", PlainText, primary_key=True),
    Column("updated_at", MomentColumn, nullable=False),
    Column("state", JSON, nullable=False),
)
"""What pages of a template usually are like; template "" holds what is kept of the site as a whole."""

incidents = Table(
    "incidents",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("site_id", ForeignKey("sites.id"), nullable=False),
    Column("template", PlainText, nullable=False),
    Column("field", PlainText, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("state", String(20), nullable=False),
    Column("since", MomentColumn, nullable=False),
    Column("opened_at", MomentColumn, nullable=False),
    Column("closed_at", MomentColumn),
    Column("pages", Integer, nullable=False),
    Column("evidence", JSON, nullable=False),
    Index(None, "site_id", "closed_at"),
)

proposals = Table(
    "proposals",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("site_id", ForeignKey("sites.id"), nullable=False),
    Column("based_on", Integer, nullable=False),
    Column("state", String(20), nullable=False),
    Column("made_at", MomentColumn, nullable=False),
    Column("decided_at", MomentColumn),
    Column("text", PlainText, nullable=False),
    Column("report", JSON, nullable=False),
    Index(None, "site_id", "state"),
)

accounts = Table(
    "accounts",
    metadata,
    Column("name", PlainText, primary_key=True),
    Column("role", String(20), nullable=False),
    Column("made_at", MomentColumn, nullable=False),
    Column("secret", PlainText, nullable=False),
)

logins = Table(
    "logins",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("account", ForeignKey("accounts.name", ondelete="CASCADE"), nullable=False),
    Column("made_at", MomentColumn, nullable=False),
    Column("expires_at", MomentColumn, nullable=False),
    Column("label", PlainText, nullable=False),
)
"""Who is logged in; the id is a digest of what their browser, or their program, sends."""

changes = Table(
    "changes",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("at", MomentColumn, nullable=False),
    Column("account", PlainText, nullable=False),
    Column("what", String(60), nullable=False),
    Column("about", PlainText, nullable=False),
    Column("detail", JSON, nullable=False),
)
"""Who changed what, of the changes that people make."""

marks = Table(
    "marks",
    metadata,
    Column("account", PlainText, primary_key=True),
    Column("record", ForeignKey("records.number", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("site_id", ForeignKey("sites.id"), nullable=False),
    Column("read_at", MomentColumn),
    Column("starred_at", MomentColumn),
    Column("apart_at", MomentColumn),
    Index(None, "account", "starred_at"),
)

hidden = Table(
    "hidden",
    metadata,
    Column("account", PlainText, primary_key=True),
    Column("kind", String(20), primary_key=True),
    Column("what", PlainText, primary_key=True),
    Column("at", MomentColumn, nullable=False),
)

saved_searches = Table(
    "saved_searches",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("account", PlainText, nullable=False),
    Column("label", PlainText, nullable=False),
    Column("query", PlainText, nullable=False),
    Column("made_at", MomentColumn, nullable=False),
    Index(None, "account"),
)

preferences = Table(
    "preferences",
    metadata,
    Column("account", PlainText, primary_key=True),
    Column("chosen", JSON, nullable=False),
)

alerts = Table(
    "alerts",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("account", PlainText, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("label", PlainText, nullable=False),
    Column("about", JSON, nullable=False),
    Column("way", String(20), nullable=False),
    Column("target", PlainText, nullable=False),
    Column("secret", PlainText, nullable=False),
    Column("made_at", MomentColumn, nullable=False),
    Column("begun", BigInteger, nullable=False),
    Column("reached", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("next_at", MomentColumn),
    Column("trouble", PlainText, nullable=False),
    Index(None, "account"),
)
"""What somebody wants to be told of, and how; `begun` and `reached` are numbers of records, told are those behind."""

notices = Table(
    "notices",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("alert", ForeignKey("alerts.number", ondelete="CASCADE"), nullable=False),
    Column("name", String(32), nullable=False, unique=True),
    Column("key", PlainText, nullable=False),
    Column("at", MomentColumn, nullable=False),
    Column("about", JSON, nullable=False),
    Column("state", String(10), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("told_at", MomentColumn),
    Column("trouble", PlainText, nullable=False),
    UniqueConstraint("alert", "key"),
    Index(None, "state", "alert", "number"),
)
"""What an alert has to tell, each thing once; `name` is what it is called to whoever is told, however often."""

readers = Table(
    "readers",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("source", String(10), nullable=False),
    Column("name", PlainText, nullable=False),
    Column("made_at", MomentColumn, nullable=False),
    UniqueConstraint("source", "name"),
)
"""The pseudonyms of readers: drawn at random, so that without this table nobody knows whose events are whose."""

reader_events = Table(
    "reader_events",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("event", PlainText, nullable=False),
    Column("reader", ForeignKey("readers.id", ondelete="CASCADE"), nullable=False),
    Column("what", String(10), nullable=False),
    Column("record", BigInteger, nullable=False),
    Column("at", MomentColumn, nullable=False),
    Column("received_at", MomentColumn, nullable=False),
    Column("day", Date, nullable=False),
    Column("shown_in", PlainText, nullable=False),
    Column("place", Integer),
    Column("viewed", Integer),
    Column("total", Integer),
    UniqueConstraint("event", "reader"),
    Index(None, "reader", "at"),
    Index(None, "day"),
)
"""What readers were shown, clicked and viewed; records may be gone before what was clicked of them is."""

event_counts = Table(
    "event_counts",
    metadata,
    Column("day", Date, primary_key=True),
    Column("why", String(20), primary_key=True),
    Column("count", Integer, nullable=False),
)
"""How many events were left out, by the day and the reason; and how many were forgotten."""

reader_lists = Table(
    "reader_lists",
    metadata,
    Column("reader", String(16), primary_key=True),
    Column("made_at", MomentColumn, nullable=False),
    Column("listed", JSON, nullable=False),
)
"""What each reader should see next, as of a moment; reader "" is whoever nothing is known of."""

related_items = Table(
    "related_items",
    metadata,
    Column("record", BigInteger, primary_key=True, autoincrement=False),
    Column("made_at", MomentColumn, nullable=False),
    Column("listed", JSON, nullable=False),
)
"""What readers of a record read next, as of a moment."""

refreshes = Table(
    "refreshes",
    metadata,
    Column("what", String(20), primary_key=True),
    Column("owner", PlainText, nullable=False),
    Column("until", MomentColumn, nullable=False),
    Column("made_at", MomentColumn),
)
"""Who is making lists anew, until when at most; and when they were made last."""
