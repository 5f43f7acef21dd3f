#!/bin/sh
# Runs a kit on this machine, or says what to do with it where there is no GPU.
#     scripts/gpu/here.sh KIT [FLAGS of run.py]
kit=$1
shift
"$kit/run.py" "$@"
status=$?
if [ $status = 3 ]; then
  echo "carry $kit to a machine that has one, and run there: ./run.py $*"
  exit 0
fi
exit $status
