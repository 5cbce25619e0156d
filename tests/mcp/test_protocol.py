"""Messages of both kinds of versions are answered as JSON-RPC has it, and nothing that is sent ends the server."""

import json
from typing import Any

import pytest

from sitewright.mcp.protocol import MOST_BYTES, VERSIONS, Protocol

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


def ask(protocol: Protocol, method: str, params: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params or {}} | more
    answer = protocol.answer_line(json.dumps(message).encode())
    assert answer is not None
    assert b"\n" not in answer
    told = json.loads(answer)
    assert (told["jsonrpc"], told["id"]) == ("2.0", 7)
    return dict(told)


def test_who_shakes_hands_gets_a_version_of_before(protocol: Protocol) -> None:
    for asked, spoken in (("2025-06-18", "2025-06-18"), ("2030-01-01", "2025-11-25"), ("2026-07-28", "2025-11-25")):
        result = ask(protocol, "initialize", {"protocolVersion": asked, "capabilities": {}})["result"]
        assert result["protocolVersion"] == spoken
    assert protocol.answer({"jsonrpc": "2.0", "method": "notifications/initialized"}) is None
    assert ask(protocol, "ping")["result"] == {}


def test_who_says_what_they_speak_is_told_what_there_is(protocol: Protocol) -> None:
    result = ask(protocol, "server/discover", {"_meta": META})["result"]
    assert result["supportedVersions"] == list(VERSIONS)
    assert result["resultType"] == "complete"
    assert "untrusted" in result["instructions"]
    error = ask(protocol, "tools/list", {"_meta": META | {"io.modelcontextprotocol/protocolVersion": "1999"}})["error"]
    assert (error["code"], error["data"]["supported"]) == (-32022, list(VERSIONS))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b"[" * 100_000, -32700),
        (b" " * (MOST_BYTES + 1), -32600),
        (b"[]", -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "files/read"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rm"}}', -32602),
    ],
)
def test_what_is_no_message_is_told(protocol: Protocol, line: bytes, code: int) -> None:
    answer = protocol.answer_line(line)
    assert answer is not None
    assert json.loads(answer)["error"]["code"] == code
    assert ask(protocol, "ping")["result"] == {}


def test_arguments_are_checked_by_the_schemas_that_are_shown(protocol: Protocol) -> None:
    tools = ask(protocol, "tools/list", {"_meta": META})["result"]["tools"]
    assert len(tools) == 10
    assert [tool["name"] for tool in tools if not tool["annotations"]["readOnlyHint"]] == ["add_site"]
    for arguments in ({}, {"url": 1}, {"url": "x", "domain": "/etc/passwd"}, {"url": "x", "path": "/tmp/x"}):  # noqa: S108
        result = ask(protocol, "tools/call", {"name": "read_page", "arguments": arguments})["result"]
        assert result["isError"]
        assert "input_error" in result["content"][0]["text"]
