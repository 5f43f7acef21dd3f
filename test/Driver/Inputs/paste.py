"""Pastes the `visible` lines that lmpm-run says are missing into a program until it compiles.

    paste.py PROGRAM ARGUMENTS...

Prints the lines that were pasted. Fails, with the messages, where pasting does not help.
"""

import pathlib
import re
import subprocess
import sys


def compile_error(path, arguments):
    """What lmpm-run says against a program, or nothing."""
    run = subprocess.run(["lmpm-run", path, *arguments, "--backend=interp", "--epochs=0", "--quiet"],
                         capture_output=True, text=True)
    return run.stderr if run.returncode else None


def find_missing(message):
    return dict.fromkeys(re.findall(r"note: (?:add|say it with[^:]*): (visible .*)", message))


def paste(path, arguments):
    """The lines that make the program compile, or the last message."""
    pasted = []
    # A pasted line may be what names another read; each round must still add something.
    while message := compile_error(path, arguments):
        missing = [line for line in find_missing(message) if line not in pasted]
        if not missing:
            return None, message
        pasted += missing
        path.write_text(path.read_text() + "\n" + "\n".join(missing) + "\n")
    return pasted, ""


if __name__ == "__main__":
    lines, message = paste(pathlib.Path(sys.argv[1]), sys.argv[2:])
    if lines is None:
        sys.exit(message)
    print("\n".join(lines))
