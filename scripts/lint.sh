#!/usr/bin/env bash
# Checks how the code is written; prints PASS: or FAIL: per check and what to mend.
#
# lint.sh BUILD [SCOPE]   format, style, and clang-tidy, which takes seconds per file, on
#   changed               the files that differ from main (unless asked otherwise)
#   sample                of those of the last commit three, and one other, as its hash chooses them
#   all                   every file
# lint.sh --tidy BUILD    clang-tidy alone, on every file
set -uo pipefail
cd "$(dirname "$0")/.."

only=
[ "${1:-}" = --tidy ] && only=1 && shift
build=$(realpath -m "${1:-build}")
scope=${2:-${only:+all}}
failures=0

check() { # NAME COMMAND…
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "PASS: $name"
  else
    echo "FAIL: $name"
    printf '%s\n' "$output"
    failures=$((failures + 1))
  fi
}

sources() { git ls-files -co --exclude-standard "$@"; }

check_format() {
  local files
  files=$(sources '*.cpp' '*.h')
  # shellcheck disable=SC2086  # the list is words
  clang-format-22 --dry-run --Werror $files || {
    echo "mend it with: make format"
    return 1
  }
}

is_tidied() { grep -E '^(lib|tools)/.*\.cpp$'; }

# So many of the lines, the same ones for the same commit.
pick() { shuf -n "$1" --random-source=<(yes "$(git rev-parse HEAD)"); }

tidy_files() {
  case $scope in
  all) sources 'lib/*.cpp' 'tools/*.cpp' ;;
  sample) # a clone may be shallow, without a last but one commit
    git diff --name-only --diff-filter=d HEAD~1 2>/dev/null | is_tidied | pick 3
    sources | is_tidied | pick 1 ;;
  *)
    git diff --name-only --diff-filter=d "$(git merge-base HEAD main 2>/dev/null || echo HEAD)"
    git ls-files -o --exclude-standard ;;
  esac | is_tidied | sort -u
}

# How each file is compiled alone, which a build that compiles several together does not say; its other
# files, such as the precompiled header, are those of the build.
make_database() {
  local preset=dev
  [[ $build == *-asan ]] && preset=asan
  cmake --preset "$preset" -B "$build/tidy" -DLCI_UNITY=OFF >/dev/null &&
    sed -i "s#$build/tidy/#$build/#g" "$build/tidy/compile_commands.json"
}

check_tidy() {
  local files
  files=$(tidy_files)
  [ -z "$files" ] && { echo "no C++ file changed"; return 0; }
  make_database || return 1
  # The precompiled header is clang's own and tidy reads it; -quiet leaves only findings.
  # shellcheck disable=SC2086  # the list is words
  printf '%s\n' $files | xargs -P "$(nproc)" -n 1 clang-tidy-22 -quiet -p "$build/tidy"
}

if [ -z "$only" ]; then
  check clang-format check_format
  check style .venv/bin/python3 scripts/check_style.py
  check picture scripts/ladder.py --check
fi
check clang-tidy check_tidy
[ "$failures" -eq 0 ]
