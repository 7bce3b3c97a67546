"""What broke in a soak and what was counted: filled by several threads, printed and written at the end."""

import json
import statistics
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.figures import machine, shown

SHOWN_PER_KIND = 5
_WIDTH = 60


@dataclass
class Findings:
    """`broken` holds sentences by kind; `counts` and `seconds` what happened, how often, how long."""

    began: float = field(default_factory=time.monotonic)
    broken: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    counts: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    memory: dict[str, dict[str, float]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def broke(self, kind: str, sentence: str) -> None:
        """Note that the product broke a promise, with the moment, and say so at once."""
        with self.lock:
            moment = time.monotonic() - self.began
            self.broken[kind].append(f"{moment:.0f} s: {sentence}")
            if len(self.broken[kind]) <= SHOWN_PER_KIND:
                print(f"  broken after {moment:.0f} s: {kind}: {sentence}", flush=True)

    def count(self, what: str, number: int = 1) -> None:
        """Count what happened."""
        with self.lock:
            self.counts[what] += number

    def took(self, what: str, seconds: float) -> None:
        """Count what happened, with the seconds that it took."""
        with self.lock:
            self.counts[what] += 1
            self.seconds[what].append(seconds)

    def print_tables(self) -> None:
        """Print what was counted, the memory, and what broke."""
        print(f"\n{'':{_WIDTH}}{'count':>8}{'median s':>10}{'longest s':>10}")
        for what, number in sorted(self.counts.items()):
            times = self.seconds.get(what)
            spread = f"{shown(statistics.median(times)):>10}{shown(max(times)):>10}" if times else ""
            print(f"  {what:{_WIDTH - 2}}{number:>8,}{spread}")
        print(f"\n{'memory, median MiB of a process':{_WIDTH}}{'first':>8}{'last':>10}{'most':>10}")
        for name, one in sorted(self.memory.items()):
            first, last, most = (shown(one[which]) for which in ("first", "last", "most"))
            print(f"  {name:{_WIDTH - 2}}{first:>8}{last:>10}{most:>10}")
        print("\nNothing broke." if not self.broken else "\nBroken:")
        for kind, sentences in sorted(self.broken.items()):
            print(f"  {kind}: {len(sentences)}")
            for sentence in sentences[:SHOWN_PER_KIND]:
                print(f"    {sentence}")

    def write(self, path: Path, asked: dict[str, Any]) -> None:
        """Write all of it as JSON, with the machine and what was asked for."""
        document = {
            "asked": asked,
            "machine": machine(),
            "counts": dict(sorted(self.counts.items())),
            "seconds": {
                what: {"median": round(statistics.median(times), 2), "longest": round(max(times), 2)}
                for what, times in sorted(self.seconds.items())
            },
            "memory_mib": {
                name: {which: round(value, 1) for which, value in one.items()}
                for name, one in sorted(self.memory.items())
            },
            "broken": {kind: sentences[:SHOWN_PER_KIND] for kind, sentences in sorted(self.broken.items())},
        }
        path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
