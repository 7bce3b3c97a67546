"""The web process: uvicorn on a socket that the supervisor already listens on.

uvicorn's own ``--fd`` takes any descriptor for a Unix socket and then knows no client's address, which the
sign-in limits need.
"""

import socket

import uvicorn

from dashboard.asgi import application
from dashboard.disk_room import hold_database_open

SOCKET_MESSAGE_BYTES = 64 * 1024  # clients send acknowledgements only
GRACE_SECONDS = 3


def serve(listener: socket.socket) -> None:
    """Serve until SIGTERM."""
    held = hold_database_open()
    config = uvicorn.Config(
        application,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the application itself decides which proxy is believed
        lifespan="off",
        ws_max_size=SOCKET_MESSAGE_BYTES,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    uvicorn.Server(config).run(sockets=[listener])
    if held is not None:
        held.close()
