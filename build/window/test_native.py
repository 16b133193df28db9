"""What only a window can do: native dialogs and notifications."""

import subprocess
import unittest

from accessible import eventually, press, xdotool
from desktop import Notifications
from program import NAME, ONE_SERVER, Case, wait_for_end


class NativeTest(Case):
    def test_chooses_a_program_in_the_systems_dialog(self):
        with self.window() as (_, window):
            window.click("push button", "Add a custom MCP server")
            window.fill("Paste anything", "some-program --flag")
            window.click("push button", "Continue")
            window.find("heading", "How the server knows you")
            window.click("push button", "Continue")
            window.click("push button", "Choose…")
            window.find("file chooser", "…")
            window.type_path("/usr/bin/env")
            window.press_until_gone("Return", "file chooser", "…")  # the first Return may only end the completion
            window.see("/usr/bin/env")

    def test_a_signal_ends_it_although_a_dialog_is_open(self):
        with self.window() as (process, window):
            window.click("link", "Settings")
            window.click("push button", "Version…")
            window.find("push button", "OK")
            process.terminate()
            self.assertEqual(wait_for_end(process), 0)
        self.assert_nothing_left()

    def test_notifies_of_a_request_and_a_click_brings_the_window_back(self):
        self.configure(ONE_SERVER)
        desktop = Notifications()
        self.addCleanup(desktop.close)
        with self.window() as (_, window):
            window.find("list item", "Server everything, Ready…")
            (identity,) = subprocess.check_output(
                ["xdotool", "search", "--onlyvisible", "--class", NAME], text=True
            ).split()
            xdotool("windowminimize", "--sync", identity)
            called = self.apollia("mcp", "call", "everything", "echo", "--args", '{"message":"bonjour"}')
            self.assertEqual(called.returncode, 4, called)
            eventually(lambda: desktop.shown, "a notification")
            self.assertEqual(desktop.shown, [["Apollia Connexions", "A new request waits for your answer."]])
            desktop.click(1)
            eventually(lambda: visible(identity), "the window back on the screen")
            window.find("push button", "Review")

    def test_says_what_it_is(self):
        with self.window() as (_, window):
            window.click("link", "Settings")
            window.click("push button", "Version…")
            window.see("Apache-2.0")
            window.click("push button", "OK")
            window.gone("push button", "OK")


def visible(identity):
    shown = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", NAME], text=True, capture_output=True, check=False)
    return identity in shown.stdout.split()


if __name__ == "__main__":
    unittest.main()
