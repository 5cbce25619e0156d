"""What browsers are told: nothing inline, nothing from elsewhere; a stranger's page may do nothing at all."""

import re

import pytest
from fastapi.testclient import TestClient

INLINE = re.compile(r"<script(?![^>]*\bsrc=)|\son\w+\s*=|\sstyle\s*=|<style|javascript:", re.IGNORECASE)


@pytest.mark.parametrize("path", ["/", "/login", "/sites", "/search?q=bees", "/nothing"])
def test_pages_run_only_our_files(client: TestClient, path: str) -> None:
    answer = client.get(path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert not INLINE.search(answer.text)


def test_a_stored_page_may_do_nothing(client: TestClient, story: str) -> None:
    answer = client.get(f"/frame/{story}")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox allow-same-origin" in policy
    assert "script" not in policy
    assert "data-c=" in answer.text
    assert not re.search(r"<script|<img|\shref=|\ssrc=|\son\w+=", answer.text)
