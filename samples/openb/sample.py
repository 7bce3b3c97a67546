"""The trace as a file to import."""

import json

from samples.openb.conversion import NODES_FILE, PODS_FILE, convert, read_table


def openb_files() -> list[tuple[str, bytes]]:
    """Return the converted trace as one JSON List."""
    converted = convert(read_table(NODES_FILE), read_table(PODS_FILE))
    return [("openb.json", json.dumps(converted).encode())]
