"""How long an editor waits for what a key does: from the key until all ten pages show it, in Chromium.

    python -m bench.editing ADDRESS [SITE …] [--keys N]

ADDRESS is that of a service (`sitewright serve`, `sitewright demo --reader`); the sites are those of its store.
"""

import argparse
import statistics
from typing import Any

from sitewright.fetch.chromium import find_chromium

PRESSED = """() => { window.shown = new Promise((done) => {
  let begun;
  document.addEventListener("keydown", () => (begun = performance.now()), { once: true, capture: true });
  new MutationObserver((_, me) => { me.disconnect(); requestAnimationFrame(() => done(performance.now() - begun)); })
    .observe(document.querySelector(".values tbody"), { childList: true, subtree: true, characterData: true });
}); }"""


def waits(page: Any, address: str, site: str, keys: int) -> list[float]:
    """Type into a selector and take it back; return the milliseconds of each key."""
    page.goto(f"{address}/site/{site}/map")
    page.wait_for_selector(".rule[data-active]")
    page.locator(".rule[data-active] textarea").first.focus()
    page.keyboard.press("End")
    found = []
    for number in range(keys):
        page.evaluate(PRESSED)
        page.keyboard.press("Backspace" if number % 2 else "x")
        found.append(page.evaluate("window.shown"))
    return found


def main() -> None:
    """Measure, and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("sites", nargs="+")
    parser.add_argument("--keys", type=int, default=30)
    wanted = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_chromium("")), args=["--no-sandbox"])
        page = browser.new_page()
        for site in wanted.sites:
            found = sorted(waits(page, wanted.address.rstrip("/"), site, wanted.keys))
            middle, most = statistics.median(found), found[int(len(found) * 0.95)]
            print(f"{site:24} p50 {middle:6.0f} ms   p95 {most:6.0f} ms   max {found[-1]:6.0f} ms")
        browser.close()


if __name__ == "__main__":
    main()
