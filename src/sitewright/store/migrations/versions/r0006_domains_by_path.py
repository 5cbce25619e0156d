"""A domain may be a file of one's own, whose path has any length."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Let the columns hold paths; SQLite never minded how long they are."""
    if op.get_bind().dialect.name == "postgresql":
        for table in ("sites", "records"):
            op.alter_column(table, "domain", type_=sa.Text)
