"""An extension of the Jupyter server that ties it to the program that started it.

The server's standard input is a socket to that program. The server says its address over it as soon
as it answers, and stops, with its kernels, when the other end is closed, even by `kill -9`.
"""

import asyncio
import os
import socket
from contextlib import suppress

from jupyter_server.serverapp import ServerApp


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: ServerApp) -> None:
    """Do nothing yet, because the server does not answer before its loop runs."""


async def _start_jupyter_server_extension(server: ServerApp) -> None:
    """Send the address to the other program, and stop the server when that program ends."""
    loop = asyncio.get_running_loop()
    other = socket.socket(fileno=os.dup(0))

    def stop() -> None:
        loop.remove_reader(other)
        server.stop()

    with suppress(OSError):  # if it is gone already, the reader below notices
        other.sendall(f"{server.public_url}\n".encode())
    loop.add_reader(other, stop)
