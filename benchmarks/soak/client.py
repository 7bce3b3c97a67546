"""A careful REST client: it waits and asks again while there is no answer, and starts nothing twice."""

import http.client
import json
import time
import uuid
from collections.abc import Callable
from typing import Any

from benchmarks.soak.findings import Findings
from tests.fixtures.stack import Stack

PATIENCE_SECONDS = 180
FIRST_PAUSE = 0.25
LONGEST_PAUSE = 4.0
UNAVAILABLE = (502, 503, 504)
SERVER_FAULT = 500

Answer = dict[str, Any]


class Refused(Exception):
    """The product said no, or nothing at all for too long."""


class Client:
    """Speaks REST with one stack, in one thread at a time."""

    def __init__(self, stack: Stack, findings: Findings) -> None:
        self.stack = stack
        self.findings = findings

    def get(self, path: str) -> Any:
        """Read an address, however long it takes to answer."""
        return self._patiently("GET", path, lambda: self._ask("GET", path))

    def change(self, method: str, path: str, data: Any = None) -> Any:
        """Send what may be sent twice without harm: a deletion, a wish of a run."""
        return self._patiently(method, path, lambda: self._ask(method, path, data))

    def create(self, path: str, data: Any, find: str, content_type: str = "application/json") -> Answer:
        """POST once: if the answer is lost, look with `find` whether it was done before trying again."""
        headers = {"Idempotency-Key": str(uuid.uuid4()), "Content-Type": content_type}
        lost = False

        def attempt() -> tuple[int, Any]:
            nonlocal lost
            if lost:
                done = self._ask("GET", find)
                if done[0] != 200 or done[1]["results"]:
                    return done
            lost = True
            return self._ask("POST", path, data, headers)

        answer = self._patiently("POST", path, attempt)
        return answer["results"][0] if "results" in answer else answer

    def _ask(self, method: str, path: str, data: Any = None, headers: Any = None) -> tuple[int, Any]:
        return self.stack.request(method, path, data, headers=headers)

    def _patiently(self, method: str, path: str, attempt: Callable[[], tuple[int, Any]]) -> Any:
        """Try until there is an answer that is about the question; raises Refused for a no or for none."""
        began, pause, reason = time.monotonic(), FIRST_PAUSE, ""
        while time.monotonic() - began < PATIENCE_SECONDS:
            try:
                status, answer = attempt()
            except (OSError, http.client.HTTPException, json.JSONDecodeError) as error:  # refused or cut off
                reason = f"{type(error).__name__}: {error}"
                self.findings.count("REST: connection failed, asked again")
            else:
                if status < 400:
                    return answer
                reason = f"{status} {str(answer)[:300]}"
                if status == SERVER_FAULT:
                    self.findings.broke("REST answered 500", f"{method} {path.partition('?')[0]}")
                elif status in UNAVAILABLE:
                    self.findings.count(f"REST: {status}, asked again")
                else:
                    raise Refused(f"{method} {path}: {reason}")
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        raise Refused(f"{method} {path}: no answer within {PATIENCE_SECONDS} s; the last was {reason}")
