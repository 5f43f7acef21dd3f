#!/usr/bin/env bash
# The way of someone new to the Python package, timed: a clone, its Debian packages, `pip install .` into an
# environment of their own, a first program, a tool, and the first notebook. About ten minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/progress.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
logs=$PWD/build/logs
run_step "$logs/new-user-clone.log" "new user: git clone" git clone -q . "$folder/lmpm"
cd "$folder/lmpm"
run_step "$logs/new-user-setup.log" "new user: make setup" make setup
run_step "$logs/new-user-venv.log" "new user: an environment of their own" python3 -m venv "$folder/env"
run_step "$logs/new-user-pip.log" "new user: pip install . jupyter's runner" \
  "$folder/env/bin/pip" install --disable-pip-version-check -v . nbclient ipykernel matplotlib
cd "$folder"
run_step "$logs/new-user-import.log" "new user: import lmpm" env/bin/python3 -c 'import lmpm; lmpm.show_config()'
run_step "$logs/new-user-tool.log" "new user: lmpm-run" env/bin/lmpm-run lmpm/examples/life/life.lmpm \
  --bindings lmpm/examples/life/bindings.json --epochs 120 --picture Cell=life.png
run_step "$logs/new-user-notebook.log" "new user: the first notebook" \
  env/bin/jupyter execute lmpm/docs/notebooks/first-steps.ipynb
say "new user: from the clone to the first notebook in $SECONDS s"
