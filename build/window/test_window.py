"""What the window itself does: one instance, its place, quitting, an owner beside it."""

import json
import pathlib
import subprocess
import unittest

from accessible import eventually, extents, picture, press, xdotool
from program import NAME, ONE_SERVER, PATIENCE, PICTURES, WINDOW, Case, wait_for_end

PAGE = ("heading", "…")  # any heading: the page is there


def window_ids():
    found = subprocess.run(["xdotool", "search", "--class", NAME], text=True, capture_output=True, check=False)
    named = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "Apollia Connexions"], text=True, capture_output=True, check=False)
    return set(found.stdout.split()) & set(named.stdout.split())


class WindowTest(Case):
    def test_opens_with_its_name_and_page(self):
        with self.window() as (_, window):
            window.find("frame", "Apollia Connexions")
            window.find(*PAGE)
            PICTURES.mkdir(parents=True, exist_ok=True)
            picture(str(PICTURES / "opens.png"))

    def test_second_start_shows_the_first(self):
        with self.window() as (first, window):
            window.find(*PAGE)
            (identity,) = eventually(window_ids, "the window on the screen")
            xdotool("windowminimize", identity)
            eventually(lambda: not window_ids(), "the window out of sight")
            second = subprocess.run([WINDOW], env=self.environment(), timeout=PATIENCE, check=False)
            self.assertEqual(second.returncode, 0)
            self.assertEqual(eventually(window_ids, "the window back"), {identity})
            self.assertIsNone(first.poll())

    def test_comes_back_where_it_was(self):
        with self.window() as (process, window):
            window.find(*PAGE)
            (identity,) = eventually(window_ids, "the window on the screen")
            xdotool("windowsize", "--sync", identity, 900, 640)
            xdotool("windowmove", "--sync", identity, 200, 100)
            press("alt+F4")
            self.assertEqual(wait_for_end(process), 0)
        kept = self.kept()
        self.assertEqual((kept["Width"], kept["Height"], kept["X"], kept["Y"]), (900, 640, 200, 100))
        for _ in range(2):  # a place that moves a little at each start would show
            with self.window() as (process, window):
                window.find(*PAGE)
                press("alt+F4")
                self.assertEqual(wait_for_end(process), 0)
            self.assertEqual(self.kept(), kept)

    def test_comes_back_maximised(self):
        with self.window() as (process, window):
            window.find(*PAGE)
            box = extents(window.find("frame", "Apollia Connexions"))
            xdotool("mousemove", box.x + box.width // 2, box.y + 10, "click", "--repeat", 2, "--delay", 40, 1)  # its title bar
            eventually(lambda: extents(window.find("frame", "Apollia Connexions")).width > box.width, "a maximised window")
            press("alt+F4")
            self.assertEqual(wait_for_end(process), 0)
        self.assertEqual((self.kept()["Maximised"], self.kept()["Width"]), (True, 1100))
        with self.window() as (_, window):
            window.find(*PAGE)
            eventually(lambda: extents(window.find("frame", "Apollia Connexions")).width > box.width, "a maximised window again")

    def kept(self):
        return json.loads(pathlib.Path(self.home, "run", "window.json").read_text())

    def test_asks_before_it_stops_a_server(self):
        self.configure(ONE_SERVER)
        with self.window() as (process, window):
            window.find(*PAGE)
            eventually(lambda: '"ready"' in self.apollia("mcp", "list", "--json").stdout, "the server ready")
            press("alt+F4")
            window.see("everything")
            window.click("push button", "No")
            window.gone("push button", "No")
            self.assertIsNone(process.poll())
            press("alt+F4")
            window.click("push button", "Yes")
            self.assertEqual(wait_for_end(process), 0)
        self.assert_nothing_left()

    def test_a_signal_ends_it_without_a_question(self):
        self.configure(ONE_SERVER)
        with self.window() as (process, window):
            window.find(*PAGE)
            eventually(lambda: '"ready"' in self.apollia("mcp", "list", "--json").stdout, "the server ready")
            process.terminate()
            self.assertEqual(wait_for_end(process), 0)
        self.assert_nothing_left()

    def test_a_command_can_stop_it(self):
        with self.window() as (process, window):
            window.find(*PAGE)
            self.assertEqual(self.apollia("stop").returncode, 0)
            self.assertEqual(wait_for_end(process), 0)

    def test_works_beside_a_serve_and_takes_over_when_it_dies(self):
        self.configure(ONE_SERVER)
        with self.serve() as owner, self.window() as (process, window):
            window.see("everything")
            owner.kill()
            owner.wait()
            eventually(lambda: f'"pid":{process.pid}' in self.instance().replace(" ", ""), "the window as the owner")
            window.see("everything")

    def test_closing_beside_a_serve_asks_nothing(self):
        self.configure(ONE_SERVER)
        with self.serve() as owner, self.window() as (process, window):
            window.see("everything")
            press("alt+F4")
            self.assertEqual(wait_for_end(process), 0)
            self.assertIsNone(owner.poll())

    def test_without_a_display_it_says_what_to_do(self):
        said = subprocess.run(
            [WINDOW], env=self.environment(DISPLAY=""), timeout=PATIENCE, text=True, capture_output=True, check=False
        )
        self.assertEqual(said.returncode, 1)
        self.assertIn("apollia serve --open", said.stderr)


if __name__ == "__main__":
    unittest.main()
