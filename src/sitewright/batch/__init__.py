"""Work over archives of pages: in processes of this machine."""

from sitewright.batch.extract import ExtractJob, Line
from sitewright.batch.pool import Pool, available_cores

__all__ = ["ExtractJob", "Line", "Pool", "available_cores"]
