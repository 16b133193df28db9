"""Finds and uses what a window shows, through the accessibility tree: what a screen reader sees is what the tests see.

Widgets are found by role and name; the real mouse and keyboard (xdotool) act on them.
"""

import contextlib
import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

PATIENCE = 60  # seconds; a loaded machine is slow, and a test that fails early says nothing
PAUSE = 0.1


class NotFound(AssertionError):
    pass


def eventually(look, what, patience=PATIENCE):
    """Returns the first true answer of look; NotFound names what never came."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            found = look()
        except Exception:  # a node that went away while it was looked at: AT-SPI raises GLib.Error
            found = None
        if found:
            return found
        time.sleep(PAUSE)
    raise NotFound(f"never found: {what}")


def children(node):
    return [child for i in range(node.get_child_count()) if (child := node.get_child_at_index(i)) is not None]


def walk(node, depth=0):
    yield depth, node
    if depth < 60:
        for child in children(node):
            yield from walk(child, depth + 1)


def application(name):
    desktop = Atspi.get_desktop(0)
    return eventually(
        lambda: next((app for app in children(desktop) if app.get_name() == name), None),
        f"application {name!r}",
    )


def text(node):
    """What a node says: its own text, else its name."""
    own = Atspi.Accessible.get_text_iface(node) if "Text" in node.get_interfaces() else None
    said = Atspi.Text.get_text(own, 0, Atspi.Text.get_character_count(own)) if own else ""
    return said.strip("\ufffc \n") or node.get_name() or ""


class Window:
    """The window of one application."""

    def __init__(self, name):
        self.app = application(name)

    def nodes(self):
        self.app.clear_cache()
        return [node for _, node in walk(self.app)]

    def first(self, role, name):
        """The showing node with this role and name, or None. A name that ends in … stands for its beginning."""
        for node in self.nodes():
            said = node.get_name() or ""
            fits = said == name or (name.endswith("…") and said.startswith(name[:-1]) and said != "")
            if node.get_role_name() in role.split("|") and fits and showing(node):
                return node
        return None

    def find(self, role, name):
        return eventually(lambda: self.first(role, name), f"{role} {name!r}")

    def gone(self, role, name):
        eventually(lambda: self.first(role, name) is None, f"the end of {role} {name!r}")

    def press_until_gone(self, keys, role, name):
        """Presses keys until the node is gone, and never once more: then they would reach what is behind."""
        for _ in range(3):
            press(keys)
            with contextlib.suppress(NotFound):
                return eventually(lambda: self.first(role, name) is None, f"the end of {role} {name!r}", PATIENCE / 6)
        raise NotFound(f"{role} {name!r} stays whatever is pressed")

    def see(self, words):
        """Waits until words stand anywhere in the window."""
        return eventually(
            lambda: next((n for n in self.nodes() if showing(n) and words in text(n)), None), f"the words {words!r}"
        )

    def click(self, role, name):
        node = eventually(lambda: enabled(self.first(role, name)), f"{role} {name!r}, usable")
        if not on_screen(node):
            node.scroll_to(Atspi.ScrollType.ANYWHERE)
        x, y = eventually(lambda: center(node), f"a place for {role} {name!r}")
        xdotool("mousemove", x, y, "click", 1)

    def fill(self, name, value, role="entry|text"):
        """Types value into the field with this label, and waits until the field holds it."""
        self.click(role, name)
        press("ctrl+a")
        xdotool("type", "--delay", 12, "--", value)
        eventually(lambda: value in text(self.first(role, name)), f"{value!r} in the field {name!r}")

    def type_path(self, path):
        """Types a path into the system's file dialog, anew where letters were lost while its field was opening."""
        for _ in range(3):
            xdotool("type", "--delay", 30, path)  # a slash opens the field
            with contextlib.suppress(NotFound):
                return eventually(lambda: self.holds(path), f"{path!r} in the file dialog", PATIENCE / 6)
            press("ctrl+a")
        raise NotFound(f"{path!r} does not get into the file dialog")

    def holds(self, value):
        """Whether a field holds a text that begins so: a completion may stand behind it."""
        fields = (node for node in self.nodes() if node.get_role_name() in ("text", "entry") and showing(node))
        return any(text(node).startswith(value) for node in fields)

    def dump(self):
        self.app.clear_cache()
        for depth, node in walk(self.app):
            if showing(node):
                print("  " * depth, node.get_role_name(), repr(node.get_name()), repr(text(node)[:80]))


def state(node, which):
    return node.get_state_set().contains(which)


def showing(node):
    return state(node, Atspi.StateType.SHOWING)


def enabled(node):
    return node if node is not None and state(node, Atspi.StateType.ENABLED) else None


def extents(node):
    return node.get_component_iface().get_extents(Atspi.CoordType.SCREEN)


def on_screen(node):
    box = extents(node)
    return box.width > 0 and box.height > 0 and box.x >= 0 and box.y >= 0


def center(node):
    box = extents(node)
    return (box.x + box.width // 2, box.y + box.height // 2) if box.width > 0 and box.height > 0 else None


def xdotool(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)


def press(keys):
    xdotool("key", "--clearmodifiers", keys)


def picture(path, window="root"):
    """Keeps what is on the screen, or what one window shows, as a picture."""
    subprocess.run(["import", "-silent", "-window", window, path], check=True, timeout=PATIENCE)
