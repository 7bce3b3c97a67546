"""An API server for tests: a real HTTP server on this machine, with the objects that a test gives it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import sleep
from typing import Any
from urllib.parse import parse_qs, urlparse

import yaml

Object = dict[str, Any]
_RESOURCES = {
    "v1": {"nodes": "Node", "pods": "Pod", "secrets": "Secret", "configmaps": "ConfigMap"},
    "autoscaling/v2": {"horizontalpodautoscalers": "HorizontalPodAutoscaler"},
    "policy/v1": {"poddisruptionbudgets": "PodDisruptionBudget"},
    "scheduling.k8s.io/v1": {"priorityclasses": "PriorityClass"},
    "scheduling.k8s.io/v1alpha2": {"podgroups": "PodGroup"},
}


class FakeApiServer:
    """What the server has and does: `forbidden` resources and those that it `fails` to list, how often it
    `forgets` a moment or is `busy`, `asked` paths."""

    def __init__(self, objects: list[Object], port: int, folder: Path) -> None:
        self.objects = objects
        self.uid = "kube-system-1"
        self.url = f"http://127.0.0.1:{port}"
        self.forbidden: set[str] = set()
        self.fails: set[str] = set()
        self.forgets = 0
        self.busy = 0
        self.is_endless = False
        self.takes = "right"
        self.garbage: bytes | None = None
        self.redirects = False
        self.beyond: set[str] = set()
        self.version, self.oldest = 7, 0
        self.watches = True
        self.bookmarks = True
        self.drips = False
        self.history: list[tuple[int, str, Object]] = []
        self.asked: list[str] = []
        self.sent: list[bytes] = []
        self.kubeconfig = folder / "kubeconfig"
        self.kubeconfig.write_text(
            yaml.safe_dump(
                {
                    "apiVersion": "v1",
                    "kind": "Config",
                    "current-context": "test",
                    "clusters": [{"name": "c", "cluster": {"server": self.url}}],
                    "users": [{"name": name, "user": {"token": name}} for name in ("right", "wrong")],
                    "contexts": [
                        {"name": name, "context": {"cluster": "c", "user": user}}
                        for name, user in (("test", "right"), ("expired", "wrong"))
                    ],
                }
            )
        )

    def change(self, what: str, document: Object) -> None:
        """Let an object be ADDED, MODIFIED or DELETED."""
        self.version += 1
        metadata = document["metadata"]
        document = {**document, "metadata": {**metadata, "resourceVersion": str(self.version)}}
        self.objects = [one for one in self.objects if _name(one) != _name(document)]
        self.objects += [document] if what != "DELETED" else []
        self.history.append((self.version, what, document))

    def events(self, path: str, query: dict[str, str]) -> list[Object]:
        """Return what a watch of a resource sends before it ends."""
        since, plural = int(query["resourceVersion"]), path.rpartition("/")[2]
        if since < self.oldest:
            return [{"type": "ERROR", "object": {**_status("too old resource version"), "code": 410}}]
        kind = next(kinds[plural] for kinds in _RESOURCES.values() if plural in kinds)
        found = [
            {"type": what, "object": document}
            for at, what, document in self.history
            if at > since and document["kind"] == kind
        ]
        metadata = {"resourceVersion": str(self.version)}
        mark = {"type": "BOOKMARK", "object": {"kind": kind, "metadata": metadata}}
        return [*found, *([mark] if self.bookmarks else [])]

    def answer(self, path: str, query: dict[str, str], token: str) -> tuple[int, Object]:
        """Return status and body of a GET."""
        if self.redirects:
            return 302, {}
        if self.busy:
            self.busy -= 1
            return 429, _status("too many requests")
        if token != f"Bearer {self.takes}":
            return 401, _status("Unauthorized")
        if path.endswith("/selfsubjectaccessreviews"):
            return 201, {
                "status": {"allowed": self.may(json.loads(self.sent[-1])["spec"]["resourceAttributes"])}
            }
        if "watch" in query and not self.watches:
            return 403, _status(f"may not watch {path}")
        if path == "/api/v1/namespaces/kube-system":
            return 200, {"kind": "Namespace", "metadata": {"name": "kube-system", "uid": self.uid}}
        if path == "/version":
            return 200, {"major": "1", "minor": "36", "gitVersion": "v1.36.1"}
        if path == "/apis":
            return 200, {"groups": _groups()}
        prefix, _, last = path.rpartition("/")
        for version, resources in _RESOURCES.items():
            base = f"/api/{version}" if version == "v1" else f"/apis/{version}"
            if path == base:
                return 200, {"resources": [_served(name, kind) for name, kind in resources.items()]}
            if prefix == base and last in resources:
                return self._list(last, resources[last], version, query)
        if "/configmaps/" in path:
            namespace = path.split("/")[4]
            for one in self._of("ConfigMap"):
                if (one["metadata"]["namespace"], one["metadata"]["name"]) == (namespace, last):
                    return 200, one
        return 404, _status(f"{path} is not found")

    def may(self, asked: Object) -> bool:
        """Tell what the account may do: list what is not forbidden, and `beyond` that."""
        if asked["verb"] == "list":
            return asked["resource"] not in self.forbidden
        return f"{asked['verb']} {asked['resource']}" in self.beyond

    def _list(self, name: str, kind: str, version: str, query: dict[str, str]) -> tuple[int, Object]:
        if name in self.forbidden:
            return 403, _status(f"{name} is forbidden")
        if name in self.fails:
            return 500, _status("no answer from a webhook")
        if "continue" in query and self.forgets:
            self.forgets -= 1
            return 410, {**_status("too old"), "metadata": {"continue": "late:" + query["continue"]}}
        found = self._of(kind)
        start = int(query.get("continue", "0").removeprefix("late:"))
        end = start + int(query.get("limit", len(found) or 1))
        metadata = {
            "resourceVersion": str(self.version),
            **({"continue": str(end)} if self.is_endless or end < len(found) else {}),
        }
        items = [{key: one[key] for key in one if key not in ("kind", "apiVersion")} for one in found]
        listed = {"kind": f"{kind}List", "apiVersion": version, "metadata": metadata}
        return 200, {**listed, "items": items[start:end]}

    def _of(self, kind: str) -> list[Object]:
        return sorted((one for one in self.objects if one["kind"] == kind), key=_name)


def _name(document: Object) -> tuple[str, str]:
    metadata = document["metadata"]
    return document["kind"], f"{metadata.get('namespace', '')}/{metadata['name']}"


@contextmanager
def api_server(objects: list[Object], folder: Path) -> Iterator[FakeApiServer]:
    """Serve objects for as long as the block runs; the folder gets a kubeconfig."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            running.sent.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.do_GET()

        def do_GET(self) -> None:
            running.asked.append(self.path)
            parts = urlparse(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            status, document = running.answer(parts.path, query, self.headers.get("Authorization", ""))
            body = json.dumps(document).encode() if running.garbage is None else running.garbage
            if running.drips:
                with suppress(OSError):
                    for _ in range(40):
                        self.wfile.write(b"H")
                        sleep(0.05)
                return
            if "watch" in query and status == 200:
                events = running.events(parts.path, query)
                body = b"".join(json.dumps(event).encode() + b"\n" for event in events)
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", running.url + "/version")
            if status == 429:
                self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    running = FakeApiServer(objects, server.server_port, folder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()


def _served(name: str, kind: str) -> Object:
    return {"name": name, "kind": kind, "verbs": ["get", "list"]}


def _groups() -> list[Object]:
    versions: dict[str, list[Object]] = {}
    for version in _RESOURCES:
        if "/" in version:
            versions.setdefault(version.partition("/")[0], []).append({"groupVersion": version})
    return [{"name": name, "versions": own, "preferredVersion": own[0]} for name, own in versions.items()]


def _status(message: str) -> Object:
    return {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message}
