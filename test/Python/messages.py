# RUN: not %python %s 2>&1 | FileCheck %s
"""The compiler's own message, at the Python line that made what it is about."""

import lmpm
from lmpm import Seq, Token

i = lmpm.index("i")
program = lmpm.Program()
line = program.value("Line", Token(2), Seq(8), init=0)
line.sees(line)


@program.rule(on=line)
def step():
    # CHECK: {{.*}}messages.py:[[#@LINE + 3]]:12: error: {{.*}} [not-visible]
    # CHECK-NEXT: {{^}}    return line[i + 1].or_else(0)
    # CHECK-NEXT: {{^}}           ^
    return line[i + 1].or_else(0)


program.commit(line, "accept")
program.compile()
