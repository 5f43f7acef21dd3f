# usage: split-runs.sh PREFIX PROGRAM FLAGS…: PREFIX.whole is the checkpoint of the whole run
whole=$1.whole part=$1.part program=$2
shift 2
for split in 0 1 2 3 4 5; do
  lmpm-run "$program" "$@" --epochs $split --checkpoint "$part" --quiet || exit 1
  lmpm-run "$program" "$@" --epochs 9 --resume "$part" --checkpoint "$part" --quiet || exit 1
  cmp "$whole" "$part" || exit 1
  lmpm-run "$program" "$@" --epochs 12 --resume "$part" --checkpoint "$part" --quiet || exit 1
  cmp "$whole" "$part" || exit 1
done
