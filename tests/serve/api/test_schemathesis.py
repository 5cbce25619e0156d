"""Whatever is sent to the API by its own description: no error of ours, and answers as they are described."""

import os
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, seed, settings
from tests.serve.conftest import HERE, Open

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "2"))
"""Of each operation, of good and of bad requests; a longer run takes 100."""
LEFT_OUT = {("GET", "/api/v1/stream"), ("POST", "/api/v1/sites")}
"""What goes on for ever, and what fetches sites of the web."""


def answered(client: TestClient, case: Any) -> Any:
    asked = case.as_transport_kwargs(base_url=HERE)
    wanted = {
        name: asked[name]
        for name in ("method", "url", "headers", "params", "json", "data", "cookies")
        if asked.get(name)
    }
    if isinstance(wanted.get("data"), bytes | str):
        wanted["content"] = wanted.pop("data")
    return client.request(**wanted)


def test_no_operation_fails_and_all_answer_as_described(open_service: Open) -> None:
    client = open_service()
    client._transport.raise_server_exceptions = False  # type: ignore[attr-defined]
    described = client.get("/api/v1/openapi.json").json()
    asked = 0
    for found in schemathesis.openapi.from_dict(described).get_all_operations():
        operation = found.ok()
        if (operation.method.upper(), operation.path) in LEFT_OUT:
            continue
        asked += 1

        @seed(19)
        @settings(
            max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            answer = answered(client, case)
            told = (
                case.method,
                answer.request.url,
                answer.request.content[:300],
                answer.status_code,
                answer.text[:300],
            )
            assert answer.status_code < 500, told
            statuses = described["paths"][case.operation.path][case.operation.method]["responses"]
            assert str(answer.status_code) in statuses or f"{answer.status_code // 100}XX" in statuses, told
            if answer.status_code >= 400 and case.method.upper() != "HEAD":
                assert set(answer.json()["error"]) == {"code", "detail"}, told

        ask()
    assert asked >= 40
