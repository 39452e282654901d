"""An extension of the Jupyter server that sends every message of a kernel without delay.

Otherwise the system delays small packets (Nagle's algorithm). A kernel answers a key on a board
with several small messages; on Linux, each would wait for 40 ms, until the browser acknowledges the
one before. Once the course is installed, its `jupyter_server_config.json` enables the extension.
"""

from typing import Any

from jupyter_server.serverapp import ServerApp
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

CONNECTION = "kernel_websocket_connection_class"


class PromptConnection(ZMQChannelsWebsocketConnection):
    """The server's connection between a browser and a kernel; it sends messages without delay."""

    def connect(self) -> Any:
        """Switch off the delay of small packets, then connect as Jupyter does."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: ServerApp) -> None:
    """Make the server use `PromptConnection`, unless its settings name another class."""
    settings = server.web_app.settings
    if settings[CONNECTION] is ZMQChannelsWebsocketConnection:
        settings[CONNECTION] = PromptConnection
