#!/usr/bin/env bash
# Configures one preset of CMakePresets.json; what CMake says is shown only if it fails.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/progress.sh
run_step "build/logs/configure-$1.log" "configure: preset $1" cmake --preset "$1"
