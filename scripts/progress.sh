# Sourced by the other scripts: says what runs, and keeps saying so while it runs.
#
# run_step LOG TEXT COMMAND…: runs COMMAND with its output in LOG. On a terminal one line shows the
# seconds and the last line of output; elsewhere a line is printed every 20 seconds. A failure
# prints the end of the log.

say() { printf '%s\n' "$*"; }

show_progress() { # LOG TEXT SECONDS
  local last
  if [ -t 1 ]; then
    last=$(tail -n 1 "$1" | tr -d '\r' | cut -c 1-60)
    printf '\r\033[K%s … %d s  %s' "$2" "$3" "$last"
  elif [ $(($3 % 20)) -eq 0 ]; then
    say "$2 … $3 s"
  fi
}

run_step() {
  local log=$1 text=$2 start=$SECONDS status=0
  shift 2
  mkdir -p "$(dirname "$log")"
  [ -t 1 ] || say "$text …"
  "$@" >"$log" 2>&1 &
  local pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    sleep 1
    kill -0 "$pid" 2>/dev/null && show_progress "$log" "$text" $((SECONDS - start))
  done
  wait "$pid" || status=$?
  [ -t 1 ] && printf '\r\033[K'
  if [ "$status" -ne 0 ]; then
    say "$text failed after $((SECONDS - start)) s; the end of $log:"
    tail -n 40 "$log"
    return "$status"
  fi
  say "$text: done in $((SECONDS - start)) s"
}
