"""`sitewright extract`: pages, stored or on the web, and a map in, records out."""

import sys
from dataclasses import replace
from typing import Any

import click

from sitewright.actions.extract import Extraction, ExtractOptions
from sitewright.actions.extract_on_spark import SparkExtraction
from sitewright.actions.inputs import Inputs
from sitewright.actions.telling import nobody
from sitewright.cli.domain_option import domain_option
from sitewright.cli.files import refuse_overwriting
from sitewright.cli.options import MinConfidenceOption, RawCsvOption, tell, words_of
from sitewright.cli.settings import load_settings
from sitewright.cli.show.progress import PageCounter
from sitewright.cli.statuses import ALL_WELL, INTERRUPTED, SOME_FAILED
from sitewright.cli.web_options import all_sources, fetch_settings, open_fetcher, web_options
from sitewright.errors import InputError
from sitewright.maps import load_map
from sitewright.output.export import FORMATS, format_of
from sitewright.values.words import counted


@click.command(short_help="Read pages, with a map or without.")
@click.argument("pages", nargs=-1, metavar="PAGES|URL...")
@web_options
@click.option("--map", "map_file", metavar="MAP", help="The site's map file; without one each page is read by itself.")
@domain_option("Kind of pages, or a file that describes it; with --map, the map says.")
@click.option(
    "--tagger",
    metavar="NAME",
    help="What reads pages without a map: network (the default), mce, or a folder with a MarkupLM checkpoint. With a "
    "learned map: network reads what the map does not, none leaves it out.",
)
@click.option(
    "-o", "--output", default="-", metavar="OUT", help="File to write (or a folder, of Markdown); default: stdout."
)
@click.option("--format", "kind", type=click.Choice(FORMATS), help="Default: by the name of the output.")
@click.option("--report", metavar="HTML", help="Also write a page that shows, for a sample, what was found where.")
@click.option("--fields", default="", metavar="A,B", help="Read only these fields.")
@click.option(
    "--stated",
    type=click.Choice(("yes", "no")),
    default="yes",
    show_default=True,
    callback=lambda _context, _option, said: said == "yes",
    help="Give values that a page does not display, but states in its metadata: authors, categories, tags, updates.",
)
@MinConfidenceOption
@RawCsvOption
@click.option("--limit", type=click.IntRange(min=0), help="Stop after so many pages.")
@click.option("--explain", is_flag=True, help="Name the rule that gave each value.")
@click.option("--parts", is_flag=True, help="Name the other pages of each story that a page links or states.")
@click.option("--dated", is_flag=True, help="Say when each page was fetched, where that is known.")
@click.option("--resume", is_flag=True, help="Go on where an interrupted run into the same JSONL file stopped.")
@click.option(
    "--engine",
    type=click.Choice(("here", "spark")),
    default="here",
    show_default=True,
    help="What reads the pages: processes here, or tasks of a Spark cluster, which write files into the folder OUT.",
)
@click.option("--master", metavar="URL", help="The Spark cluster; default: Spark on this machine.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; default: one a core.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no summary.")
def extract(
    pages: tuple[str, ...],
    map_file: str | None,
    jobs: int | None,
    quiet: bool,
    engine: str,
    master: str | None,
    **options: Any,
) -> None:
    """Read pages and write one record a page, in the order of the pages.

    With a map the site's own rules read the pages, at the speed of parsing. Without one each page is read by itself: a
    tagger tells from its text, its structure and what it states about itself which part is what.

    PAGES are JSONL files ({"url", "html", "time"?} a line; also .gz and .xz), WARC files, Parquet files with columns
    url, html and time, folders of HTML files, HTML files, or - for JSONL or one page of HTML on standard input. A URL
    is fetched. A page that cannot be read gives a line with its error; the others go on, and the exit status is 1.

    With --engine spark the input is read in pieces, each by a task, and OUT is a folder with a file for each, in their
    order; PAGES and OUT may be addresses such as s3://bucket/pages/. --resume does the pieces that are not there yet.

    \b
    Examples:
      sitewright extract https://example.com/news/bees
      sitewright extract pages.jsonl --map example.com.map.yaml -o records.jsonl
      sitewright extract --from addresses.txt --format csv -o records.csv
    """
    settings = load_settings()
    sources = all_sources(pages, options.pop("lists"))
    render, cache = options.pop("render"), options.pop("cache")
    output, kind, fields = options["output"], options.pop("kind"), options.pop("fields")
    wanted = ExtractOptions(
        **options,
        extraction_map=load_map(map_file) if map_file else None,
        map_name=map_file or "",
        fields=words_of(fields),
        format=kind or format_of(output),
        jobs=jobs or settings.jobs,
        limits=settings.limits,
    )
    if engine == "spark":
        sys.exit(_run_on_spark(SparkExtraction(sources, replace(wanted, format=kind or "jsonl"), master), quiet=quiet))
    refuse_overwriting([*sources, *filter(None, [map_file])], {"-o": output, "--report": wanted.report})
    fetching = fetch_settings(settings.fetch, cache)
    with open_fetcher(fetching, settings.limits, render=render, extraction_map=wanted.extraction_map) as fetcher:
        inputs = Inputs(sources, fetcher, wanted.limit)
        extraction = Extraction(inputs, wanted)
        for warning in extraction.warnings():
            tell(f"warning: {warning}")
        counter = PageCounter(inputs.progress, quiet=quiet, resumable=wanted.can_resume)
        sys.exit(_run(extraction, counter))


def _run_on_spark(extraction: SparkExtraction, *, quiet: bool) -> int:
    extracted = extraction.run(tell, nobody if quiet else tell)
    if not quiet:
        failed = [f"{counted(count, 'page')} failed: {code}" for code, count in extracted.failures.most_common()]
        for line in (counted(extracted.pages, "page"), *failed):
            tell(line)
    return SOME_FAILED if extracted.failures else ALL_WELL


def _run(extraction: Extraction, counter: PageCounter) -> int:
    interrupted = False
    try:
        extraction.run(lambda line: counter.count(line.failure, line.template, line.via, line.detail))
    except KeyboardInterrupt:
        interrupted = True
    except InputError:  # an input breaks off: what came before is read
        extraction.write_report()
        raise
    finally:
        counter.finish(interrupted=interrupted)
    if interrupted:
        return INTERRUPTED
    extraction.write_report()
    return SOME_FAILED if counter.failures else ALL_WELL
