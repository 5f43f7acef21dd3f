#!/usr/bin/env bash
# Makes the wheel of the Python package in the folder given, and says what `pip install` takes.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/progress.sh
# What it is built with is in .venv already.
run_step build/logs/wheel.log "wheel: building the package" env PATH="$PWD/.venv/bin:$PATH" \
  pip wheel --disable-pip-version-check --no-build-isolation --no-deps -v -w "$1" .
wheel=$(ls -t "$1"/lmpm-*.whl | head -n 1)
say "wheel: ${wheel} ($(du -h --apparent-size "$wheel" | cut -f 1)); install it with: pip install $wheel"
