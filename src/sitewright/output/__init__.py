"""Records, links and failures in, files out: JSON lines, CSV, Parquet, Markdown, feeds, reports."""

from sitewright.output.export import FORMATS, Encode, Writer, columns_of, encoder_of, format_of, open_writer, writing
from sitewright.output.link_report import write_link_report
from sitewright.output.markup import prepare_report
from sitewright.output.report import (
    PageCount,
    ReportField,
    ReportHead,
    ReportLine,
    ReportPage,
    ReportRule,
    RunSummary,
    page_count,
    write_report,
)
from sitewright.output.rows import Row, failure_row, links_row, row_of

__all__ = [
    "FORMATS",
    "Encode",
    "PageCount",
    "ReportField",
    "ReportHead",
    "ReportLine",
    "ReportPage",
    "ReportRule",
    "Row",
    "RunSummary",
    "Writer",
    "columns_of",
    "encoder_of",
    "failure_row",
    "format_of",
    "links_row",
    "open_writer",
    "page_count",
    "prepare_report",
    "row_of",
    "write_link_report",
    "write_report",
    "writing",
]
