"""Starts the window under test with a data folder of its own, and ends it whatever happens."""

import contextlib
import os
import signal
import subprocess
import tempfile

from accessible import PATIENCE, Window

NAME = "apollia-desktop"  # its name in the accessibility tree


@contextlib.contextmanager
def running(program, home, **environment):
    """Runs the program on the data folder home; gives the process and its window. Its messages are shown on failure."""
    with tempfile.TemporaryFile() as messages:
        # Port 0: a test never meets another program's port.
        env = dict(os.environ, APOLLIA_HOME=home, APOLLIA_LISTEN="127.0.0.1:0", **environment)
        process = subprocess.Popen([program], env=env, stderr=messages)
        try:
            yield process, Window(NAME)
        except BaseException:
            messages.seek(0)
            print(messages.read().decode(errors="replace"))
            raise
        finally:
            end(process)


def end(process):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise AssertionError("the window did not end when it was told to") from None
