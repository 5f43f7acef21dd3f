"""The end of Python, forks, threads and callbacks: each case is a process of its own, which comes to its end."""

import pathlib
import pickle
import subprocess
import sys
import textwrap

import pytest

import lmpm

BEGIN = """
import atexit, copy, gc, multiprocessing, os, pickle, signal, sys, threading, time
LAST = []  # what is called after the package has ended
atexit.register(lambda: [call() for call in LAST])
sys.path.insert(0, {package!r})
import numpy, lmpm

TEXT = '''value A : Token[5] shape Seq(40) init 0
visible A[i] <- A[i]
rule R:
  on A[i]
  emit proposal A[i] := (A[i] + 1) % 5
commit A[*] using accept
'''
ENDLESS = 2**32
program = lmpm.parse(TEXT, "count.lmpm")
compiled = program.compile()
# What runs in the background of a shell without job control has Ctrl-C ignored, and its children too.
signal.signal(signal.SIGINT, signal.default_int_handler)

def message(call):
    try:
        return f"nothing raised, but {{call()!r}}"
    except (lmpm.Error, TypeError) as error:
        return str(error).splitlines()[0]

def is_right(run):
    return (run["A"] == run.epoch % 5).all()

def child(work):
    '''Runs in a fork; whether it came to its end in time.'''
    pid = os.fork()
    if not pid:
        code = 1
        try:
            code = 0 if work() else 2
        finally:
            os._exit(code)
    for _ in range(300):
        if os.waitpid(pid, os.WNOHANG) != (0, 0):
            break
        time.sleep(0.1)
    else:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return "it hangs"
    return "ended"
"""
PACKAGE = str(pathlib.Path(lmpm.__file__).parents[1])


def run(code, timeout=60):
    """What a script prints; it must end by itself, in time, and silently otherwise."""
    script = BEGIN.format(package=PACKAGE) + textwrap.dedent(code)
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=timeout)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.splitlines()


# The end of Python


@pytest.mark.parametrize("backend", ["cpu", "interp", "kernels"])
def test_python_ends_while_a_run_is_under_way(backend):
    assert run(f"""
        handle = program.compile(backend="{backend}").start(epochs=ENDLESS)
        time.sleep(0.1)
        print("over")
    """) == ["over"]


def test_python_ends_at_once_after_a_start():
    assert run("handle = compiled.start(epochs=ENDLESS)\nprint('over')") == ["over"]


def test_python_ends_while_threads_run_compile_and_look():
    assert run("""
        def work(what):
            try:
                while True:
                    what()
            except RuntimeError:
                pass
        others = program.compile()
        for what in (lambda: compiled.run(epochs=3), lambda: others.run(epochs=ENDLESS), program.compile,
                     lambda: compiled.new()["A"]):
            threading.Thread(target=work, args=(what,), daemon=True).start()
        handles = [compiled.start(epochs=ENDLESS, progress=lambda done, all: time.sleep(0.001)) for _ in range(3)]
        time.sleep(0.5)
        print("over")
    """) == ["over"]


def test_calls_are_refused_while_python_ends_but_those_of_who_ends_it():
    assert run("""
        said = []
        def work():
            while not said:
                try:
                    compiled.run(epochs=1)
                except RuntimeError as error:
                    said.append(str(error))
        def last():
            thread.join()
            print(said[0] in ("expected calls before Python ends, but got one while it does [wrong-call]",
                              "expected Python to go on until epoch 1, but it ended after 0 [wrong-call]"))
            print(is_right(compiled.run(epochs=3)))
        LAST.append(last)
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
    """) == ["True", "True"]


def test_an_exception_ends_python_beside_a_run():
    script = BEGIN.format(package=PACKAGE) + "handle = compiled.start(epochs=ENDLESS)\nraise SystemExit(7)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (7, "")


# Callbacks


def test_values_are_read_inside_of_progress():
    assert run("""
        seen, run = [], compiled.new()
        other = compiled.new()
        def look(done, all):
            seen.append((run["A"] == done % 5).all() and run.epoch == done and not other["A"].any()
                        and not run.fixpoint and len(run.observed_epochs) > 0)
        run.step(100000, observe_every=1000, progress=look)
        print(len(seen) > 1, all(seen), run.epoch, is_right(run))
    """) == ["True True 100000 True"]


INSIDE = ("expected a call after the run that is under way, but got one from inside of it; meanwhile its "
          "values can be read [wrong-call]")


@pytest.mark.parametrize("call", [
    "run.step(1)", "compiled.run()", "compiled.new()", "compiled.start()", "run.save('x')", "run.counters",
    "run.report", "run.explain('A[1]')", "compiled.resume('checkpoint')"])
def test_what_cannot_be_done_inside_of_progress_is_a_sentence(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(f"""
        compiled.run(epochs=3).save("checkpoint")
        run, said = compiled.new(), set()
        run.step(5000, progress=lambda done, all: said.add(message(lambda: {call})))
        print(*said, sep="\\n")
        print(run.epoch, is_right(run))
    """) == [f"error: {INSIDE}", "5000 True"]


def test_another_program_runs_inside_of_progress():
    assert run("""
        other, seen = program.compile(), []
        compiled.run(epochs=100, progress=lambda done, all: seen.append(is_right(other.run(epochs=done))))
        print(len(seen) > 0, all(seen))
    """) == ["True True"]


def test_what_progress_raises_ends_the_run_after_a_whole_epoch():
    assert run("""
        run = compiled.new()
        def fail(done, all):
            raise ValueError(f"at {done > 0}")
        try:
            run.step(ENDLESS, progress=fail)
        except ValueError as error:
            print(error, 0 < run.epoch < ENDLESS, is_right(run))
        handle = compiled.start(epochs=ENDLESS, progress=fail)
        try:
            handle.result(timeout=20)
        except ValueError as error:
            print(error, run.step(3).epoch > 0, is_right(run))
    """) == ["at True True True", "at True True True"]


def test_a_handler_of_signals_may_look():
    assert run("""
        run, seen = compiled.new(), []
        signal.signal(signal.SIGALRM, lambda *_: seen.append(is_right(run) or True))
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        handle = threading.Timer(1, lambda: signal.raise_signal(signal.SIGINT))
        handle.start()
        try:
            run.step(ENDLESS)
        except KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, 0)
            print(len(seen) > 2, is_right(run))
    """) == ["True True"]


# Threads


def test_start_and_reads_do_not_wait_for_another_run():
    assert run("""
        first = compiled.start(epochs=ENDLESS)
        begin = time.monotonic()
        second = compiled.start(epochs=ENDLESS, seed=2)
        third = compiled.run(epochs=7)
        reads = [int(first._run["A"][0]) in range(5) for _ in range(5)]
        time.sleep(0.5)
        print(time.monotonic() - begin < 20, third.epoch, is_right(third), all(reads))
        print(first.epoch > 0, second.epoch > 0, first.done(), second.done())
        for handle in (first, second):
            handle.cancel()
            run = handle.result(timeout=20)
            print(is_right(run), run.counters["A.changed"] == 40 * run.epoch)
    """) == ["True 7 True True", "True True False False", "True True", "True True"]


def test_observers_see_the_same_whoever_else_runs():
    assert run("""
        watched = lmpm.parse(TEXT + "observe total := sum(A[i])", "watched.lmpm").compile()
        alone = watched.run(epochs=20000, observe_every=100)
        handles = [watched.start(epochs=20000, observe_every=100) for _ in range(3)]
        for handle in handles:
            run = handle.result(timeout=50)
            print((run.observed_epochs == alone.observed_epochs).all(),
                  (run.observations["total"] == alone.observations["total"]).all())
    """) == ["True True"] * 3


def test_a_cancel_that_comes_at_once_is_not_lost():
    assert run("""
        for _ in range(20):
            handle = compiled.start(epochs=ENDLESS)
            handle.cancel()
            handle.result(timeout=20)
        handle.cancel()
        print(handle.result().step(2).epoch > 0)
    """) == ["True"]


def test_ctrl_c_ends_the_wait_for_a_turn():
    assert run("""
        signal.signal(signal.SIGINT, signal.default_int_handler)
        slow = lmpm.parse(TEXT.replace("40", "1000000"), "slow.lmpm").compile(backend="interp")
        handle = slow.start(epochs=ENDLESS)
        time.sleep(0.2)
        threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()
        begin = time.monotonic()
        try:
            slow.new()
            print("it was its turn")
        except KeyboardInterrupt:
            print(time.monotonic() - begin < 10, flush=True)
        os._exit(0)   # an epoch of the interpreter takes long
    """) == ["True"]


def test_handles_that_nobody_keeps():
    assert run("""
        for _ in range(3):
            program.compile().start(epochs=ENDLESS)
            gc.collect()
        del compiled
        gc.collect()
        time.sleep(0.2)
        print("over")
    """) == ["over"]


# Forks and other processes


def test_a_fork_beside_a_run():
    """The run stays in the parent; the child says so, compiles anew, and ends."""
    assert run("""
        handle = compiled.start(epochs=ENDLESS)
        time.sleep(0.2)
        def work():
            said = message(lambda: handle.result(timeout=5)), message(lambda: compiled.run())
            return said == (
                "error: expected the process that started the run, but got a fork of it [wrong-call]",
                "error: expected a program that nobody ran when the process was forked, but got one whose run "
                "stayed in the parent; compile it again [wrong-call]") and is_right(program.compile().run(epochs=3))
        print(child(work))
        handle.cancel()
        print(is_right(handle.result(timeout=20)))
    """) == ["ended", "True"]


def test_a_fork_between_runs_goes_on():
    assert run("""
        run = compiled.run(epochs=3)
        def work():
            run.step(4)
            return is_right(run) and run.epoch == 7 and is_right(compiled.start(epochs=9).result(timeout=20))
        print(child(work), run.epoch)
    """) == ["ended 3"]


def test_a_fork_inside_of_progress_goes_on_in_both():
    assert run("""
        forks = []
        def fork(done, all):
            if not forks:
                forks.append(os.fork())
        run = compiled.new().step(5000, progress=fork)
        right = run.epoch == 5000 and is_right(run)
        if forks[0] == 0:
            os._exit(0 if right else 1)
        print(os.waitpid(forks[0], 0)[1], right)
    """) == ["0 True"]


def test_a_fork_ends_as_python_does():
    """Contexts of the parent, and their threads, are none of the child's."""
    assert run("""
        handle = compiled.start(epochs=ENDLESS)
        kept = [program.compile(backend=name) for name in ("cpu", "kernels", "interp")]
        sys.stdout.flush()
        pid = os.fork()
        if pid:
            print(os.waitpid(pid, 0)[1])
        else:
            again = program.compile()
            assert is_right(again.run(epochs=3))
    """) == ["0"]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_programs_go_to_other_processes(method, tmp_path):
    """As a file, since spawn imports the main module."""
    script = tmp_path / "main.py"
    script.write_text(BEGIN.format(package=PACKAGE) + textwrap.dedent(f"""
        def work(sent, seed):
            return int(sent.compile().run(epochs=seed)["A"][0])

        if __name__ == "__main__":
            handle = compiled.start(epochs=ENDLESS)
            with multiprocessing.get_context("{method}").Pool(2) as pool:
                print(pool.starmap(work, [(program, 3), (program, 7)]))
    """))
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=90)
    assert (result.stdout, result.stderr, result.returncode) == ("[3, 2]\n", "", 0)


def test_what_cannot_be_sent_says_so():
    assert run("""
        run = compiled.run(epochs=1)
        for what in (compiled, run, run.tensor("A"), compiled.start(epochs=1)):
            print(message(lambda: pickle.dumps(what)))
        print(message(lambda: copy.copy(run)))
        again = pickle.loads(pickle.dumps(program))
        print(again.to_lmpm() == program.to_lmpm(), again.name)
    """) == [f"cannot pickle or copy a {name}, which is of this process alone; a program can be pickled, and "
             "compiled where it is to run" for name in ("Compiled", "Run", "Tensor", "RunHandle", "Run")] + [
                 "True count"]


def test_errors_go_to_other_processes():
    with pytest.raises(lmpm.Error) as raised:
        lmpm.parse("value A : Tok[3] shape Seq(4)")
    again = pickle.loads(pickle.dumps(raised.value))
    assert type(again) is lmpm.Error
    assert str(again) == str(raised.value)
    assert (again.id, again.line, again.column) == ("unknown-word", 1, 11)
    assert str(again.diagnostics[0].notes[0]) == str(raised.value.diagnostics[0].notes[0])
