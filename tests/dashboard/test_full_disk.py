"""The whole product on a disk that is really full: a small tmpfs, which only root can mount.

What needs no such rights is in test_reading_in_an_outage, test_making_room, test_outages and test_health.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders import node, pod
from tests.dashboard.rows import listing
from tests.fixtures.database import only_sqlite
from tests.fixtures.stack import Stack, running_stack, wait_until

MEGABYTE = 1024 * 1024
DISK_MEGABYTES = 160
SNAPSHOTS = "/api/v1/snapshots/"
ROOMY_PODS = 6000


def can_mount(folder: Path) -> bool:
    return sys.platform == "linux" and os.geteuid() == 0 and _mount(folder).returncode == 0


def _mount(folder: Path) -> "subprocess.CompletedProcess[bytes]":
    options = f"size={DISK_MEGABYTES}m"
    return subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A data folder on a disk of its own."""
    folder = tmp_path / "data"
    folder.mkdir()
    if not can_mount(folder):
        pytest.skip("mounting a small disk takes root on Linux")
    folder.chmod(0o700)
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Take all that is left of the disk, to the last byte."""
    path = folder / "filler"
    with path.open("ab", buffering=0) as file:
        for size in (MEGABYTE, 4096, 1):
            while True:
                try:
                    file.write(b"x" * size)
                except OSError:
                    break
    return path


def large_cluster() -> bytes:
    nodes = [node(f"node-{number}", pods="1000") for number in range(10)]
    pods = [
        pod(f"pod-{number}", on=f"node-{number % 10}", annotations={"seed": os.urandom(400).hex()})
        for number in range(ROOMY_PODS)
    ]
    return listing(*nodes, *pods)


def incompressible() -> bytes:
    """More than SQLite's log still has room for."""
    return b"{" + os.urandom(60 * MEGABYTE).hex().encode()


def status_of(stack: Stack, pk: int) -> str:
    return str(stack.request("GET", f"{SNAPSHOTS}{pk}/progress/")[1]["status"])


def readiness(stack: Stack) -> tuple[int, dict[str, Any]]:
    """What `/readyz` answers: the status, and word by word of each part."""
    status, parts = stack.request("GET", "/readyz")
    return status, dict(parts)


def imported(stack: Stack, name: str) -> int:
    status, answer = stack.request("POST", f"{SNAPSHOTS}?name={name}", large_cluster())
    assert status == 202, answer
    wait_until(lambda: status_of(stack, answer["id"]) != "importing")
    assert status_of(stack, answer["id"]) == "ready"
    return int(answer["id"])


@only_sqlite
def test_a_full_disk_is_told_and_deleting_makes_room(small_disk: Path) -> None:
    with running_stack(small_disk.parent) as stack:
        first, second = imported(stack, "first"), imported(stack, "second")
        assert (stack.data_folder / "reserve").exists()
        fill(small_disk)
        wait_until(lambda: readiness(stack)[1]["database"] == "ok")  # it may answer late once
        ready = readiness(stack)
        assert (ready[0], ready[1]["database"]) == (503, "ok")
        assert (ready[1]["writing"], ready[1]["space"]) == ("unavailable", "low")
        status, problem = stack.request("POST", f"{SNAPSHOTS}?name=third", incompressible())
        assert (status, problem["title"]) == (507, "Insufficient Storage")
        assert stack.request("GET", SNAPSHOTS)[0] == 200
        assert stack.request("GET", f"{SNAPSHOTS}{first}/pods/?search=pod-17")[0] == 200
        assert stack.request("DELETE", f"{SNAPSHOTS}{first}/")[0] == 204
        assert stack.request("GET", f"{SNAPSHOTS}{first}/")[0] == 404
        assert stack.request("GET", f"{SNAPSHOTS}{second}/")[0] == 200
        assert imported(stack, "fourth") > second
