"""What is played: three clusters with a scenario each, and what an undisturbed run of it decided."""

import gzip
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

import yaml

from samples.openb.sample import openb_files
from samples.teaching.sample import teaching_files, teaching_scenarios

PACED_PODS = 150
PACED_RATE = 10.0
LARGE_PODS = 2_000
_DIGEST_BYTES = 8


@dataclass
class Play:
    """A scenario: `cluster` as JSON to import, and after its undisturbed run the digest of each decision.

    `log` is what REST answers, `stream` what the socket sends, byte for byte. rate: decisions a second when
    it is played again, None for as fast as possible.
    """

    name: str
    cluster: bytes
    edits: list[dict[str, Any]] = field(default_factory=list)
    rate: float | None = None
    snapshot: int = 0
    log: list[bytes] = field(default_factory=list)
    stream: list[bytes] = field(default_factory=list)


@dataclass
class Upload:
    """A body to import, and the content hash of its undisturbed import."""

    name: str
    body: bytes
    content_type: str
    content_hash: str = ""


def plays() -> list[Play]:
    """The scenarios: a small one, one at a walking pace, and one as large as it gets."""
    _, edits = teaching_scenarios()[-1]
    return [
        Play("small", _teaching(), edits),
        Play("paced, 1,523 nodes", _openb(PACED_PODS), rate=PACED_RATE),
        Play("large, 1,523 nodes", _openb(LARGE_PODS)),
    ]


def uploads() -> list[Upload]:
    """Bodies that are imported again and again: one is answered at once, a worker reads the other."""
    return [
        Upload("small, at once", _teaching(), "application/json"),
        Upload("large, by a worker", gzip.compress(openb_files()[0][1], mtime=0), "application/gzip"),
    ]


def digest(decision: bytes) -> bytes:
    """A short mark of a decision's bytes."""
    return hashlib.blake2b(decision, digest_size=_DIGEST_BYTES).digest()


def _teaching() -> bytes:
    documents = [one for _, text in teaching_files() for one in yaml.safe_load_all(text) if one]
    items = [item for one in documents for item in (one["items"] if one["kind"] == "List" else [one])]
    return _list_of(items)


def _openb(pods: int) -> bytes:
    """All nodes of the trace with the first pods of it."""
    items = json.loads(openb_files()[0][1])["items"]
    tasks = [item for item in items if item["kind"] == "Pod"]
    return _list_of([*(item for item in items if item["kind"] != "Pod"), *tasks[:pods]])


def _list_of(items: list[dict[str, Any]]) -> bytes:
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, default=str).encode()
