"""Writes a program of so many values whose rules are alike: each reads its neighbours and the value
before, and takes turns between two buffers."""

import sys

for i in range(int(sys.argv[1])):
    before = f"V{max(i - 1, 0)}"
    print(f"value V{i} : Token[2] shape Grid2D(8, 8) boundary wrap init bernoulli(0.3)")
    print(f"visible near{i}: V{i}[x,y] <- V{i}[x+dx,y+dy] when (dx,dy) in N8")
    print(f"visible V{i}[x,y] <- V{i}[x,y]")
    if i:
        print(f"visible V{i}[x,y] <- {before}[x,y]")
    print(f"rule R{i}:")
    print(f"  on V{i}[x,y]")
    print(f"  let n = sum(near{i})")
    print(f"  emit proposal V{i}[x,y] := ((if {before}[x,y] == 1 then 5 else 77) >> n) & 1")
    print(f"commit V{i}[*] using accept")
