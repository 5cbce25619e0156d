"""Records are found by their page, and know a checksum of what they hold."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the checksum, which records of before do not have, and an index for what is done to pages."""
    op.add_column("records", sa.Column("checksum", sa.String(32)))
    op.create_index("ix_records_warc_file_warc_offset", "records", ["warc_file", "warc_offset"])
