#!/usr/bin/env bash
# Makes a fresh Debian 12 ready: Debian packages, and a Python environment of the project's own.
#
# Packages are installed only if they are missing and we may (root, or sudo without a password);
# otherwise one line says which command installs them. LLVM and MLIR 22 come from Debian's own
# security archive, which every Debian 12 has in its sources. The second run costs nothing.
# `setup.sh --sanitizers` adds what `make test-asan` and `make fuzz` need (the sanitizers and libFuzzer),
# `--tests` what tests and notebooks do: PyTorch, a minute's worth of packages.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/progress.sh

packages=(clang-22 lld-22 clang-format-22 clang-tidy-22 libmlir-22-dev mlir-22-tools llvm-22-dev
  llvm-22-tools cmake ninja-build git libc6-dev libstdc++-12-dev libgtest-dev libpng-dev zlib1g-dev
  libmpfr-dev libomp5-14 python3 python3-dev python3-venv)
for option in "$@"; do
  case $option in
  --sanitizers) packages+=(libclang-rt-22-dev) ;;
  --tests) packages+=(python3-torch libopenblas0-serial) ;;
  *) echo "setup: expected --sanitizers or --tests, but got '$option'" >&2 && exit 1 ;;
  esac
done
logs=build/logs

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      printf '%s ' "$package"
  done
}

install_packages() { # PACKAGE…
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      say "setup: Debian packages are missing; install them with: sudo apt-get update && sudo apt-get install -y --no-install-recommends $*" >&2
      exit 1
    fi
    as_root=(sudo -n)
  fi
  # A broken third-party source must not stop us: what counts is whether the packages are found.
  run_step $logs/apt-update.log "setup: reading Debian's package lists" \
    "${as_root[@]}" apt-get update || say "setup: going on with the package lists there are"
  run_step $logs/apt-install.log "setup: installing $# Debian packages" \
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends -o Dpkg::Use-Pty=0 "$@" || {
    say "setup: LLVM and MLIR 22 are in Debian's security archive (bookworm-security main); is it in your apt sources?" >&2
    exit 1
  }
}

# Tests and notebooks use PyTorch: Debian's, since PyPI's brings CUDA and 5 GB. Of Debian's packages .venv
# sees it alone (and behind its own), so that all others stay those that are pinned. OpenBLAS makes its
# products ten times faster than the BLAS it comes with.
take_torch() {
  mkdir -p .venv/debian
  ln -sfn /usr/lib/python3/dist-packages/torch .venv/debian/torch
  echo ../../../debian >"$(echo .venv/lib/python3.*/site-packages)/debian.pth"
}

# uv takes seconds where pip takes a minute; pip takes over where uv finds no packages. Links to its cache
# would be as old as that, which ninja takes for unchanged, and clang for changed since.
install_python() { # LOG TEXT ARGUMENT…
  local log=$1 text=$2
  shift 2
  mkdir -p $logs
  if .venv/bin/pip install --disable-pip-version-check --no-input uv==0.13.9 >$logs/uv.log 2>&1 &&
    run_step "$log" "$text" .venv/bin/uv pip install --link-mode=copy --python .venv/bin/python3 "$@"; then
    return
  fi
  run_step "$log" "$text, by pip" .venv/bin/pip install --disable-pip-version-check --no-input "$@"
}

make_environment() {
  local wanted
  wanted=$(cat scripts/requirements*.txt scripts/setup.sh | sha256sum)
  if [ -x .venv/bin/python3 ] && [ "$(cat .venv/stamp 2>/dev/null)" = "$wanted" ] &&
    scripts/find_ptxas.py >/dev/null; then
    return
  fi
  [ -x .venv/bin/pip ] ||
    run_step $logs/venv.log "setup: making the Python environment .venv" /usr/bin/python3 -m venv --clear .venv
  install_python $logs/packages.log "setup: installing Python packages into .venv" -r scripts/requirements.txt
  take_torch
  if ! scripts/find_ptxas.py >/dev/null; then
    install_python $logs/ptxas.log "setup: no CUDA toolkit here; installing ptxas into .venv" \
      --no-deps -r scripts/requirements-ptxas.txt ||
      say "setup: going on without ptxas; the tests that assemble PTX will be skipped"
  fi
  printf '%s\n' "$wanted" >.venv/stamp
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  say "setup: this is not a Debian system; install LLVM, MLIR, clang and lld 22.1 yourself, then run: cmake --preset dev && ninja -C build" >&2
  exit 1
fi
missing=$(missing_packages)
# shellcheck disable=SC2086  # the list is words
[ -z "$missing" ] || install_packages $missing
make_environment
