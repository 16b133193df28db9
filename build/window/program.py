"""Starts the programs under test with a data folder of their own, and ends them whatever happens."""

import contextlib
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from accessible import PATIENCE, Window, eventually, picture

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("APOLLIA_PROGRAMS", ROOT / "build/bin"))
WINDOW = str(PROGRAMS / "apollia-desktop")
APOLLIA = str(PROGRAMS / "apollia")
PICTURES = ROOT / "build/screenshots/window"
NAME = "apollia-desktop"  # the window's name in the accessibility tree
EVERYTHING = str(ROOT / "build/servers/node_modules/.bin/mcp-server-everything")
ONE_SERVER = f'[[mcp_servers]]\nname = "everything"\ntransport = "stdio"\ncommand = "{EVERYTHING}"\nargs = ["stdio"]\n'


class Case(unittest.TestCase):
    """A test with a data folder of its own, and a picture of the screen when it fails."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="apollia test ")  # with spaces, as people have
        self.addCleanup(folder.cleanup)
        self.home = folder.name

    def configure(self, text):
        pathlib.Path(self.home, "config.toml").write_text(text)

    def environment(self, **more):
        # Port 0: a test never meets another program's port.
        return dict(os.environ, APOLLIA_HOME=self.home, APOLLIA_LISTEN="127.0.0.1:0", **more)

    def apollia(self, *words):
        return subprocess.run(
            [APOLLIA, *words], env=self.environment(), timeout=PATIENCE, text=True, capture_output=True, check=False
        )

    def says(self, *words):
        """What a command that succeeds prints."""
        done = self.apollia(*words)
        self.assertEqual(done.returncode, 0, done)
        return done.stdout

    @contextlib.contextmanager
    def program(self, *words, **more):
        """Runs a program until the block ends; what it said is shown on failure."""
        with tempfile.TemporaryFile() as messages:
            process = subprocess.Popen(words, env=self.environment(**more), stdout=messages, stderr=messages)
            try:
                yield process
            except BaseException:
                PICTURES.mkdir(parents=True, exist_ok=True)
                picture(str(PICTURES / f"failed-{self.id()}.png"))
                with contextlib.suppress(subprocess.TimeoutExpired):
                    print(self.apollia("mcp", "list", "--json"))
                    process.send_signal(signal.SIGQUIT)  # Go programs answer with what each goroutine waits for
                    process.wait(timeout=PATIENCE)
                messages.seek(0)
                print(messages.read().decode(errors="replace"))
                raise
            finally:
                end(process)

    @contextlib.contextmanager
    def window(self, **more):
        with self.program(WINDOW, **more) as process:
            yield process, Window(NAME)

    @contextlib.contextmanager
    def serve(self):
        with self.program(APOLLIA, "serve") as process:
            eventually(lambda: self.apollia("status").returncode == 0 and self.instance(), "a serve that answers")
            yield process

    def instance(self):
        file = pathlib.Path(self.home, "run", "instance.json")
        return file.read_text() if file.exists() else ""

    def assert_nothing_left(self):
        """Every process of this test ends: they have our data folder in their environment."""
        eventually(lambda: not self.left(), f"the end of {self.left()}")

    def left(self):
        left = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if self.home.encode() in (folder / "environ").read_bytes():
                    left.append((folder / "cmdline").read_text())
            except OSError:
                continue
        return left


def end(process):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise AssertionError("a program did not end when it was told to") from None


def wait_for_end(process):
    return process.wait(timeout=PATIENCE)
