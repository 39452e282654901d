"""An extension of the Jupyter server that sends every message of a kernel at once.

Jupyter lets the system delay small packets (Nagle's algorithm). A kernel answers a key on a board
with several small messages; each waits for 40 ms, on Linux, until the browser acknowledges the one
before. Once the course is installed, its `jupyter_server_config.json` enables the extension.
"""

from typing import Any

from jupyter_server.serverapp import ServerApp
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

CONNECTION = "kernel_websocket_connection_class"


class PromptConnection(ZMQChannelsWebsocketConnection):
    """The server's connection of a browser to a kernel, which sends each message at once."""

    def connect(self) -> Any:
        """Switch off the delay of short messages, and connect."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: ServerApp) -> None:
    """Make the server use `PromptConnection`, unless its settings name a class of their own."""
    settings = server.web_app.settings
    if settings[CONNECTION] is ZMQChannelsWebsocketConnection:
        settings[CONNECTION] = PromptConnection
