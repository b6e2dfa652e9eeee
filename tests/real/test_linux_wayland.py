#!/usr/bin/env python3
"""A Wayland session without an X server: no pointer, no keys, no places. What programs offer to the
accessibility bus works all the same, and what can't be done is said with what works instead."""
import shutil
import sys

import tap
from deft import Deft
from desktop import Desktop, Missing


class Wayland(Desktop):
    """weston without a screen instead of Xvfb."""

    def _x(self, screen):
        self.spawn(["weston", "--backend=headless-backend.so", "--socket=wayland-test", "--no-config"])
        self.env["WAYLAND_DISPLAY"] = "wayland-test"
        socket = self.dir / "run" / "wayland-test"
        self.wait_until(socket.exists, "weston")


if not shutil.which("weston"):
    print("1..0 # SKIP weston is not installed")
    sys.exit(0)
try:
    DESKTOP = Wayland(window_manager=False)
except Missing as e:
    print(f"1..0 # SKIP {e} is not installed")
    sys.exit(0)
DEFT = Deft(DESKTOP)


def refused(*words):
    answer = DEFT.fails("UNSUPPORTED_OPERATION", *words)
    assert "Wayland" in answer.error["message"], answer
    assert "press, fill, adjust" in answer.error["hint"], answer


def test_devices():
    """the desktop is available"""
    found = [d for d in DEFT.ok("devices").data["devices"] if d["platform"] == "linux"]
    assert len(found) == 1 and found[0]["available"], found


def form(name, save_action, bold_action):
    log = DEFT.app(name)
    nodes = DEFT.ok("snapshot").data["nodes"]
    assert any(n.get("label") == "Save" for n in nodes), nodes
    assert not any("rect" in n for n in nodes), [n for n in nodes if "rect" in n]
    done = DEFT.ok("press", 'label="Save"').data
    assert (done["activation"], done["action"]) == ("semantic", save_action), done
    assert "X server" in done["reason"], done
    log.expect("saved ")
    if bold_action:
        assert DEFT.ok("press", 'label="Bold"').data["action"] == bold_action
        log.expect("bold True")
    else:
        DEFT.fails("ELEMENT_NOT_INTERACTABLE", "press", 'label="Bold"')
    filled = DEFT.ok("fill", 'label="Name" editable', "Zoë 日本").data
    assert filled["verified"] is True and filled["route"] == "editable-text", filled
    log.expect("name Zoë 日本")
    DEFT.ok("adjust", 'label="Volume"', "40")
    log.expect("volume 40")
    DEFT.fails("ELEMENT_DISABLED", "press", 'label="Disabled"')
    log.never("disabled was pressed")


def test_gtk3():
    """GTK 3: pressed by action, filled and adjusted with proof"""
    form("form_gtk3", "click", "click")


def test_refusals():
    """what needs a pointer, keys or pixels is refused with the reason and the alternative"""
    refused("key", "enter")
    refused("drag", "10", "10", "50", "50")
    refused("press", "10", "10")
    refused("screenshot", "never.png")
    refused("screenshot", "never.png", "--target", 'label="Save"')
    assert not (DESKTOP.dir / "never.png").exists()
    DEFT.run("close", "--force")


def test_gtk4():
    """GTK 4: the same; its check boxes offer no action, and so are refused"""
    form("form_gtk4", "click", None)
    DEFT.run("close", "--force")


def test_qt6():
    """Qt 6: the same"""
    if not qt_has_wayland():
        raise tap.Skip("Qt 6 has no Wayland plugin here (package qt6-wayland)")
    form("form_qt6", "Press", "Toggle")
    DEFT.run("close", "--force")


def qt_has_wayland():
    child = DESKTOP.spawn(["/usr/bin/python3", "-c", "from PyQt6.QtGui import QGuiApplication as A; "
                           "import sys; sys.exit(A(['x', '-platform', 'wayland']) is None)"])
    return child.wait(20) == 0


if __name__ == "__main__":
    try:
        tap.run(sys.modules[__name__])
    finally:
        DEFT.run("daemon", "stop", "--force")
        DESKTOP.close()
