"""The command line of bubblewrap, and the user that runs inside of the jail.

Bubblewrap is a program that makes the jail: it starts another program, which sees only some folders
and no network.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

import autograder
from autograder.course_adapter import FOLDER
from autograder.jail.session import Limits
from autograder.jail.syscalls import is_supported_machine

LESSON = "/lesson"
HASH_SEED = "0"
_PYTHON = "/python"
_SITE = "/site"
_NOBODY = 65534
_PACKAGES = (FOLDER, Path(autograder.__file__).parent)
_COURSE_FOLDER = ("source", "submitted", "gradebook.db", "pyproject.toml")


class JailMissing(RuntimeError):  # noqa: N818 — something that is missing, not something broken
    """The error raised if no jail can be started here; the message says why."""


def bwrap() -> str:
    """Return the path of bubblewrap; raise `JailMissing` if it is missing or cannot work here."""
    found = shutil.which("bwrap")
    if found is None or sys.platform != "linux":
        raise JailMissing(
            "Students' code runs in a jail made by bubblewrap, which is not installed. On Debian "
            "and Ubuntu: apt install bubblewrap. It needs Linux. --no-jail grades without a "
            "jail: only for code that you trust."
        )
    if not is_supported_machine():
        raise JailMissing("The jail knows the processors x86_64 and aarch64, and this is neither.")
    return found


@contextmanager
def jail_command(folder: Path, limits: Limits) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """Yield the command that runs Python in the jail, and the file descriptors to keep open for it.

    In the jail, `folder` has the path `LESSON`, and the course folder in which the grader works
    cannot be seen. The caller adds Python's arguments to the command. Raise `JailMissing` if there
    can be no jail.
    """
    program = bwrap()
    ids = (_NOBODY, _NOBODY) if os.geteuid() == 0 else (os.getuid(), os.getgid())
    with jail_user() as (user, user_fds), TemporaryFile() as users:
        users.write(b"student:x:%d:%d::/tmp:/bin/sh\n" % ids)
        users.seek(0)
        command = [program, *_FLAGS, *user, *_ENVIRONMENT]
        interpreter, mounts = interpreter_mounts()
        command += [*mounts, "--proc", "/proc", "--dev", "/dev"]
        # Memory that is shared through /dev/zero has no owner, so it would not be counted.
        command += ["--ro-bind", "/dev/null", "/dev/zero", "--dir", "/dev/shm"]
        command += ["--remount-ro", "/dev", "--perms", "0777", "--size", str(limits.folder_size)]
        command += ["--tmpfs", "/tmp", "--chdir", "/tmp", "--ro-bind", str(folder), LESSON]
        command += ["--perms", "0644", "--ro-bind-data", str(users.fileno()), "/etc/passwd"]
        yield [*command, "--remount-ro", "/", interpreter], (*user_fds, users.fileno())


def site_packages(confined: bool) -> list[str]:
    """Return the folders of the libraries: their paths in the jail if `confined`, else outside."""
    outside = list(dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib")))
    return [f"{_SITE}{index}" for index, _ in enumerate(outside)] if confined else outside


_FLAGS = (
    *("--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "jail"),
    # Nothing inside can end or stop the first process. When it ends, everything inside ends.
    "--as-pid-1",
)
_ENVIRONMENT = (
    "--clearenv",
    *("--setenv", "PATH", "/usr/bin:/bin", "--setenv", "HOME", "/tmp"),
    *("--setenv", "USER", "student", "--setenv", "LOGNAME", "student"),
    *("--setenv", "PYTHONHASHSEED", HASH_SEED),
    *("--setenv", "LANG", "C.UTF-8", "--setenv", "IPYTHONDIR", "/tmp/.ipython"),
    # as in a notebook's kernel: figures are shown below their cell
    *("--setenv", "MPLBACKEND", "module://matplotlib_inline.backend_inline"),
    # one thread for each library: more threads would not survive the fork
    *("--setenv", "OPENBLAS_NUM_THREADS", "1", "--setenv", "OMP_NUM_THREADS", "1"),
)


@contextmanager
def jail_user() -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """Yield bubblewrap's flags for a new user namespace, and the file descriptors to keep open.

    The kernel does not limit the number of root's processes. So if the grader is root, a namespace
    that has all user ids is made beforehand, and the first process in the jail becomes the user
    `nobody`.
    """
    if os.geteuid() != 0:
        yield ["--unshare-user"], ()
        return
    keeper = subprocess.Popen(
        ["unshare", "--user", "sh", "-c", "echo; exec cat"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert keeper.stdout is not None
        keeper.stdout.readline()
        for kind in ("uid_map", "gid_map"):  # every id that exists here stays the same
            ranges = map(str.split, Path(f"/proc/self/{kind}").read_text().splitlines())
            ids = "".join(f"{first} {first} {count}\n" for first, _, count in ranges)
            Path(f"/proc/{keeper.pid}/{kind}").write_text(ids)
        namespace = os.open(f"/proc/{keeper.pid}/ns/user", os.O_RDONLY)
    except OSError as error:
        raise JailMissing(f"The jail could not be made, {error}.") from None
    finally:
        keeper.communicate()
    try:
        become = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        yield ["--userns", str(namespace), *become], (namespace,)
    finally:
        os.close(namespace)


def uid_inside() -> int | None:
    """Return the id of the user that the jail's first process must become; `None` for no change."""
    return _NOBODY if os.geteuid() == 0 else None


def interpreter_mounts() -> tuple[str, list[str]]:
    """Return Python's path in the jail, and flags that mount it and its libraries."""
    flags = ["--ro-bind", "/usr", "/usr"]
    is_systems = os.path.realpath(sys.base_prefix) == "/usr"
    for name in ("bin", "sbin", "lib", "lib64"):
        flags += ["--symlink", f"usr/{name}", f"/{name}"]
    bound = {"/usr": "/usr"}
    if not is_systems:
        bound[os.path.realpath(sys.base_prefix)] = _PYTHON
    for inside, outside in zip(site_packages(True), site_packages(False), strict=True):
        bound[os.path.realpath(outside)] = inside
    for outside, inside in bound.items():
        flags += ["--ro-bind", outside, inside] if inside != "/usr" else []
        flags += _masks(Path(outside), inside, Path.cwd())
    if not is_systems:
        flags += ["--setenv", "LD_LIBRARY_PATH", f"{_PYTHON}/lib"]
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return f"{'/usr' if is_systems else _PYTHON}/bin/{version}", flags


def _masks(outside: Path, inside: str, course: Path) -> list[str]:
    """Return flags that mount an empty folder over each folder that students' code must not see.

    These are this project's packages, and the folders with answers or grades among the folders of
    the packages and the folder `course`. Only those count that are in the folder `outside`, which
    has the path `inside` in the jail.
    """
    flags = []
    packages = {Path(os.path.realpath(folder)) for folder in _PACKAGES}
    folders = {path.parent for path in packages} | {course.resolve()}
    folders = {f for f in folders if any((f / name).exists() for name in _COURSE_FOLDER)}
    for hidden in sorted(packages | folders):
        if outside in hidden.parents:
            mask = f"{inside}/{hidden.relative_to(outside)}"
            flags += ["--tmpfs", mask, "--remount-ro", mask]
    return flags
