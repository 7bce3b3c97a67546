"""A socket to the project's consumers within the test's own process, spoken in ASGI messages."""

import json
from collections.abc import AsyncIterator
from typing import Any

from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter

from dashboard.routing import websocket_urlpatterns

SECONDS = 60


class Socket(ApplicationCommunicator):
    """One connection of a user; addresses are as a browser writes them, without host."""

    def __init__(self, user: Any, address: str, **signed_in_by: Any) -> None:
        path, _, query = address.partition("?")
        scope = {
            "type": "websocket",
            "path": path,
            "query_string": query.encode(),
            "headers": [],
            "subprotocols": [],
            "user": user,
            **signed_in_by,
        }
        super().__init__(URLRouter(websocket_urlpatterns), scope)

    async def connect(self) -> None:
        """Open the connection; it must be accepted."""
        await self.send_input({"type": "websocket.connect"})
        assert (await self.receive_output(timeout=SECONDS))["type"] == "websocket.accept"

    async def disconnect(self) -> None:
        """Close the connection from this side."""
        await self.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wait(SECONDS)

    async def send_text(self, text: str) -> None:
        """Send a message as it is."""
        await self.send_input({"type": "websocket.receive", "text": text})

    async def acknowledge(self, seq: int) -> None:
        """Send an acknowledgement."""
        await self.send_text(json.dumps({"type": "ack", "seq": seq}))

    async def hear_text(self) -> str:
        """The next message as it came."""
        text: str = (await self.receive_output(timeout=SECONDS))["text"]
        return text

    async def hear(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = json.loads(await self.hear_text())
        return message

    async def hear_all(self) -> AsyncIterator[dict[str, Any]]:
        """All messages until the server closes; the last one is {"type": "closed", "code"}."""
        while True:
            output = await self.receive_output(timeout=SECONDS)
            if output["type"] == "websocket.close":
                yield {"type": "closed", "code": output["code"]}
                await self.disconnect()
                return
            yield json.loads(output["text"])
