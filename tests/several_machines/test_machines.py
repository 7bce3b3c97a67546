"""Machines are told apart as real ones are, lose packets in silence, and leave nothing behind."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.prepared import PROJECT
from tests.several_machines.machines import INSIDE, OWN_SPACE, missing

SCRIPT = """
import json, os, subprocess, sys
from pathlib import Path
from tests.several_machines.machines import enter, network

REACH = ["bash", "-c", "timeout 0.5 bash -c '</dev/tcp/10.107.0.1/9'; echo $?"]
ASK = [sys.executable, "-c", "import django; django.setup(); " +
    "from dashboard.services.background.leases import machine; print(machine())"]
enter("", [])
with network(Path(sys.argv[1]), ["one", "two"]) as machines:
    one, two = machines.values()
    told = {"names": [m.call(ASK, os.environ).strip() for m in (one, two)]}
    refused = one.call(REACH, os.environ).strip()
    one.pull_cable()
    silent = one.call(REACH, os.environ).strip()
    one.plug_cable()
    told["reached"] = [refused, silent, one.call(REACH, os.environ).strip()]
    two.start("sleep", ["sleep", "600"], os.environ)
    two.signal("sleep", "STOP")
    two.kill("sleep")
    two.start("sleep", ["sleep", "600"], os.environ)
    two.lose_power()
    two.power_on()
    told["names"].append(two.call(ASK, os.environ).strip())
print(json.dumps(told))
"""
REFUSED, VANISHED = "1", "124"


@pytest.mark.skipif(bool(missing()), reason=missing() or "there are machines")
def test_machines_have_names_of_their_own_and_a_pulled_cable_says_nothing(tmp_path: Path) -> None:
    own = {**os.environ, INSIDE: "1", "PYTHONPATH": str(PROJECT), "DATA_DIR": str(tmp_path / "data")}
    own["DJANGO_SETTINGS_MODULE"] = "dashboard.settings"
    command = [*OWN_SPACE, sys.executable, "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(command, env=own, cwd=PROJECT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len(set(told["names"])) == 3, "a machine that booted again is another one to a lease"
    assert [name.partition("/")[0] for name in told["names"]] == ["one", "two", "two"]
    assert told["reached"] == [REFUSED, VANISHED, REFUSED]
