"""A PostgreSQL server for tests only, on a free port of the loopback interface."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
from nbgrader.api import Gradebook

_PROGRAMS = "/usr/lib/postgresql/*/bin"
# nothing written is needed after the tests, so fsync is off
_SETTINGS = "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"


class Server:
    """A running server; `url` returns the address of one of its databases."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._numbers = count(1)
        self._made = ""

    def url(self, database: str = "postgres", password: str = "secret") -> str:
        return f"postgresql://postgres:{password}@127.0.0.1:{self._port}/{database}"

    def new_database(self, template: str = "template1") -> str:
        """Make a database that is a copy of the template; return its address."""
        name = f"grades_{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            command = f"CREATE DATABASE {name} TEMPLATE {template}"
            connection.execute(command)  # type: ignore[call-overload]
        return self.url(name)

    def new_gradebook(self) -> str:
        """Make an empty gradebook; return its address.

        nbgrader makes only the first gradebook, which takes seconds. Later ones are copies of it.
        """
        if not self._made:
            self._made = self.new_database()
            Gradebook(self._made, "2048").close()
        return self.new_database(self._made.rpartition("/")[2])


@contextmanager
def running() -> Iterator[Server]:
    """Start a server, yield it, and stop it."""
    found = sorted(Path("/").glob(f"{_PROGRAMS[1:]}/initdb"))
    assert found, "PostgreSQL is missing, which these tests need: sudo apt-get install postgresql"
    programs = found[-1].parent
    with tempfile.TemporaryDirectory(prefix="postgres-") as place, socket.socket() as probe:
        folder = Path(place)
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(folder, "postgres", "postgres")
        (folder / "password").write_text("secret")
        data = ("-D", folder / "data")
        ways = ("-U", "postgres", "--auth=scram-sha-256", f"--pwfile={folder / 'password'}")
        # Names are sorted as in a dictionary, as on the servers of schools, and not by their bytes.
        order = ("--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en-US")
        _run(folder, programs / "initdb", *data, *ways, *order, "--no-sync")
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])  # a free one
        probe.close()
        options = ("-o", f"-p {port} {_SETTINGS}", "-l", folder / "log")
        _run(folder, programs / "pg_ctl", *data, *options, "--wait", "start")
        try:
            yield Server(port)
        finally:
            _run(folder, programs / "pg_ctl", *data, "--mode=immediate", "stop")


def _run(folder: Path, *command: str | Path) -> None:
    user = "postgres" if os.geteuid() == 0 else None
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    groups = [] if user else None
    subprocess.run(
        command, cwd=folder, user=user, group=user, extra_groups=groups, check=True, **quiet
    )
