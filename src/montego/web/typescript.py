"""TypeScript types of the messages: ``python -m montego.web.typescript`` prints them.

They are made from the JSON schema of the messages.
Only what our messages use is known; anything else in a schema is an error, not a guess.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from pydantic import TypeAdapter

from montego.web.messages import FromPage, ToPage

HEAD = "// Made by `python -m montego.web.typescript` from messages.py; do not edit.\n"


def types() -> str:
    """All of them, as one file."""
    received = TypeAdapter(FromPage).json_schema(mode="validation")
    sent = TypeAdapter(ToPage).json_schema(mode="serialization")
    parts = [HEAD]
    known = {**sent["$defs"], **received["$defs"]}
    for name in sorted(known):
        answers = name in sent["$defs"]
        parts.append(_interface(name, known[name], answers))
    parts.append(f"export type FromPage = {_type(received)};\n")
    parts.append(f"export type ToPage = {_type(sent)};\n")
    return "\n".join(parts)


def _interface(name: str, schema: dict[str, Any], answers: bool) -> str:
    """A model; what the server sends is always whole, what it gets may leave defaults out."""
    lines = [f"/** {schema['description']} */"] if "description" in schema else []
    lines.append(f"export interface {name} {{")
    required = schema.get("required", [])
    for field, told in schema["properties"].items():
        must = answers or field in required or "const" in told
        lines.append(f"  {field}{'' if must else '?'}: {_type(told)};")
    return "\n".join([*lines, "}", ""])


_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean",
          "null": "null"}  # fmt: skip


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(_type(one) for one in schema[several])
    if schema.get("type") == "object":
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    if schema.get("type") == "array":
        inner = _type(schema["items"])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    return _PLAIN[schema["type"]]


if __name__ == "__main__":
    sys.stdout.write(types())
