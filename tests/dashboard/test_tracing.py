"""Traces: off unless asked for; from a request to the worker's work; nothing waits for a collector."""

import asyncio
import json
import os
import subprocess
import sys
from typing import Any
from urllib.request import Request, urlopen

import pytest
import websockets
import yaml

from dashboard import tracing
from dashboard.accounts.tokens import create_token
from dashboard.models import Run, Snapshot
from tests.dashboard.processes import START_SECONDS, Processes, wait_until
from tests.dashboard.rows import new_scenario, small_cluster
from tests.fixtures.prepared import PROJECT
from tests.otlp_collector import Collector, Told, collecting

SECONDS = 240
PATIENCE = 3_600
"""So many seconds a sender waits for the collector, which answers late: a span is not to be given up."""
TRACE, CALLER = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{CALLER}-01"

SCRIPT = """
import os
import sys
from importlib import import_module, reload

from django.core.exceptions import ImproperlyConfigured
from dashboard.supervisor import imported
from dashboard import asgi, settings, tracing

with tracing.span("nothing", run=1) as traced:
    traced.note(decisions=2)
    assert tracing.headers() == {}
tracing.begin("nothing").end()
assert not [name for name in sys.modules if name.startswith("opentelemetry")]

os.environ["SANDTABLE_TRACES"] = "1"
sys.modules["opentelemetry"] = None
try:
    reload(settings)
except ImproperlyConfigured as error:
    assert "requirements-otel.txt" in str(error)
    print("told")
"""


def test_off_nothing_of_it_is_loaded_and_what_it_needs_is_told(tmp_path: Any) -> None:
    own = {**os.environ, "DJANGO_SETTINGS_MODULE": "dashboard.settings", "DATA_DIR": str(tmp_path / "data")}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=PROJECT, env=own, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "told", done.stderr


def wait_for_span(collector: Collector, name: str) -> None:
    """Wait until a span of this name has arrived; fail with the names of those that did."""
    try:
        wait_until(lambda: collector.named(name), SECONDS)
    except AssertionError as error:
        arrived = sorted({span.name for span in collector.spans()})
        raise AssertionError(f"no span {name!r} among {arrived}") from error


class Caller:
    """Asks a web process as a person, within a trace of its own."""

    def __init__(self, port: int, token: str) -> None:
        self.token = token
        self.port = port

    def post(self, path: str, body: bytes, content_type: str = "application/json") -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": content_type}
        url = f"http://localhost:{self.port}{path}"
        request = Request(url, body, {**headers, "traceparent": TRACEPARENT}, method="POST")
        with urlopen(request, timeout=SECONDS) as answer:
            assert answer.status == 202
            return json.load(answer)

    async def follow(self, run: int) -> int:
        """Hear a run's stream to its end; return how many decisions it has."""
        url = f"ws://localhost:{self.port}/ws/runs/{run}/"
        headers = {"Authorization": f"Bearer {self.token}"}
        async with websockets.connect(url, additional_headers=headers) as socket:
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "end":
                    return int(message["decisions"])
        raise AssertionError("the stream did not end")


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_a_trace_goes_from_the_request_to_the_workers_work_and_nothing_waits_for_its_collector(
    processes: Processes, alice: Any
) -> None:
    scenario = new_scenario(alice, pods=3)
    token = create_token(alice, "tests")[1]
    with collecting() as collector:
        switched = {
            "SANDTABLE_TRACES": "1",
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_EXPORTER_OTLP_TIMEOUT": str(PATIENCE),
        }
        worker = processes.worker(**switched)
        caller = Caller(processes.web(**switched), token)
        text = yaml.safe_dump(json.loads(small_cluster())).encode()
        snapshot = caller.post("/api/v1/snapshots/?name=harbour", text, "application/yaml")["id"]
        run = caller.post("/api/v1/runs/", json.dumps({"scenario": scenario.pk}).encode())["id"]
        wait_until(collector.asked.is_set, START_SECONDS)
        wait_until(lambda: Snapshot.objects.get(pk=snapshot).status == "ready", START_SECONDS)
        wait_until(lambda: Run.objects.get(pk=run).status == "finished", START_SECONDS)
        decisions = asyncio.run(caller.follow(run))
        assert collector.bodies == []
        collector.answer.set()
        for name in ("POST api/v1/runs/", "store rows", "store chunk", "stream", "execute run", "import"):
            wait_for_span(collector, name)

    def only(name: str, **facts: int) -> Told:
        wanted = {f"sandtable.{fact}": value for fact, value in facts.items()}
        [found] = [span for span in collector.named(name) if wanted.items() <= span.facts.items()]
        return found

    asked = only("POST api/v1/runs/")
    assert (asked.trace, asked.parent) == (TRACE, CALLER)
    assert asked.facts["http.response.status_code"] == 202
    executed, imported = only("execute run", run=run), only("import", snapshot=snapshot)
    assert (executed.trace, executed.parent) == (TRACE, asked.number)
    assert (imported.trace, imported.parent) == (TRACE, only("POST api/v1/snapshots/").number)
    chunks = collector.named("store chunk")
    assert {chunk.parent for chunk in chunks} == {executed.number}
    assert sum(chunk.facts["sandtable.decisions"] for chunk in chunks) == decisions > 0
    assert only("store rows", rows=4).parent == imported.number
    assert only("stream", run=run, sent=decisions).parent == ""
    assert len({asked.pid, executed.pid, worker.pid}) == 3, (
        "each process that was forked has its own exporter"
    )
    assert {span.service for span in collector.spans()} == {"sandtable"}
    told_nobody(collector, token, "harbour", "what if", "cart-", "node-1", "alice", "SELECT")


def told_nobody(collector: Collector, *texts: str) -> None:
    """None of these is anywhere in what was sent."""
    assert [text for text in texts for body in collector.bodies if text.encode() in body] == []


def test_an_error_is_told_by_its_class_and_a_collector_that_is_away_costs_spans_alone(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.TRACES = True
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        from dashboard.tracing import spans

        spans._tracers.clear()
        for number in range(3000):  # more than the queue holds
            with pytest.raises(ValueError, match="harbour"), tracing.span("fails", run=number):
                raise ValueError("harbour")
        collector.answer.set()
        wait_until(lambda: collector.named("fails"), SECONDS)
        spans._tracers.clear()
    assert {span.facts["error.type"] for span in collector.named("fails")} == {"ValueError"}
    told_nobody(collector, "harbour")
