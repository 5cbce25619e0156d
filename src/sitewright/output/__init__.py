"""Records, links and failures in, files out: JSON lines, CSV, Parquet, Markdown, feeds, reports."""

from sitewright.output.export import FORMATS, Writer, columns_of, format_of, open_writer
from sitewright.output.link_report import write_link_report
from sitewright.output.markup import prepare_report
from sitewright.output.report import (
    ReportField,
    ReportLine,
    ReportPage,
    ReportRule,
    RunSummary,
    write_report,
)
from sitewright.output.rows import Row, failure_row, links_row, row_of

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
    "links_row",
    "open_writer",
    "prepare_report",
    "row_of",
    "write_link_report",
    "write_report",
]
