"""A Jupyter server that sends every message of a kernel at once.

Jupyter's server leaves the delay of small packets on (Nagle's algorithm). A kernel answers a key
with several small messages; the second waits for the browser to acknowledge the first, 40 ms on
Linux. `course.lab` starts JupyterLab with this connection in place of the server's own.
"""

from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class PromptConnection(ZMQChannelsWebsocketConnection):
    """The server's connection of a browser to a kernel, without the delay."""

    def connect(self) -> Any:
        """The delay is switched off as soon as there is a connection."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()
