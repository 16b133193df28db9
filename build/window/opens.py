"""The window opens and shows its page. Usage: opens.py PROGRAM [PICTURE]"""

import sys
import tempfile

from accessible import eventually, picture, text
from program import running

program = sys.argv[1]
with tempfile.TemporaryDirectory() as home, running(program, home) as (process, window):
    window.find("frame", "Apollia Connexions")
    eventually(lambda: any(text(node) for node in window.nodes() if node.get_role_name() == "heading"), "a heading")
    if len(sys.argv) > 2:
        picture(sys.argv[2])
print("window: opened")
