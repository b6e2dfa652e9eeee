#!/usr/bin/env python3
"""Real programs under a private Xvfb with a private bus, driven by the built deft. What deft says is
held against what the program tells on its own (its log, its accessibility value, its pixels)."""
import os
import signal
import struct
import sys
import zlib

import tap
from deft import APPS, Deft
from desktop import Desktop, Missing, line_from

try:
    DESKTOP = Desktop()
except Missing as e:
    print(f"1..0 # SKIP {e} is not installed")
    sys.exit(0)
DEFT = Deft(DESKTOP)
QT5 = "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/widgets"


def nodes(*flags):
    return DEFT.ok("snapshot", "--raw", *flags).data["nodes"]


def node(label, role=None):
    found = [n for n in nodes() if n.get("label") == label and role in (None, n["role"])]
    assert found, f"no {label} in {[n.get('label') for n in nodes()]}"
    return found[0]


def pixels(path):
    """(width, height, rows of RGB) of a PNG; enough of the format for our own files."""
    raw = open(path, "rb").read()
    assert raw[:8] == b"\x89PNG\r\n\x1a\n", path
    at, data = 8, b""
    while at < len(raw):
        size, kind = struct.unpack(">I4s", raw[at:at + 8])
        body = raw[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            data += body
        at += 12 + size
    assert depth == 8 and colour in (2, 6), (depth, colour)
    step = 3 if colour == 2 else 4
    data, rows, before = zlib.decompress(data), [], bytes(width * step)
    for y in range(height):
        kind, line = data[y * (width * step + 1)], bytearray(
            data[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)])
        for x in range(width * step):
            a = line[x - step] if x >= step else 0
            b, c = before[x], before[x - step] if x >= step else 0
            if kind == 1:
                line[x] = (line[x] + a) & 255
            elif kind == 2:
                line[x] = (line[x] + b) & 255
            elif kind == 3:
                line[x] = (line[x] + (a + b) // 2) & 255
            elif kind == 4:
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                line[x] = (line[x] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
        rows.append(bytes(line))
        before = rows[-1]
    return width, height, rows


def close():
    DEFT.run("close", "--force")


def test_devices_before_anything():
    """devices lists this desktop as available"""
    found = [d for d in DEFT.ok("devices").data["devices"] if d["platform"] == "linux"]
    assert len(found) == 1 and found[0]["available"], found


def test_galculator_computes():
    """GTK 3, galculator: presses compute, its own display is the proof"""
    opened = DEFT.ok("open", "galculator").data
    assert opened["started"] is True, opened
    text = DEFT.run("snapshot", "-i")
    assert text.exit == 0 and "@e1" in text.out, text
    for key in ("4", "2", "+", "8", "="):
        DEFT.ok("press", f'label="{key}"')
    values = [n.get("value") for n in nodes() if n.get("value")]
    assert any(v.strip() == "50" for v in values), values


def test_second_open_raises():
    """open of a running program raises it and starts no second one"""
    again = DEFT.ok("open", "galculator").data
    assert again["started"] is False, again
    running = [p for p in os.listdir("/proc") if p.isdigit() and exe(p).endswith("/galculator")
               and DESKTOP.env["DISPLAY"] in environ(p)]
    assert len(running) == 1, running
    close()


def exe(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def environ(pid):
    try:
        return open(f"/proc/{pid}/environ", encoding="utf-8", errors="replace").read()
    except OSError:
        return ""


def grid(name):
    log = DEFT.app(name)
    shown = nodes()
    boxes = [n for n in shown if n["role"] == "check-box"]
    assert len(boxes) == 120, len(boxes)
    assert all(n["enabled"] for n in boxes)
    for i in (0, 44, 79, 119):
        DEFT.ok("press", f'label="w{i}"')
        log.expect(f"toggled w{i} True")
    told = [line for line in log.lines() if line.startswith("toggled")]
    assert len(told) == 4, told
    close()


def test_grid_gtk3():
    """GTK 3: a label press hits that very check box under window decorations"""
    grid("grid_gtk3")


def test_grid_gtk4():
    """GTK 4: nothing is disabled, a label press is not ambiguous and hits that very check box"""
    grid("grid_gtk4")


def form(name):
    log = DEFT.app(name)
    filled = DEFT.ok("fill", 'label="Name" editable', "Zoë Größe 日本 🙂").data
    assert filled["verified"] is True, filled
    log.expect("name Zoë Größe 日本 🙂")
    secret = DEFT.ok("fill", 'label="Password" editable', "hunter2-secret")
    log.expect("password 14")
    DEFT.ok("press", 'role=button label="Save"')
    log.expect("saved Zoë Größe 日本 🙂")
    DEFT.ok("press", 'label="Bold"')
    log.expect("bold True")
    DEFT.fails("ELEMENT_DISABLED", "press", 'label="Disabled"')
    log.never("disabled was pressed")
    DEFT.fails("INVALID_TARGET", "fill", 'role=slider', "40")
    assert not any(line.startswith("volume 40") for line in log.lines())
    everything = secret.out + DEFT.run("snapshot", "--raw", "--json").out + DEFT.run("snapshot").out
    assert "hunter2" not in everything
    logs = "".join(open(os.path.join(d, f), errors="replace").read()
                   for d, _, files in os.walk(DESKTOP.env["DEFT_STATE_DIR"]) for f in files
                   if f.endswith((".log", ".ndjson", ".json")))
    assert "hunter2" not in logs
    shown = DEFT.run("snapshot", "-i").out
    assert "Zoë Größe 日本 🙂" in shown and 'saved Zoë' in DEFT.run("snapshot").out
    return log


def test_form_gtk3():
    """GTK 3: fill with read-back, password unseen, disabled refused, slider not filled"""
    log = form("form_gtk3")
    DEFT.ok("fill", 'role=spin-button', "17")
    DEFT.ok("press", 'role=button label="Save"')
    log.expect("count 17")


def test_off_screen_then_scroll():
    """a row outside the list is refused, scrolled to, then pressed"""
    DEFT.fails("ELEMENT_OFFSCREEN", "press", 'role=button label="Row 50"')
    for _ in range(40):
        DEFT.ok("scroll", "down", "--target", "role=scroll-area")
        if DEFT.run("press", 'role=button label="Row 50"').exit == 0:
            break
    else:
        raise AssertionError("Row 50 never came into view")


def scroll_until(name):
    """Down to a row, nothing when it is there, back up, and what is not there ends at the end."""
    close()
    log = DEFT.app(name)
    found = DEFT.ok("scroll", "--until", 'role=button label="Row 50"').data
    assert found["passes"] > 0 and found["direction"] == "down" and found["whole"], found
    DEFT.ok("press", 'role=button label="Row 50"')
    log.expect("row Row 50")
    again = DEFT.ok("scroll", "up", "--until", 'role=button label="Row 50"').data
    assert again["passes"] == 0, again
    back = DEFT.ok("scroll", "--until", 'role=button label="Row 2"').data
    assert back["direction"] == "up", back
    DEFT.fails("ELEMENT_NOT_FOUND", "scroll", "down", "--until", 'label="Row 99"')
    DEFT.fails("ELEMENT_OFFSCREEN", "scroll", "down", "--until", 'label="Row 2"')
    assert DEFT.ok("scroll", "bottom").data["passes"] == 0, "the last row shows, and so does the end"
    assert DEFT.ok("scroll", "top").data["passes"] > 0
    assert DEFT.ok("scroll", "top").data["passes"] == 0
    close()


def test_scroll_until_gtk3():
    """GTK 3: scrolled until a row shows, and to the ends"""
    scroll_until("form_gtk3")


def test_scroll_until_gtk4():
    """GTK 4: the same"""
    scroll_until("form_gtk4")


def test_scroll_until_qt6():
    """Qt 6: the same"""
    scroll_until("form_qt6")
    DEFT.app("form_gtk3")


def test_wrong_name_keeps_the_session():
    """close of a program that does not run leaves the session alone"""
    DEFT.fails("APP_NOT_RUNNING", "close", "no-such-program")
    assert nodes()


def test_stale_ref():
    """a ref whose element has gone is refused as stale and nothing else is pressed"""
    lines = DEFT.run("snapshot", "-i").out.split("\n")
    ref = next(line.split()[0] for line in lines if '"Vanish"' in line)
    DEFT.ok("press", ref)
    DEFT.fails("ELEMENT_STALE", "press", ref)


def test_long_text():
    """100,000 characters arrive whole"""
    text = "".join(chr(97 + i % 26) for i in range(99999)) + "Ω"
    done = DEFT.ok("fill", 'label="Notes"', text)
    assert done.data["verified"] is True, done.data.keys()
    close()


def test_form_gtk4():
    """GTK 4: the same form"""
    log = form("form_gtk4")
    DEFT.ok("press", 'label="Wi-Fi"')
    log.expect("wifi True")
    close()


def test_form_qt6():
    """Qt 6: the same form"""
    form("form_qt6")
    close()


def test_qt5_lineedits():
    """Qt 5: a program of the distribution is read, typed into and closed"""
    if not os.path.exists(f"{QT5}/lineedits/lineedits"):
        raise tap.Skip("the Qt 5 examples are not installed")
    DEFT.ok("open", f"{QT5}/lineedits/lineedits")
    field = next(n for n in nodes() if n.get("editable") and not n.get("password")
                 and n["role"] == "text-field" and n["enabled"])
    DEFT.run("snapshot", "-i")
    shown = DEFT.ok("snapshot", "-i").data["nodes"]
    ref = next(n["ref"] for n in shown if n.get("nodeId") == field["nodeId"])
    DEFT.ok("fill", f"@{ref}", "Grüße")
    assert DEFT.ok("get", "text", f"@{ref}").data["text"] == "Grüße"
    closed = DEFT.ok("close").data
    assert not closed.get("left"), closed


def test_gtk4_demo():
    """GTK 4: gtk4-demo of the distribution is read and searched"""
    DEFT.ok("open", "gtk4-demo")
    assert all(n["enabled"] for n in nodes() if n["role"] == "list-item")
    close()


def test_covered_window():
    """a press on a covered window raises it first and reaches the right program"""
    first = DEFT.app("grid_gtk3")
    second = DESKTOP.dir / "cover.log"
    DESKTOP.spawn(["/usr/bin/python3", str(APPS / "grid_gtk3.py"), "20x16"],
                  env={"APP_LOG": str(second)})
    DESKTOP.wait_until(second.exists, "the covering program")
    DEFT.ok("press", 'label="w44"')
    first.expect("toggled w44 True")
    assert "toggled" not in second.read_text()


def test_two_programs_of_one_name():
    """two programs of one name: the name alone is ambiguous, the id names one"""
    running = [a for a in DEFT.ok("apps").data["apps"] if a["name"] == "grid_gtk3.py"]
    assert len(running) == 2, running
    DEFT.fails("AMBIGUOUS_MATCH", "open", "grid_gtk3.py")
    for app in running:
        assert DEFT.ok("open", app["id"]).data["started"] is False
        DEFT.ok("close", app["id"], "--force")


def test_screenshots():
    """screenshot of screen, window and element; the element's pixels change when it is toggled"""
    log = DEFT.app("grid_gtk3", "4x4")
    whole = DEFT.ok("screenshot", "whole.png", "--fullscreen").data
    assert (whole["width"], whole["height"]) == (1920, 1200), whole
    before = DEFT.ok("screenshot", "before.png", "--target", 'label="w5"').data
    DEFT.ok("press", 'label="w5"')
    log.expect("toggled w5 True")
    DEFT.ok("press", "5", "5")
    after = DEFT.ok("screenshot", "after.png", "--target", 'label="w5"').data
    one, two = pixels(before["path"]), pixels(after["path"])
    assert one[:2] == two[:2] and one[2] != two[2]
    window = DEFT.ok("screenshot", "window.png").data
    assert window["width"] < 1920, window
    DEFT.fails("IO_ERROR", "screenshot", "/nowhere/at/all.png")
    close()


def test_keys_and_type():
    """key chords and typing reach the focused field"""
    log = DEFT.app("form_gtk3")
    DEFT.ok("fill", 'label="Name" editable', "first")
    DEFT.ok("focus", 'label="Name" editable')
    DEFT.ok("key", "end")
    DEFT.ok("type", " and ÄÖ é")
    log.expect("name first and ÄÖ é")
    DEFT.ok("key", "ctrl+a")
    DEFT.ok("key", "delete")
    log.expect("name ")
    DEFT.fails("INVALID_ARGS", "key", "ctrl+nosuchkey")


def test_frozen_program():
    """a stopped program gives a marked, partial tree in bounded time; others go on"""
    pid = next(n["pid"] for n in nodes() if n.get("pid"))
    os.kill(pid, signal.SIGSTOP)
    try:
        shot = DEFT.ok("snapshot", "--surface", "desktop", "--raw", timeout=30).data
        assert any(n.get("unresponsive") for n in shot["nodes"]), shot["snapshotQuality"]
        assert shot["snapshotQuality"]["state"] == "partial", shot["snapshotQuality"]
        mine = DEFT.run("snapshot", "--json", timeout=30)
        assert mine.exit != 70, mine
    finally:
        os.kill(pid, signal.SIGCONT)


def test_program_dies():
    """a program that dies gives APP_NOT_RUNNING, and the next open works"""
    pid = next(n["pid"] for n in nodes() if n.get("pid"))
    os.kill(pid, signal.SIGKILL)
    answer = DEFT.run("snapshot", "--json")
    assert answer.error["code"] == "APP_NOT_RUNNING", answer
    DEFT.run("close")
    DEFT.ok("open", "galculator")
    close()


def test_no_such_program():
    """a program that is not installed: APP_NOT_FOUND"""
    DEFT.fails("APP_NOT_FOUND", "open", "no-such-program-anywhere")


def test_no_display():
    """no display: devices says why, open refuses with the missing piece"""
    bare = Deft(DESKTOP)
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        bare.env.pop(name, None)
    bare.env["XDG_RUNTIME_DIR"] = str(DESKTOP.dir)
    bare.env["DEFT_STATE_DIR"] = str(DESKTOP.dir / "bare")
    found = [d for d in bare.ok("devices").data["devices"] if d["platform"] == "linux"]
    assert found and not found[0]["available"] and found[0]["reason"], found
    bare.fails("DEVICE_UNAVAILABLE", "open", "galculator", "--platform", "linux")
    bare.run("daemon", "stop")


def test_no_accessibility_bus():
    """a session bus without the accessibility service: a typed error within seconds"""
    config = DESKTOP.dir / "bus.conf"
    config.write_text('<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>'
                      '<auth>EXTERNAL</auth><policy context="default"><allow send_destination="*" '
                      'eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>')
    read, write = os.pipe()
    DESKTOP.spawn(["dbus-daemon", f"--config-file={config}", "--nofork", f"--print-address={write}"],
                  pass_fds=[write])
    os.close(write)
    address = line_from(read)
    lonely = Deft(DESKTOP, env={"DBUS_SESSION_BUS_ADDRESS": address,
                                "DEFT_STATE_DIR": str(DESKTOP.dir / "lonely")})
    # The root window of this display names the other bus; a display of its own has no such hint.
    with Desktop(window_manager=False, screen="640x480x24") as other:
        lonely.env["DISPLAY"] = other.env["DISPLAY"]
        answer = lonely.run("open", "galculator", "--platform", "linux", "--json", timeout=20)
        assert answer.error["code"] == "DEVICE_UNAVAILABLE", answer
        assert "at-spi2-core" in answer.error["message"] + answer.error["hint"], answer
        lonely.run("daemon", "stop")


def test_daemon_killed():
    """the daemon killed with a command in flight: an honest answer, and the next command works"""
    DEFT.ok("open", "galculator")
    pid = DEFT.ok("daemon", "status").data["pid"]
    waiting = DEFT.start("wait", "text", "never shown", "--timeout", "20000", "--json")
    DESKTOP.wait_until(lambda: DEFT.ok("daemon", "status").data["requests"]["running"] >= 2,
                       "the wait to run")
    os.kill(pid, signal.SIGKILL)
    out, _ = waiting.communicate(timeout=20)
    assert b"DAEMON_UNAVAILABLE" in out, out
    DEFT.fails("SESSION_NOT_FOUND", "press", 'label="1"')
    DEFT.ok("open", "galculator")
    close()


def test_invalid_utf8():
    """invalid UTF-8 in an argument is refused before anything is sent"""
    answer = Deft(DESKTOP).run("open", b"caf\xe9".decode("utf-8", "surrogateescape"), "--json")
    assert answer.error["code"] == "INVALID_ARGS" and answer.exit == 2, answer


def test_stop_leaves_nothing():
    """daemon stop ends runners and leaves no process of ours"""
    DEFT.ok("open", "galculator")
    close()
    DEFT.ok("daemon", "stop", "--force")
    ours = [p for p in os.listdir("/proc") if p.isdigit() and "/deft" in exe(p)
            and str(DESKTOP.dir) in environ(p)]
    assert not ours, [exe(p) for p in ours]


if __name__ == "__main__":
    try:
        tap.run(sys.modules[__name__])
    finally:
        DEFT.run("daemon", "stop", "--force")
        DESKTOP.close()
