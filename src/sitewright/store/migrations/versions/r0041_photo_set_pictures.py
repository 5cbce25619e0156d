"""In which photo sets a picture is; those that were stored before are looked through once."""

import sqlalchemy as sa
from alembic import op

from sitewright.store.pictures import signature_of_key
from sitewright.values.images import picture_key

revision = "0041"
down_revision = "0040"

_SETS = sa.table(
    "photo_sets",
    sa.column("site_id", sa.Integer),
    sa.column("id", sa.String),
    sa.column("photos", sa.JSON),
    sa.column("left_out", sa.JSON),
)


def upgrade() -> None:
    """Make the table and fill it."""
    made = op.create_table(
        "photo_set_pictures",
        sa.Column("site_id", sa.Integer, sa.ForeignKey("sites.id"), primary_key=True),
        sa.Column("signature", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("id", sa.String(16), primary_key=True),
        sa.ForeignKeyConstraint(["site_id", "id"], ["photo_sets.site_id", "photo_sets.id"], ondelete="CASCADE"),
    )
    op.create_index("ix_photo_set_pictures_site_id_id", "photo_set_pictures", ["site_id", "id"])
    connection = op.get_bind()
    for row in connection.execute(sa.select(_SETS)).all():
        keys = sorted({picture_key(one["url"]) for one in (*row.photos, *row.left_out)})
        if keys:
            rows = [{"site_id": row.site_id, "id": row.id, "signature": signature_of_key(key)} for key in keys]
            connection.execute(made.insert(), rows)
