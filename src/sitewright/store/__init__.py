"""Records in, rows and files out."""

from sitewright.store.export import FORMATS, Writer, columns_of, format_of, open_writer
from sitewright.store.link_report import write_link_report
from sitewright.store.markup import prepare_report
from sitewright.store.report import (
    ReportField,
    ReportLine,
    ReportPage,
    ReportRule,
    RunSummary,
    write_report,
)
from sitewright.store.rows import Row, failure_row, json_of, links_row, row_of

__all__ = [
    "FORMATS",
    "ReportField",
    "ReportLine",
    "ReportPage",
    "ReportRule",
    "Row",
    "RunSummary",
    "Writer",
    "columns_of",
    "failure_row",
    "format_of",
    "json_of",
    "links_row",
    "open_writer",
    "prepare_report",
    "row_of",
    "write_link_report",
    "write_report",
]
