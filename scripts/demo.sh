#!/usr/bin/env bash
# Runs examples/video and shows, in a few lines each, what happens between the text and the machine,
# and what is said against a program that breaks its own rule.
#
# demo.sh BUILD: everything is written to BUILD/demo, every level of the ladder included.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${1:-build}
example=examples/video
out=$build/demo
tools=$build/bin
mkdir -p "$out"

title() { if [ -t 1 ]; then printf '\n\033[1m%s\033[0m\n' "$*"; else printf '\n%s\n' "$*"; fi; }
excerpt() { cut -c 1-100 | sed 's/^/    /'; } # lines of IR are long
count() { grep -cE "$1" "$2" || true; }

sizes() {
  .venv/bin/python3 - "$example/bindings.json" <<'END'
import json, sys
sizes = json.load(open(sys.argv[1]))["sizes"]
print(",".join(f"{name}={value}" for name, value in sizes.items()))
END
}

show_levels() {
  title "Level 0, the text: $example/video.lmpm"
  sed -n '/^rule LocalGen/,/^commit/p' "$example/video.lmpm" | excerpt

  title "Level 1, the program form: $out/1-program.mlir"
  "$tools/lmpm-translate" --import-lmpm "$example/video.lmpm" 2>"$out/import.txt" |
    "$tools/lmpm-opt" --mlir-print-local-scope -o "$out/1-program.mlir"
  grep -E '^ *lci.(rule|constraint|commit) ' "$out/1-program.mlir" | sed 's/ where .*/ …/; s/ attributes .*/ …/' | excerpt
  sed -n 's/.*remark: /    how a name was taken: /p' "$out/import.txt"

  title "Level 2, bound to the sizes and the network: $out/2-bound.mlir"
  { sed '1d;$d' "$out/1-program.mlir" && cat "$example/localgen.mlir"; } |
    "$tools/lmpm-opt" --lci-bind="sizes=$(sizes) models=Model=LocalGen legalize=snapshot" \
      --mlir-print-local-scope -o "$out/2-bound.mlir"
  grep -E '^ *lci.value @Vid' "$out/2-bound.mlir" | excerpt
  echo "  What was proved about it:"
  "$tools/lmpm-opt" --lci-check-pipeline "$out/2-bound.mlir" -o "$out/2-checked.mlir" \
    2>"$out/proofs.txt" || { cat "$out/proofs.txt" && return 1; }
  # The pipeline refuses a program of which any of this does not hold.
  echo "    every read lies within a visible line; what must be there is there; integers fit"
  echo "    Topology: no chain of visible lines leads from a frame to a later one"
  sed -n 's/.*remark: /    /p' "$out/proofs.txt" | sort -u | cut -c 1-100

  title "Level 3, functions of ticks: $out/3-ticks.mlir"
  "$tools/lmpm-opt" --lci-lower-rules "$out/2-checked.mlir" -o "$out/3-ticks.mlir"
  grep -E 'lci.tick' "$out/3-ticks.mlir" | excerpt

  title "Level 3b, ticks on buffers: $out/3b-buffers.mlir"
  "$tools/lmpm-opt" "$out/3-ticks.mlir" -o "$out/3b-buffers.mlir" --pass-pipeline='builtin.module(
    lci-outline-networks,func.func(lci-split-domain,canonicalize,lci-narrow-storage,canonicalize,
    lci-tabulate),lci-expand-math,lci-bufferize-state,canonicalize,cse)'
  echo "    tokens of $(grep -oE 'memref<[0-9x]*x(i8|i16|i32)> \{[^}]*lci.name = "Vid"' "$out/3b-buffers.mlir" |
    grep -oE 'x(i8|i16|i32)>' | sort -u | tr -d 'x>'), $(count 'lci\.tick ' "$out/3b-buffers.mlir") ticks, each of a box"

  title "Level 4, linalg on buffers: $out/4-linalg.mlir"
  "$tools/lmpm-opt" --lci-to-linalg-pipeline "$out/3-ticks.mlir" -o "$out/4-linalg.mlir"
  echo "    $(count 'linalg\.' "$out/4-linalg.mlir") linalg operations, $(count 'scf\.for' "$out/4-linalg.mlir") loops"

  title "Level 5, loops and vectors: $out/5-loops.mlir"
  "$tools/lmpm-opt" "$out/4-linalg.mlir" -o "$out/5-loops.mlir" --pass-pipeline='builtin.module(
    func.func(lci-tile-contractions,lci-vectorize-strides,lci-linalg-to-loops,canonicalize,cse))'
  echo "    $(count 'scf\.for' "$out/5-loops.mlir") loops, $(count 'math\.fma.*vector<' "$out/5-loops.mlir") fused multiply-adds on vectors"

  title "Level 6, the llvm dialect: $out/6-llvm.mlir"
  "$tools/lmpm-opt" --lci-to-llvm-pipeline "$out/3-ticks.mlir" -o "$out/6-llvm.mlir"
  echo "    $(count 'llvm\.func @' "$out/6-llvm.mlir") functions, $(wc -l <"$out/6-llvm.mlir") lines"
}

show_refusal() {
  title "The same program, refused: Coarse is computed from all frames ($out/refused.lmpm)"
  cat "$example/video.lmpm" - >"$out/refused.lmpm" <<'END'

visible Coarse[t,x,y] <- Vid[*,8*x,8*y]

rule Summarise:
  on Coarse[t,x,y]
  emit proposal Coarse[t,x,y] := max(Vid[k,8*x,8*y] when k in 0..T-1) ?? 0

commit Coarse[*] using accept
END
  tail -n 7 "$out/refused.lmpm" | excerpt
  echo "  What is said:"
  if "$tools/lmpm-run" "$out/refused.lmpm" --bindings "$example/bindings.json" --epochs 1 \
    2>"$out/refused.txt"; then
    echo "the program should have been refused" && return 1
  fi
  sed -n '/error/,$p' "$out/refused.txt" | sed "s|$out/||; s/^/    /"
}

run_program() {
  title "Running it"
  "$tools/lmpm-run" "$example/video.lmpm" --bindings "$example/bindings.json" \
    --output "Vid=$out/vid.npy" --report "$out/report.json"
  .venv/bin/python3 "$example/evaluate.py" "$out/vid.npy" --picture "$out/before-after.png"
  title "The picture (given, generated, true): $PWD/$out/before-after.png"
}

show_levels
show_refusal
run_program
