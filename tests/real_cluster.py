"""A real control plane for tests: kube-apiserver and kube-scheduler by a program, and kubectl beside it.

`KUBECLUSTER` names the program: `PROGRAM up --dir FOLDER --port PORT` makes a new cluster, writes
`FOLDER/kubeconfig`, and `FOLDER/ready` once it is there.
"""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PROGRAM = os.environ.get("KUBECLUSTER", "")
WHY_NOT = "KUBECLUSTER names no program that starts a kube-apiserver and a kube-scheduler"
START_SECONDS = 90
PORTS = 3


class RealCluster:
    """A cluster that runs."""

    def __init__(self, folder: Path) -> None:
        self._kubectl = [str(Path(PROGRAM).with_name("kubectl")), "--kubeconfig", str(folder / "kubeconfig")]

    def kubectl(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """Call kubectl, with `given` on its input."""
        command = [*self._kubectl, *arguments]
        return subprocess.run(command, input=given, capture_output=True, text=True, timeout=60)

    def apply(self, *objects: dict[str, Any]) -> None:
        """Apply objects, which must be let in; what needs a controller's work first is tried again."""
        text = msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": list(objects)}).decode()
        wait_for(lambda: self.kubectl("apply", "-f", "-", given=text).returncode == 0)

    def create(self, document: dict[str, Any]) -> str:
        """Create an object; return why it is refused, empty if it isn't."""
        text = msgspec.json.encode(document).decode()
        done = self.kubectl("create", "-f", "-", given=text)
        return done.stderr if done.returncode else ""

    def get(self, kind: str, name: str) -> dict[str, Any]:
        """Return an object of the namespace default."""
        done = self.kubectl("get", kind, name, "-o", "json")
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = msgspec.json.decode(done.stdout)
        return found


@contextmanager
def real_cluster(folder: Path, *arguments: str) -> Iterator[RealCluster]:
    """Start a cluster with further arguments of the program, and stop it at the end."""
    command = [PROGRAM, "up", "--dir", str(folder), "--port", str(_free_ports()), *arguments]
    with (folder.parent / "up.log").open("w") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_for(lambda: (folder / "ready").exists() or running.poll() is not None, START_SECONDS)
        assert running.poll() is None, (folder.parent / "up.log").read_text()
        yield RealCluster(folder)
    finally:
        running.terminate()
        running.wait(30)


def wait_for(condition: Any, seconds: float = 30) -> None:
    """Wait until the condition is true; fail after so many seconds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.2)


def own_certificate(folder: Path) -> tuple[Path, bytes]:
    """Make a certificate of 127.0.0.1 that signs itself; return the file with its key, and itself as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sandtable")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = made.public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / "own.pem"
    file.write_bytes(pem + secret)
    return file, pem


def _free_ports() -> int:
    """Return the first of ports that nobody listens on."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            first = int(probe.getsockname()[1])
        if first + PORTS < 65_536 and all(map(_is_free, range(first, first + PORTS))):
            return first


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0
