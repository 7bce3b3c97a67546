"""A real control plane, started for the proof, and the program that plays cases on it.

`CLUSTER_PEER` names the folder with both: `.bin/kubecluster up --dir DIR --port PORT` starts one, and
`play.py --dir DIR --repeat TIMES --out FOLDER FILE` plays cases there and writes what became of each.
"""

from __future__ import annotations

import gzip
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Object = dict[str, Any]
_PATIENCE = 300


class ControlPlane:
    """One that runs, in a work folder."""

    def __init__(self, peer: Path, folder: Path) -> None:
        self._peer = peer
        self._folder = folder
        self._played = 0

    def play(self, case: Object, times: int = 1) -> tuple[Object | None, str]:
        """Return a case with what became of it, None if that wasn't the same each time; and what was said."""
        self._played += 1
        out, file = self._folder / f"out-{self._played}", self._folder / "case.json"
        file.write_text(json.dumps(case))
        command = [sys.executable, self._peer / "play.py", "--dir", self._folder / "cluster", "--out", out]
        done = subprocess.run(
            [*command, "--repeat", str(times), file], capture_output=True, text=True, check=False
        )
        written = list(out.glob("*.json.gz")) if out.exists() else []
        if not written:
            return None, (done.stdout + done.stderr).strip()
        recorded: Object = json.loads(gzip.decompress(written[0].read_bytes()))
        return recorded, done.stdout.strip()


@contextmanager
def running(peer: Path) -> Iterator[ControlPlane]:
    """Start a control plane, and stop it in the end. Raises TimeoutError if it doesn't come up."""
    with tempfile.TemporaryDirectory(prefix="sandtable-proof-") as name:
        folder = Path(name)
        (folder / "cluster").mkdir()
        command = [peer / ".bin/kubecluster", "up", "--dir", folder / "cluster", "--port", str(_free_port())]
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
            try:
                _wait_for(folder / "cluster/ready", process, folder / "log")
                yield ControlPlane(peer, folder)
            finally:
                process.terminate()
                process.wait()


def _wait_for(file: Path, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not file.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            raise TimeoutError(f"the control plane did not start: {log.read_text()[-500:]}")
        time.sleep(0.2)


def _free_port() -> int:
    """Return a port behind which two more are likely free: etcd takes them."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port - port % 10
