"""Programs that a kubeconfig names for credentials, where the server's operator allows to run them.

The client's own plugins are never used: what is run here is one of a list, without a shell, within a time and
a number of bytes, and with no variables of this process.

Source: kubernetes v1.36 staging/src/k8s.io/client-go/plugin/pkg/client/auth/exec/exec.go, and
staging/src/k8s.io/client-go/pkg/apis/clientauthentication.
"""

from __future__ import annotations

import os
import signal
import subprocess
from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import PurePosixPath
from threading import Event, Timer
from typing import Any

import msgspec

from scheduler_core.objects.problems import BadInput, Problem

VARIABLE = "SANDTABLE_CLUSTER_COMMANDS"
SECONDS = 20.0
MOST_BYTES = 256 * 1024
_GROUP = "client.authentication.k8s.io/"
_VERSIONS = (f"{_GROUP}v1", f"{_GROUP}v1beta1")
_NEVER = "Always"
"""Of `interactiveMode`: there is nobody to talk to."""
_OF_THE_LOADER = ("LD_", "DYLD_", "GLIBC_")
"""How variables begin by which a program is another one than its path says."""

Object = dict[str, Any]


class _Status(msgspec.Struct, rename="camel"):
    token: str = ""
    client_certificate_data: str = ""
    client_key_data: str = ""
    expiration_timestamp: str = ""


class _Credential(msgspec.Struct, rename="camel"):
    api_version: str
    kind: str
    status: _Status


def allowed(command: str, commands: Collection[str]) -> str | None:
    """Return the allowed path that a command names: itself, or by its last part; None if there is none.

    kubectl looks for a name without a slash in PATH; here it is looked for among the allowed.
    """
    if "/" in command:
        return command if command in commands else None
    return next((path for path in commands if PurePosixPath(path).name == command), None)


def faults(place: str, wanted: Any, commands: Collection[str]) -> Iterator[Problem]:
    """Yield what is wrong with the `exec` of a user, at this place of a kubeconfig."""
    if not isinstance(wanted, dict) or not isinstance(wanted.get("command"), str):
        yield Problem("", f"{place}.command", "must name a program")
        return
    command = wanted["command"]
    if allowed(command, commands) is None:
        said = f"{command[:200]}, which {VARIABLE} of this server does not name; use a token"
        yield Problem("", f"{place}.command", f"runs a program for credentials: {said}")
    if wanted.get("apiVersion") not in _VERSIONS:
        yield Problem("", f"{place}.apiVersion", f"must be one of {', '.join(_VERSIONS)}")
    if wanted.get("interactiveMode") == _NEVER:
        yield Problem("", f"{place}.interactiveMode", "is Always, but there is nobody to talk to")
    arguments = wanted.get("args") or []
    if not isinstance(arguments, list) or not all(_is_text(one) for one in arguments):
        yield Problem("", f"{place}.args", "must be a list of texts")
    variables = wanted.get("env") or []
    if not isinstance(variables, list) or not all(_is_variable(one) for one in variables):
        yield Problem("", f"{place}.env", "must be a list of names with values")
    elif any(one["name"].upper().startswith(_OF_THE_LOADER) for one in variables):
        yield Problem("", f"{place}.env", "has a variable that changes what is run")


def plain(wanted: Object, commands: Collection[str]) -> Object:
    """Return of an `exec` without faults what is kept of it, with the allowed path as its command."""
    return {
        "apiVersion": wanted["apiVersion"],
        "command": allowed(wanted["command"], commands),
        "args": wanted.get("args") or [],
        "env": [{"name": one["name"], "value": one["value"]} for one in wanted.get("env") or []],
        "provideClusterInfo": wanted.get("provideClusterInfo") is True,
    }


def credentials(wanted: Object, cluster: Mapping[str, Any]) -> Object:
    """Run the program, and return the user's fields that it answers. Raises BadInput."""
    command = wanted["command"]
    answer = _printed(command, wanted, cluster)
    try:
        credential = msgspec.json.decode(answer, type=_Credential)
    except (msgspec.DecodeError, UnicodeDecodeError):  # whose text may quote the answer
        raise _wrong(command, "printed no ExecCredential with a status") from None
    if (credential.kind, credential.api_version) != ("ExecCredential", wanted["apiVersion"]):
        raise _wrong(command, f"printed something else than an ExecCredential of {wanted['apiVersion']}")
    status = credential.status
    if not status.token and not (status.client_certificate_data and status.client_key_data):
        raise _wrong(command, "printed neither a token nor a certificate with its key")
    if status.expiration_timestamp and _is_past(command, status.expiration_timestamp):
        raise _wrong(command, f"printed credentials that ended at {status.expiration_timestamp[:40]}")
    found = {
        "token": status.token,
        "client-certificate-data": b64encode(status.client_certificate_data.encode()).decode(),
        "client-key-data": b64encode(status.client_key_data.encode()).decode(),
    }
    return {field: value for field, value in found.items() if value}


def _printed(command: str, wanted: Object, cluster: Mapping[str, Any]) -> bytes:
    environment = {one["name"]: one["value"] for one in wanted["env"]}
    environment["KUBERNETES_EXEC_INFO"] = _info(wanted, cluster)
    try:
        process = subprocess.Popen(
            [command, *wanted["args"]],
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # it may quote credentials
            start_new_session=True,
        )
    except OSError as error:
        raise _wrong(command, f"cannot be run: {error.strerror}") from None
    late = Event()

    def give_up() -> None:
        late.set()
        _end(process)

    timer = Timer(SECONDS, give_up)
    timer.start()
    try:
        assert process.stdout is not None  # noqa: S101  for the type checker
        with process.stdout:
            text = process.stdout.read(MOST_BYTES + 1)
        if len(text) <= MOST_BYTES:
            process.wait()
    finally:
        timer.cancel()
        _end(process)
    if late.is_set():
        raise _wrong(command, f"took more than {SECONDS:g} s")
    if len(text) > MOST_BYTES:
        raise _wrong(command, f"printed more than {MOST_BYTES:,} bytes")
    if process.returncode:
        raise _wrong(command, f"ended with {process.returncode}")
    return text


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the program with whatever it began, however far it is."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _info(wanted: Object, cluster: Mapping[str, Any]) -> str:
    """Return what a program is told, by the variable that client-go gives it."""
    spec: Object = {"interactive": False}
    if wanted["provideClusterInfo"]:
        spec["cluster"] = {
            field: cluster[field]
            for field in (
                "server",
                "tls-server-name",
                "insecure-skip-tls-verify",
                "certificate-authority-data",
            )
            if field in cluster
        }
    return msgspec.json.encode(
        {"apiVersion": wanted["apiVersion"], "kind": "ExecCredential", "spec": spec}
    ).decode()


def _is_past(command: str, text: str) -> bool:
    try:
        moment = datetime.fromisoformat(text)
        return moment <= datetime.now(UTC)
    except (ValueError, TypeError):
        raise _wrong(command, "printed an expirationTimestamp that is no time with a zone") from None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_variable(one: Any) -> bool:
    if not isinstance(one, dict) or not _is_text(one.get("name")) or not _is_text(one.get("value")):
        return False
    return bool(one["name"]) and "=" not in one["name"]


def _wrong(command: str, message: str) -> BadInput:
    return BadInput([Problem("", "exec", f"{command} {message}")])
