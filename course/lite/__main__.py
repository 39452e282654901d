"""`python -m course.lite fetch|build|serve`: what `make lite` and `make lite-serve` run."""

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from course.lite.build import build
from course.lite.pyodide_bundle import fetch

FETCHED = Path(".venv/for-lite").resolve()
SITE = Path("site").resolve()
TYPES = {".mjs": "text/javascript", ".wasm": "application/wasm"}


class Quietly(SimpleHTTPRequestHandler):
    """A request handler that sends modules and WebAssembly with the types that browsers want."""

    def guess_type(self, path: Any) -> str:
        """Return the type of a file by its name."""
        return TYPES.get(Path(path).suffix) or super().guess_type(path)

    def log_message(self, *_: Any) -> None:
        """Log nothing, because a site has hundreds of files."""


def server(site: Path, port: int = 0) -> ThreadingHTTPServer:
    """Return a server of a built site on the loopback address; port 0 means any free port."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Quietly, directory=str(site)))


def serve(site: Path) -> None:
    """Run the server of a site until Ctrl-C. Raises `SystemExit` if there is no site yet."""
    if not (site / "index.html").exists():
        raise SystemExit("There is no site yet: run `make lite` first.")
    with server(site, 8000) as running:
        print(f"The course is at http://127.0.0.1:{running.server_port}/ (Ctrl-C ends this)")
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["fetch"]:
            fetch(FETCHED)
        case ["build"]:
            build(FETCHED, SITE)
            print("The site is in the folder site/. `make lite-serve` shows it on this machine.")
        case ["serve"]:
            serve(SITE)
        case _:
            raise SystemExit(__doc__)
