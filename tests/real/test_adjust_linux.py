#!/usr/bin/python3
"""adjust on real GTK and Qt programs under a private Xvfb. The program's own log is the proof: it tells
which value its control holds, and that nothing else was touched."""
import sys

import tap
from deft import Deft
from desktop import Desktop, Missing

try:
    DESKTOP = Desktop()
except Missing as e:
    print(f"1..0 # SKIP {e} is not installed")
    sys.exit(0)
DEFT = Deft(DESKTOP)


def adjust(label, wish, *more):
    answer = DEFT.run("adjust", "--json", f'label="{label}"', str(wish), *more).json
    assert answer["success"], answer["error"]["message"]
    return answer["data"]


def refused(code, label, wish, *more):
    return DEFT.fails(code, "adjust", f'label="{label}"', str(wish), *more).error["details"]["envelope"]


def told(log, label):
    """The last value the program told of a control, None: it never changed."""
    values = [line.rsplit(" ", 1)[1] for line in log.lines() if line.rsplit(" ", 1)[0] == label]
    return float(values[-1]) if values else None


def close():
    DEFT.run("close", "--force")


def direct(log, label, wish, **more):
    done = adjust(label, wish)
    assert done["attempts"] == 1 and done["adjustment_mode"] == "semantic", done
    assert abs(told(log, label) - wish) <= done["target_state"]["tolerance"] + 1e-6, (done, log.lines())
    return done


def form(name):
    log = DEFT.app(name)
    done = adjust("Volume", 65)
    assert done["attempts"] == 1, done
    log.expect("volume 65")
    adjust("Count", 17)
    log.expect("count 17")
    assert adjust("Count", 17)["attempts"] == 0
    envelope = refused("CONTROL_CONVERGENCE_FAILED", "Volume", 101)
    assert envelope["attempts"] == 0 and told(log, "volume") == 65, envelope
    refused("ELEMENT_NOT_INTERACTABLE", "Save", 1)
    assert not any(line.startswith("saved") for line in log.lines())
    adjust("Volume", 0)
    log.expect("volume 0")
    adjust("Volume", 100)
    log.expect("volume 100")
    close()


def test_form_gtk3():
    """GTK 3: a scale and a spin button reach the value, their program says so"""
    form("form_gtk3")


def test_form_gtk4():
    """GTK 4: the same"""
    form("form_gtk4")


def test_form_qt6():
    """Qt 6: the same"""
    form("form_qt6")


def habits(log):
    envelope = refused("CONTROL_CONVERGENCE_FAILED", "Stuck", 50, "--max-attempts", "2")
    assert envelope["attempts"] == 2 and envelope["actual_state"]["value"] == 10, envelope
    envelope = refused("CONTROL_CONVERGENCE_FAILED", "Clamped", 80, "--max-attempts", "2")
    assert envelope["actual_state"]["value"] == 50 and told(log, "Clamped") == 50, envelope
    assert adjust("Clamped", 30)["attempts"] == 1 and told(log, "Clamped") == 30
    refused("ELEMENT_NOT_INTERACTABLE", "Off", 70)
    assert told(log, "Off") is None
    refused("ELEMENT_NOT_INTERACTABLE", "Progress", 50)


def test_controls_gtk3():
    """GTK 3: ranges, right to left, clamping, refusal, delay, volume, scroll bar, bars that only show"""
    log = DEFT.app("controls_gtk3")
    direct(log, "Gain", 0.65)
    direct(log, "Balance", -20)
    direct(log, "Mirrored", 150)
    direct(log, "Loudness", 0.7)
    direct(log, "Way", 120)
    done = adjust("Copies", 17)
    assert done["target_state"]["target_value"] in (15, 17), done
    assert told(log, "Copies") == done["actual_state"]["value"], (done, log.lines())
    habits(log)
    refused("ELEMENT_NOT_INTERACTABLE", "Level", 0.9)
    done = adjust("Slow", 60)
    assert told(log, "Slow") == 60, (done, log.lines())
    close()


def test_controls_gtk4():
    """GTK 4: ranges, clamping, refusal, a bar that only shows"""
    log = DEFT.app("controls_gtk4")
    direct(log, "Gain", 0.65)
    direct(log, "Balance", -20)
    adjust("Copies", 15)
    assert told(log, "Copies") == 15, log.lines()
    habits(log)
    close()


def test_controls_qt6():
    """Qt 6: slider, dial, scroll bar, double spin box, clamping, a bar that only shows"""
    log = DEFT.app("controls_qt6")
    direct(log, "Gain", 650)
    direct(log, "Balance", -20)
    direct(log, "Dial", 80)
    direct(log, "Way", 120)
    direct(log, "Copies", 12.5)
    habits(log)
    close()


if __name__ == "__main__":
    try:
        tap.run(sys.modules[__name__])
    finally:
        DEFT.run("daemon", "stop", "--force")
        DESKTOP.close()
