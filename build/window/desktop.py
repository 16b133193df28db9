"""The part of a desktop that shows notifications: it keeps what programs ask for, and clicks on them."""

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
    """Owns the name on the session bus while it is open; shown holds (heading, text) of each notification."""

    def __init__(self):
        self.shown = []
        self.loop = GLib.MainLoop()
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.object = self.bus.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0], self.call, None, None)
        self.name = Gio.bus_own_name_on_connection(self.bus, NAME, Gio.BusNameOwnerFlags.NONE, None, None)
        self.thread = threading.Thread(target=self.loop.run)
        self.thread.start()

    def call(self, _bus, _sender, _path, _interface, method, arguments, invocation):
        answer = None
        if method == "Notify":
            words = arguments.unpack()
            self.shown.append((words[3], words[4]))
            answer = GLib.Variant("(u)", (len(self.shown),))
        elif method == "GetCapabilities":
            answer = GLib.Variant("(as)", (["actions", "body"],))
        elif method == "GetServerInformation":
            answer = GLib.Variant("(ssss)", ("test", "test", "1", "1.2"))
        invocation.return_value(answer)

    def click(self, number):
        self.bus.emit_signal(None, PATH, NAME, "ActionInvoked", GLib.Variant("(us)", (number, "default")))

    def close(self):
        Gio.bus_unown_name(self.name)
        self.bus.unregister_object(self.object)
        self.loop.quit()
        self.thread.join()
