"""`sitewright map convert`: a map of one tool in, the same map for another tool out."""

from pathlib import Path

import click

from sitewright.cli.files import deliver, shown_name, text_of
from sitewright.cli.show.lines import echo
from sitewright.maps import dump_map, parse_map
from sitewright.maps.convert import FORMATS, OWN, guess_format, read_foreign, write_foreign
from sitewright.maps.file import earlier_text


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--from", "source", type=click.Choice([OWN, *FORMATS]), help="Format of FILE; default: seen from the file."
)
@click.option("--to", "target", type=click.Choice([OWN, *FORMATS]), help="Format to write; default: a Sitewright map.")
@click.option("--site", default="", help="Host name of the site, where the foreign file does not say.")
@click.option("-o", "--output", default="-", metavar="OUT", help="File to write; default: stdout.")
@click.option("--force", is_flag=True, help="Write over an existing file.")
def convert(file: str, source: str | None, target: str | None, site: str, output: str, force: bool) -> None:
    """Convert maps from and to other tools' formats.

    Both ways: Web Scraper sitemaps (webscraper), ftr-site-config files (ftr), crawl4ai schemas (crawl4ai). Out only:
    a Scrapy spider (scrapy), a web-poet page object (webpoet). What the target cannot express is listed on stderr.

    \b
    Examples:
      sitewright map convert example.com.map.yaml --to scrapy -o spider.py
      sitewright map convert sitemap.json -o example.com.map.yaml
    """
    text = text_of(file)
    kind = source or (OWN if file.endswith((".map.yaml", ".yaml", ".yml")) else guess_format(text, shown_name(file)))
    lost: list[str] = []
    if kind == OWN:
        extraction_map = parse_map(text, shown_name(file))
    else:
        reading = read_foreign(text, kind, site)
        extraction_map, lost = reading.result, [*reading.lost]
    if (target or OWN) == OWN:
        written = dump_map(extraction_map, like=earlier_text(Path(output)) if force and output != "-" else "")
    else:
        writing = write_foreign(extraction_map, target or OWN)
        written, lost = writing.result, [*lost, *writing.lost]
    deliver(written, output, force=force)
    for sentence in lost:
        echo(f"not converted: {sentence}", err=True)
