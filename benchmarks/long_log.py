"""A log of any length through the real log writer: a recorded run, repeated with other pods and later clocks.

``python -m benchmarks.long_log RUN DECISIONS`` makes a run beside a finished one whose cluster is at its end
as it was at its start, writes its log over and over as a worker would, and prints JSON: a line with the new
run's number at once, and one with seconds of CPU by part at the end. Its decisions can't be explained.
"""

import argparse
import json
import os
import re
import time
from collections.abc import Iterator
from typing import Any

import django

CHECKPOINT_EVERY = 1000
INSTANTS = re.compile(rb'"(time|since|until|latest|seq|cause)":(\d+)')
UIDS = re.compile(rb"([0-9a-f]{8})-[0-9a-f]{4}-(5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})")
NUMBERS = (b"seq", b"cause")


def main() -> None:
    """Write the log and print what it took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.long_log", description=__doc__)
    parser.add_argument("run", type=int)
    parser.add_argument("decisions", type=int)
    parser.add_argument("--rate", type=float, help="decisions a second (default: as fast as it goes)")
    chosen = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    django.setup()
    write(chosen.run, chosen.decisions, chosen.rate)


def write(source: int, decisions: int, rate: float | None) -> None:
    """Write so many decisions into a new run."""
    import msgspec

    from dashboard.models import Run
    from dashboard.queries.resuming import stored_lines
    from dashboard.services.background import recording
    from dashboard.services.background.execution import CHUNK_DECISIONS
    from dashboard.services.results.run_sums import sums_of_run
    from scheduler_core.events.decisions import decision_decoder, encoder
    from scheduler_core.events.fold import Fold
    from scheduler_core.events.state import RunState

    run = Run.objects.get(pk=source)
    lines = list(stored_lines(source, 0))
    base = msgspec.json.decode(run.base_json() or b"", type=RunState)
    new = _beside(run)
    print(json.dumps({"run": new.pk}), flush=True)
    lease, fold = recording.Lease(new.pk, new.owner, new.attempt), Fold(base)
    spent = {"append": 0.0, "checkpoints": 0.0}
    start, unstored, chunks, checkpointed = time.monotonic(), [], 0, 0
    for seq, line in enumerate(_repeated(lines, decisions), 1):
        decision = decision_decoder.decode(line)
        fold.apply(decision)
        unstored.append(decision)
        if len(unstored) < CHUNK_DECISIONS and seq < decisions:
            continue
        chunks += 1
        spent["append"] += _timed(recording.append_chunk, lease, chunks, unstored, {"stage": "deciding"})
        unstored = []
        if seq >= checkpointed + CHECKPOINT_EVERY:
            checkpointed = seq
            state = encoder.encode(fold.state())
            spent["checkpoints"] += _timed(recording.save_checkpoint, lease, seq, b"", state)
        if rate:
            time.sleep(max(0.0, start + seq / rate - time.monotonic()))
    recording.finish(lease, "finished")
    if not rate:
        spent["sums"] = _timed(sums_of_run, new.pk)
    print(json.dumps({"run": new.pk, "decisions": decisions, **spent}), flush=True)


def _beside(run: Any) -> Any:
    """Return a run of the same input that this process writes."""
    from django.utils import timezone

    fields = [field.name for field in run._meta.concrete_fields if field.name != "id"]
    kept = {field: getattr(run, field) for field in fields}
    now = timezone.now()
    fresh = {"status": "running", "owner": "benchmark", "attempt": 1, "heartbeat_at": now, "decisions": 0}
    fresh["engine_version"] = "repeated"  # no engine decides it again, and none is to try
    empty = {"finished_at": None, "outcome": None, "over_time": None}
    return type(run).objects.create(**{**kept, **fresh, **empty})


def _repeated(lines: list[bytes], decisions: int) -> Iterator[bytes]:
    """Yield so many lines: the recorded ones again and again, each time with other pods and later."""
    length = len(lines)
    span = 1000 * (json.loads(lines[-1])["time"] // 1000 + 2)
    for number in range(decisions):
        at, place = divmod(number, length)
        yield _later(lines[place], at * length, at * span, b"%04x" % at) if at else lines[place]


def _later(line: bytes, decisions: int, milliseconds: int, mark: bytes) -> bytes:
    def shifted(found: re.Match[bytes]) -> bytes:
        by = decisions if found[1] in NUMBERS else milliseconds
        return b'"%s":%d' % (found[1], int(found[2]) + by)

    return UIDS.sub(rb"\1-" + mark + rb"-\2", INSTANTS.sub(shifted, line))


def _timed(act: Any, *arguments: Any) -> float:
    start = time.process_time()
    act(*arguments)
    return time.process_time() - start


if __name__ == "__main__":
    main()
