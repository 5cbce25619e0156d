"""Work over archives of pages: in processes of this machine."""

from sitewright.batch.extract import ONLY_MAP, TAGGERS, ExtractJob, Line, check_tagger
from sitewright.batch.learn import Tagged, TagJob, learn_from
from sitewright.batch.mapped import MapReader, handed_fields
from sitewright.batch.pool import Pool, available_cores
from sitewright.batch.refine import refine
from sitewright.batch.report import ReportJob, Sample, report_of_learning, rule_text, rules_of

__all__ = [
    "ONLY_MAP",
    "TAGGERS",
    "ExtractJob",
    "Line",
    "MapReader",
    "Pool",
    "ReportJob",
    "Sample",
    "TagJob",
    "Tagged",
    "available_cores",
    "check_tagger",
    "handed_fields",
    "learn_from",
    "refine",
    "report_of_learning",
    "rule_text",
    "rules_of",
]
