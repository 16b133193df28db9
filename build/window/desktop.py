"""The part of a desktop that shows notifications: keeps what programs ask for, and clicks on them.

A process of its own, since the accessibility library of the tests wants the main loop of theirs. As a program it prints
each notification as a line of JSON, and clicks on the one whose number it reads.
"""

import json
import subprocess
import sys
import threading

from gi.repository import Gio, GLib

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
INTERFACE = f"""<node><interface name="{NAME}">
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
<arg type="a{{sv}}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
<method name="CloseNotification"><arg type="u" direction="in"/></method>
<method name="GetCapabilities"><arg type="as" direction="out"/></method>
<method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>
<arg type="s" direction="out"/><arg type="s" direction="out"/></method>
<signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface></node>"""


class Notifications:
    """The process; shown holds [heading, text] of each notification."""

    def __init__(self):
        self.shown = []
        self.process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise AssertionError("the desktop of the test did not start")
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.shown.append(json.loads(line))

    def click(self, number):
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()


def serve():
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    loop = GLib.MainLoop()
    shown = 0

    def call(_bus, _sender, _path, _interface, method, arguments, invocation):
        nonlocal shown
        answer = None
        if method == "Notify":
            words = arguments.unpack()
            shown += 1
            print(json.dumps([words[3], words[4]]), flush=True)
            answer = GLib.Variant("(u)", (shown,))
        elif method == "GetCapabilities":
            answer = GLib.Variant("(as)", (["actions", "body"],))
        elif method == "GetServerInformation":
            answer = GLib.Variant("(ssss)", ("test", "test", "1", "1.2"))
        invocation.return_value(answer)

    def click(_source, _condition):
        line = sys.stdin.readline()
        if not line:
            loop.quit()
            return False
        bus.emit_signal(None, PATH, NAME, "ActionInvoked", GLib.Variant("(us)", (int(line), "default")))
        return True

    bus.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0], call, None, None)
    Gio.bus_own_name_on_connection(
        bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), lambda *_: loop.quit()
    )
    GLib.io_add_watch(sys.stdin.fileno(), GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, click)
    loop.run()


if __name__ == "__main__":
    serve()
