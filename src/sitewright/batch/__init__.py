"""Work over archives of pages: in processes of this machine."""

from sitewright.batch.extract import TAGGERS, ExtractJob, Line, check_tagger
from sitewright.batch.pool import Pool, available_cores
from sitewright.batch.report import ReportJob, Sample

__all__ = ["TAGGERS", "ExtractJob", "Line", "Pool", "ReportJob", "Sample", "available_cores", "check_tagger"]
