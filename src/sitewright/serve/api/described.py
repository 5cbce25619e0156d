"""The service in, its description (OpenAPI) out, with what all operations have in common: errors, tags of answers."""

from typing import Any

from fastapi import FastAPI

_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "detail"],
            "properties": {
                "code": {"type": "string", "description": "One of docs/errors.md; it stays the same."},
                "detail": {"type": "string"},
            },
        }
    },
}
_REFUSED = {
    "description": "What was asked for cannot be had; the code says why.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}
_SAME = {"description": "It is what the tag of `If-None-Match` stands for."}
_THEIRS, _BUSY, _UNCHANGED = "4XX", "503", "304"


def describe(app: FastAPI) -> None:
    """Have an application describe what its operations answer besides what they are asked for."""
    usual = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = usual()
            found.setdefault("components", {}).setdefault("schemas", {})["Error"] = _ERROR
            for methods in found["paths"].values():
                for method, operation in methods.items():
                    _complete(method, operation["responses"])
            app.openapi_schema = found
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _complete(method: str, responses: dict[str, Any]) -> None:
    responses.pop("422", None)  # answered like all other errors
    responses.update({_THEIRS: _REFUSED, _BUSY: _REFUSED})
    if method == "get":
        responses[_UNCHANGED] = _SAME
