#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}

command -v bwrap || apt-get install -y bubblewrap
python=python3
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    apt-get install -y python3.11-venv
    python=python3.11
fi
"$python" -m venv "$root/grading"
wheel=$(echo "$root"/source/course_2048-*.whl)
"$root/grading/bin/pip" install "${wheel}[grader]"
