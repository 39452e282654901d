"""`python -m course.lite fetch|build|serve`: what `make lite` and `make lite-serve` run.

`build ADDRESS` puts a button *Hand in* above the lessons; ADDRESS is the one of `autograder serve`.
"""

import sys
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from course.lite.build import build
from course.lite.pyodide_bundle import fetch

FETCHED = Path(".venv/for-lite").resolve()
SITE = Path("site").resolve()


class Quietly(SimpleHTTPRequestHandler):
    """A request handler that sends JavaScript modules and WebAssembly with their right types."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: Any) -> None:
        """Log nothing, because a site has hundreds of files."""


def server(site: Path, port: int = 0) -> ThreadingHTTPServer:
    """Return a server of a built site on the loopback address; port 0 means any free port."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Quietly, directory=str(site)))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["fetch"]:
            fetch(FETCHED)
        case ["build", *hand_in] if len(hand_in) <= 1:
            build(FETCHED, SITE, *hand_in)
            print("The site is in the folder site/. `make lite-serve` shows it on this machine.")
        case ["serve"] if not (SITE / "index.html").exists():
            raise SystemExit("There is no site yet: run `make lite` first.")
        case ["serve"]:
            with server(SITE, 8000) as running, suppress(KeyboardInterrupt):
                print(
                    f"The course is at http://127.0.0.1:{running.server_port}/ (Ctrl-C ends this)"
                )
                running.serve_forever()
            print()
        case _:
            raise SystemExit(__doc__)
