"""A client that is made of an OpenAPI document alone: its operations are methods, named by operationId.

What goes out and what comes back is held to the document's schemas, parameter by parameter.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

JSON = "application/json"
Send = Callable[[str, str, dict[str, str], bytes | None], tuple[int, str, bytes]]
"""Takes method, address, headers and body; returns status, media type and body."""


class NotAsDescribed(AssertionError):
    """Something goes out, or comes back, that the document does not describe."""


@dataclass
class Refusal(Exception):
    """A refusal that the document describes."""

    status: int
    problem: dict[str, Any]


def closed(schema: Any) -> Any:
    """Return a schema by which objects have those fields alone that are described, where any are."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: closed(part) for name, part in schema.items()}
    fixed = isinstance(parts.get("properties"), dict) and "type" in parts
    if fixed and not {"additionalProperties", "patternProperties"} & parts.keys():
        parts["additionalProperties"] = False
    return parts


class OpenApiClient:
    """The operations of a document: ``client.runs_start(body={"scenario": 1})`` returns the JSON answer."""

    def __init__(self, document: dict[str, Any], send: Send) -> None:
        self._document = document
        self._closed = closed(document["components"])
        self.called: set[str] = set()
        self._validators: dict[tuple[str, bool], Any] = {}
        self._send = send
        self._operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }

    def operations(self, method: str) -> set[str]:
        """Return the names of the operations of a method."""
        return {name for name, (used, _, _) in self._operations.items() if used == method}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in self._operations:
            raise AttributeError(f"there is no operation {name}")
        return lambda body=None, **parameters: self._call(name, body, parameters)

    def follow(self, name: str, address: str) -> Any:
        """Return the page of a list that the one before gave as `next`."""
        method, _, operation = self._operations[name]
        return self._answer(operation, *self._send(method, address, {"Accept": JSON}, None))

    def check(self, component: str, value: Any) -> None:
        """Hold a value to a component. Raises NotAsDescribed."""
        self._check({"$ref": f"#/components/schemas/{component}"}, value, component)

    def _call(self, name: str, body: Any, parameters: dict[str, Any]) -> Any:
        self.called.add(name)
        method, path, operation = self._operations[name]
        query, headers = {}, {"Accept": JSON}
        for parameter in operation.get("parameters", ()):
            key = parameter["name"].lower().replace("-", "_")
            if key not in parameters:
                assert not parameter.get("required"), f"{name} needs {key}"
                continue
            value = parameters.pop(key)
            self._check(parameter["schema"], value, f"{name}: {key}")
            text = json.dumps(value) if isinstance(value, bool) else str(value)
            if parameter["in"] == "path":
                path = path.replace(f"{{{parameter['name']}}}", quote(text, safe=""))
            else:
                (query if parameter["in"] == "query" else headers)[parameter["name"]] = text
        if parameters:
            raise NotAsDescribed(f"{name} has no parameters {', '.join(parameters)}")
        data = None
        if body is not None:
            headers["Content-Type"] = JSON
            self._check(operation["requestBody"]["content"][JSON]["schema"], body, f"the body of {name}")
            data = json.dumps(body).encode()
        address = f"{path}?{urlencode(query)}" if query else path
        return self._answer(operation, *self._send(method, address, headers, data))

    def _answer(self, operation: dict[str, Any], status: int, media_type: str, body: bytes) -> Any:
        name = operation["operationId"]
        described = operation["responses"].get(str(status))
        if described is None:
            raise NotAsDescribed(f"{name} answers {status}: {body[:500]!r}")
        if not described.get("content"):
            return None
        if media_type not in described["content"]:
            raise NotAsDescribed(f"{name} answers {status} as {media_type}")
        value = json.loads(body)
        schema = closed(described["content"][media_type]["schema"])
        self._check(schema, value, f"the answer {status} of {name}", self._closed)
        if status >= 400:
            raise Refusal(status, value)
        return value

    def _check(self, schema: dict[str, Any], value: Any, place: str, components: Any = None) -> None:
        whole = {**schema, "components": components or self._document["components"]}
        key = json.dumps(schema, sort_keys=True), components is None
        if key not in self._validators:
            self._validators[key] = jsonschema_rs.Draft202012Validator(whole)
        if self._validators[key].is_valid(value):
            return
        fault = best_match(Draft202012Validator(whole).iter_errors(value))
        if fault is not None:
            raise NotAsDescribed(f"{place}: {fault.json_path}: {fault.message[:1000]}")
