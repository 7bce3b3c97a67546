"""Lets requests wait while others to the same scenario are answered, and then go together.

A scenario's questions count one after another, and each is stored before it is answered. However many ask at
once, so they share the queries, the lock and the commit.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.http import HttpResponse

from api.kinds.hami.extender.batch_answers import Request, answer_all

MOST_TOGETHER = 64
"""So many requests are answered together at most: what fails with the database fails for all of them."""
THREADS = 4
"""So many scenarios are asked at once in a process."""

_pool = ThreadPoolExecutor(THREADS, thread_name_prefix="extender")

InThread = Callable[..., Awaitable[Any]]
Waiting = tuple[Request, asyncio.Future[HttpResponse]]


async def in_pool(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a thread that keeps its connection to the database."""
    return await asyncio.get_running_loop().run_in_executor(_pool, function, *arguments)


class Batches:
    """Lets the requests that wait for a scenario be answered together, one batch after another."""

    def __init__(self, in_thread: InThread) -> None:
        self._in_thread = in_thread
        self._waiting: dict[int, list[Waiting]] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def answer(self, scenario: int, request: Request) -> HttpResponse:
        """Return the answer to a request, once its batch has been answered."""
        answer: asyncio.Future[HttpResponse] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(scenario, []).append((request, answer))
        if scenario not in self._tasks:
            self._tasks[scenario] = asyncio.create_task(self._answer_waiting(scenario))
        return await answer

    async def _answer_waiting(self, scenario: int) -> None:
        waiting = self._waiting[scenario]
        try:
            while waiting:
                await asyncio.sleep(0)  # whose bytes are there already comes along
                batch, waiting[:MOST_TOGETHER] = waiting[:MOST_TOGETHER], []
                await self._answer(scenario, batch)
        finally:
            del self._tasks[scenario], self._waiting[scenario]

    async def _answer(self, scenario: int, batch: Sequence[Waiting]) -> None:
        try:
            answers = await self._in_thread(answer_all, scenario, [request for request, _ in batch])
        except Exception as error:
            for _, answer in batch:
                if not answer.done():
                    answer.set_exception(error)
            return
        for (_, answer), found in zip(batch, answers, strict=True):
            if not answer.done():  # who has gone away is not waited for
                answer.set_result(found)
