"""The trace as files to import, and what happens in its scenarios."""

import json
from typing import Any

from samples.openb.conversion import NODES_FILE, PODS_FILE, convert, convert_empty, read_table
from samples.openb.hami import convert_empty_for_hami, convert_for_hami, manifest_for_hami
from samples.openb.timed import arrivals, trace_end


def openb_files() -> list[tuple[str, bytes]]:
    """Return the converted trace as one JSON List: every task is pending."""
    converted = convert(read_table(NODES_FILE), read_table(PODS_FILE))
    return [("openb.json", json.dumps(converted).encode())]


def openb_empty_files() -> list[tuple[str, bytes]]:
    """Return the trace's cluster before its first task as one JSON List."""
    converted = convert_empty(read_table(NODES_FILE), read_table(PODS_FILE))
    return [("openb-nodes.json", json.dumps(converted).encode())]


def openb_arrivals() -> list[dict[str, Any]]:
    """Return the edits by which all tasks of the trace come at their instants."""
    return arrivals(read_table(PODS_FILE))


def openb_hami_files() -> list[tuple[str, bytes]]:
    """Return the trace with single cards as one JSON List: every task is pending."""
    converted = convert_for_hami(read_table(NODES_FILE), read_table(PODS_FILE))
    return [("openb-hami.json", json.dumps(converted).encode())]


def openb_hami_empty_files() -> list[tuple[str, bytes]]:
    """Return the trace's cluster with single cards, before its first task, as one JSON List."""
    converted = convert_empty_for_hami(read_table(NODES_FILE))
    return [("openb-hami-nodes.json", json.dumps(converted).encode())]


def openb_hami_arrivals() -> list[dict[str, Any]]:
    """Return the edits by which all tasks of the trace come at their instants and ask HAMi for cards."""
    return arrivals(read_table(PODS_FILE), manifest_for_hami)


def openb_seconds() -> float:
    """Return how long the trace lasts."""
    return float(trace_end(read_table(PODS_FILE)))
