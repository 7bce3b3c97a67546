"""The command `python -m scheduler_core decide < cases.jsonl > answers.jsonl`."""

import argparse
import gzip
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import BinaryIO

import msgspec

from recorded.decide import decide_line

_GZIP_MAGIC = b"\x1f\x8b"


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m scheduler_core", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    decide = commands.add_parser("decide", help="answer recorded cases, one JSON object a line")
    decide.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: cores)")
    options = parser.parse_args(arguments)
    _decide(sys.stdin.buffer, sys.stdout.buffer, max(1, options.workers))
    return 0


def _decide(source: BinaryIO, target: BinaryIO, workers: int) -> None:
    lines = [line for line in _lines(source) if line.strip()]
    if workers == 1 or len(lines) < 2:
        for line in lines:
            _write(target, decide_line(line))
        return
    with ProcessPoolExecutor(workers) as pool:
        for answer in pool.map(decide_line, lines, chunksize=max(1, min(8, len(lines) // workers))):
            _write(target, answer)


def _lines(source: BinaryIO) -> Iterator[bytes]:
    data = source.read()
    yield from (gzip.decompress(data) if data.startswith(_GZIP_MAGIC) else data).split(b"\n")


def _write(target: BinaryIO, answer: dict[str, object]) -> None:
    target.write(msgspec.json.encode(answer) + b"\n")
    target.flush()
