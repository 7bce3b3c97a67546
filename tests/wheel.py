"""``python -m tests.wheel DIST``: build the wheel, install it into a clean environment, start it and ask it.

The environment gets what the wheel itself asks for. Sandtable starts in an empty folder, far from the
checkout: what the wheel lacks fails here. Exits with 0 if the first page, a script and `/readyz` answer.
"""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

PROJECT = Path(__file__).resolve().parent.parent
START_SECONDS = 120.0


def build(folder: Path) -> Path:
    """Build the wheel into the folder and return its path."""
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps")
    subprocess.run([*pip, "--wheel-dir", str(folder), str(PROJECT)], check=True)
    return max(folder.glob("sandtable-*.whl"), key=lambda path: path.stat().st_mtime)


def try_out(wheel: Path, scratch: Path) -> None:
    """Install the wheel below `scratch` and start it there. Raises what fails first."""
    venv.create(scratch / "venv", with_pip=True)
    programs, empty, data = scratch / "venv" / "bin", scratch / "empty", scratch / "data"
    pip = (str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    subprocess.run([*pip, str(wheel)], check=True)
    empty.mkdir()
    port = _free_port()
    own = {"PATH": os.environ["PATH"], "HOME": str(scratch), "PORT": str(port), "DATA_DIR": str(data)}
    up = subprocess.Popen([str(programs / "sandtable"), "up", "--no-samples"], cwd=empty, env=own)
    try:
        _ask(f"http://127.0.0.1:{port}")
    finally:
        up.terminate()
        up.wait()
    if list(empty.iterdir()):
        raise SystemExit("The start left files where it was called.")


def _ask(address: str) -> None:
    page = _read(f"{address}/accounts/sign-in/")
    script = re.search(r'src="(/static/[^"]+\.js)"', page)
    if script is None:
        raise SystemExit("The first page names no script.")
    _read(f"{address}{script[1]}")
    print(_read(f"{address}/readyz"))


def _read(address: str) -> str:
    """Return what is answered with 200 within START_SECONDS."""
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            with urlopen(address) as answer:
                return str(answer.read().decode())
        except URLError as error:
            if time.monotonic() > end:
                raise SystemExit(f"{address}: {error}") from error
            time.sleep(0.5)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        try_out(build(target), Path(folder))
