"""Faults for tests: a channel layer that loses messages, and processes that die at chosen points.

A process dies once, by SIGKILL, as the environment variable SANDTABLE_TEST_DEATH says:
`{"marker": file, "point": "ring" | "step" | "chunk" | "finish" | "answer", "count": which, "whole": bool}`.
With `whole` its process group dies with it, that is the Celery worker with all its pool.
"""

import ctypes
import json
import os
import random
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer
from django.db.models.signals import post_save

from dashboard.models import Chunk, Run
from dashboard.services.background import bell, execution, question_worker
from scheduler_core.schedulers.cause import Answered
from scheduler_core.world import RunInput, Simulation
from tests.fakes import FakeSimulation

DEATH = json.loads(os.environ.get("SANDTABLE_TEST_DEATH", "{}"))
_passed: dict[str, int] = {}

if DEATH:
    # A bell that rests, as after a slow answer of a busy machine, passes neither `ring` nor `finish`.
    bell.PATIENCE_SECONDS, bell.REST_SECONDS = 60.0, 0.0


def pass_point(point: str) -> None:
    """Die here if this is the chosen point, the chosen time, and nobody has died before."""
    if DEATH.get("point") != point:
        return
    _passed[point] = _passed.get(point, 0) + 1
    if _passed[point] < DEATH["count"]:
        return
    try:
        Path(DEATH["marker"]).touch(exist_ok=False)
    except FileExistsError:
        return
    if DEATH["whole"]:
        os.killpg(os.getpgid(0), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


class LossyLayer(RedisPubSubChannelLayer):
    """Loses half of what is sent through it. The base class makes its methods as they are asked for."""

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        if random.random() < 0.5:
            await self.__getattr__("group_send")(group, message)


class MortalLayer(RedisPubSubChannelLayer):
    """Passes `ring` before rings that follow a chunk, `finish` before the one that follows the end."""

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        run = await Run.objects.aget(pk=group.removeprefix("run-"))
        if run.has_ended:
            pass_point("finish")
        elif run.decisions:
            pass_point("ring")
        await self.__getattr__("group_send")(group, message)


class MortalSimulation(FakeSimulation):
    """Passes `step` before each step, and `chunk` within each chunk's transaction."""

    def __init__(self, run_input: Any, checkpoint: bytes | None = None) -> None:
        super().__init__(run_input, checkpoint)
        post_save.connect(_chunk_saved, sender=Chunk, dispatch_uid="mortal")

    def step(self) -> Any:
        pass_point("step")
        return super().step()


class MortalEngine(Simulation):
    """The engine itself, with the same points; chunks and checkpoints come often, as in a long run."""

    def __init__(self, run_input: RunInput, checkpoint: bytes | None = None) -> None:
        execution.CHUNK_DECISIONS = 4
        execution.CHECKPOINT_SECONDS, execution.CHECKPOINT_SHARE = 0.0, 1e9
        super().__init__(run_input, checkpoint)
        post_save.connect(_chunk_saved, sender=Chunk, dispatch_uid="mortal")

    def step(self) -> Any:
        pass_point("step")
        return super().step()


def _chunk_saved(**_: Any) -> None:
    pass_point("chunk")


class MortalAnswers(Simulation):
    """The engine itself, which passes `answer` with each pod asked about; each is stored at once."""

    def whys(self, pods: Iterable[str]) -> Iterator[tuple[str, Answered]]:
        question_worker.PART_KINDS = 1
        for answer in super().whys(pods):
            pass_point("answer")
            yield answer


class BuiltOnce(Simulation):
    """The engine itself, which can be built once in a process."""

    def __init__(self, run_input: RunInput, **more: Any) -> None:
        _passed["built"] = _passed.get("built", 0) + 1
        assert _passed["built"] == 1, "it is built again"
        super().__init__(run_input, **more)


class HoldingSimulation(FakeSimulation):
    """Holds the interpreter in each step, as a parser of a large document does; no thread gets a turn."""

    SECONDS = 15

    def step(self) -> Any:
        if self.seq < self.pods:
            ctypes.PyDLL(None).sleep(self.SECONDS)
        return super().step()
