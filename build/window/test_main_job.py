"""The main job in the real window: add a server in five steps, see it ready, call a tool, approve the call."""

import json
import pathlib
import subprocess
import unittest

from accessible import eventually, picture, press
from program import EVERYTHING, PICTURES, Case, wait_for_end


class MainJobTest(Case):
    def test_adds_a_server_and_calls_a_tool(self):
        with self.window() as (process, window):
            window.click("push button", "Add a custom MCP server")

            window.fill("Paste anything", f"{EVERYTHING} stdio")
            window.see("3 fields, filled already")
            window.click("push button", "Continue")
            window.find("heading", "How the server knows you")
            window.click("push button", "Continue")
            window.find("heading", "What Apollia should start")
            window.click("push button", "Test")
            window.click("push button", "Continue")  # becomes usable when the test has passed
            window.click("check box", "I understand that this server acts with my rights…")
            keep("disclaimer")
            window.click("push button", "Add the server")

            window.find("list item", "Server everything, Ready…")
            keep("connexions")
            window.click("push button", "Try a tool")
            window.click("push button", "echo")
            window.fill("message", "bonjour from the window")
            press("ctrl+Return")
            window.click("push button", "Once…")  # the server asks for approval of each call unless it is told not to
            window.see("Echo: bonjour from the window")
            window.gone("list item", "everything is added.")
            keep("called")
            window.click("push button", "Save")
            window.find("file chooser", "…")
            saved_as = pathlib.Path(self.home, "result.json")
            press("ctrl+a")
            window.type_path(str(saved_as))
            window.press_until_gone("Return", "file chooser", "…")
            eventually(saved_as.exists, "the saved result")
            self.assertIn("Echo: bonjour from the window", saved_as.read_text())

            saved = json.loads(self.says("mcp", "list", "--json"))["servers"]
            self.assertEqual([(s["id"], s["state"]) for s in saved], [("everything", "ready")])
            journal = self.says("audit", "--json")
            self.assertIn("echo", journal)
            self.assertNotIn("bonjour from the window", self.says("mcp", "logs", "everything"))

            press("alt+F4")
            window.click("push button", "Yes")
            self.assertEqual(wait_for_end(process), 0)
        self.assert_nothing_left()


def keep(name):
    """Keeps a picture of the window; docs/pictures has copies."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    active = subprocess.check_output(["xdotool", "getactivewindow"], text=True).strip()
    picture(str(PICTURES / f"{name}.png"), active)


if __name__ == "__main__":
    unittest.main()
