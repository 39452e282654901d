"""An extension that stops the Jupyter server when the program that started the server ends.

This program, the starter, is `python -m course lab`. The standard input of the server is a socket
to the starter, through which the server sends its address. When the starter ends, even if it is
killed with `kill -9`, the system closes the socket, and the server stops.
"""

import asyncio
import os
import socket
from contextlib import suppress

from jupyter_server.serverapp import ServerApp


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: ServerApp) -> None:
    """Do nothing yet, because the server takes requests only once its event loop runs."""


async def _start_jupyter_server_extension(server: ServerApp) -> None:
    """Send the server's address to the starter, and stop the server when the starter ends."""
    loop = asyncio.get_running_loop()
    other = socket.socket(fileno=os.dup(0))

    def stop() -> None:
        loop.remove_reader(other)
        server.stop()

    with suppress(OSError):  # if the starter has ended already, the reader below notices
        other.sendall(f"{server.public_url}\n".encode())
    loop.add_reader(other, stop)
