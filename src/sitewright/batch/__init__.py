"""Work over archives of pages: in processes of this machine."""

from sitewright.batch.extract import ONLY_MAP, TAGGERS, ExtractJob, Line, check_tagger
from sitewright.batch.learn import Tagged, TagJob, heading_of, learn_from, read_samples
from sitewright.batch.links import JudgedPages, LinksJob, ReadPage, judge_pages, learn_indexes
from sitewright.batch.mapped import MapReader, handed_fields
from sitewright.batch.pool import Pool, available_cores
from sitewright.batch.refine import refine
from sitewright.batch.report import ReportJob, Sample, report_of_learning, rule_text, rules_of
from sitewright.batch.sources import FeedSearch, FetchOnce, contents_of, find_feeds
from sitewright.batch.workers import Workers

__all__ = [
    "ONLY_MAP",
    "TAGGERS",
    "ExtractJob",
    "FeedSearch",
    "FetchOnce",
    "JudgedPages",
    "Line",
    "LinksJob",
    "MapReader",
    "Pool",
    "ReadPage",
    "ReportJob",
    "Sample",
    "TagJob",
    "Tagged",
    "Workers",
    "available_cores",
    "check_tagger",
    "contents_of",
    "find_feeds",
    "handed_fields",
    "heading_of",
    "judge_pages",
    "learn_from",
    "learn_indexes",
    "read_samples",
    "refine",
    "report_of_learning",
    "rule_text",
    "rules_of",
]
