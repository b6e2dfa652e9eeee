#!/usr/bin/python3
"""adjust on the virtual device's Controls screen: the real command line, daemon and runner. What deft
says is held against the device's own state, read in a separate snapshot; what is refused must leave it
as it was. Named cases of the specification (S01, ...) stand beside what proves them here."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import tap
from deft import PROGRAM, Deft

KEPT = ("PATH", "LANG", "LC_ALL", "HOME")


class Place:
    """A state directory of our own; the virtual device needs nothing else."""

    def __init__(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="deft-virtual-"))
        self.env = {k: v for k, v in os.environ.items() if k in KEPT or k.startswith(("DEFT_", "ASAN_",
                    "UBSAN_", "TSAN_", "LSAN_"))}
        self.env["DEFT_STATE_DIR"] = str(self.dir / "state")


PLACE = Place()
DEFT = Deft(PLACE)


def screen(flavour):
    """The Controls screen, fresh."""
    DEFT.run("close", "--force")
    DEFT.ok("open", "demo", "--platform", "virtual", "--flavour", flavour, "--relaunch")
    DEFT.ok("press", 'label="Controls"')


def state(control):
    found = [n for n in DEFT.ok("snapshot", "--raw").data["nodes"] if n.get("identifier") == control]
    assert len(found) == 1, (control, found)
    return found[0]


def value(control):
    return state(control)["range"]["current"]


def direct(control):
    """The runtime itself offers a write (on some flavours there is none, and steps take its place)."""
    return any("set" in a.lower() for a in state(control).get("actions", ()))


def adjust(control, wish, *more):
    answer = DEFT.run("adjust", "--json", f'id="{control}"', str(wish), *more).json
    assert answer["success"], answer["error"]["message"]
    return answer["data"]


def refused(code, control, wish, *more):
    answer = DEFT.fails(code, "adjust", f'id="{control}"', str(wish), *more)
    return answer.error["details"]["envelope"]


def near(a, b, by=1e-9):
    assert abs(a - b) <= by, (a, b)


def check_direct_ones():
    for control, wish, stop in (("volume", 0.65, 0.65), ("brightness", 63, 65), ("rating", 3.3, 3.5),
                                ("temperature", 30.2, 30)):
        if not direct(control):
            continue
        done = adjust(control, wish)
        assert done["attempts"] == 1 and done["adjustment_mode"] == "semantic", done
        assert done["details"]["strategy"] == "direct_set_value", done
        near(done["target_state"]["target_value"], stop)
        near(value(control), stop)
        assert done["within_tolerance"] and done["converged"] and done["success"]


def check_steps():
    done = adjust("quantity", 3)
    assert done["attempts"] == 3 and value("quantity") == 3, done
    stages = [s["stage"] for s in done["trace"]["steps"]]
    assert stages == ["resolve"] + ["execute", "verify"] * 3, stages
    done = adjust("of-five", 5)
    assert done["attempts"] == 2 and done["actual_state"]["raw_value"] == "5 of 5", done
    assert adjust("quantity", 3)["attempts"] == 0
    if not direct("brightness"):
        done = adjust("brightness", 58)
        assert done["attempts"] == 4 and value("brightness") == 60, done


def check_coordinates():
    for control, wish in (("seek", 150), ("seek-rtl", 150), ("vertical", 7)):
        done = adjust(control, wish)
        assert done["adjustment_mode"] == "coordinate" and done["attempts"] == 1, done
        near(value(control), wish, done["target_state"]["tolerance"])
        near(done["actual_state"]["value"], value(control))


def check_ends():
    """The ends of a track are reached as near as one point of it allows."""
    for wish in (0, 300, 1, 299):
        near(adjust("seek", wish)["actual_state"]["value"], wish, 3)


def check_refusals():
    before = {c: state(c) for c in ("locked", "looks-adjustable", "localized", "comma", "volume")}
    for control, code, wish in (("locked", "ELEMENT_NOT_INTERACTABLE", 70),
                                ("looks-adjustable", "ELEMENT_NOT_INTERACTABLE", 5),
                                ("localized", "UNKNOWN", 0.3), ("comma", "UNKNOWN", 0.3),
                                ("volume", "CONTROL_CONVERGENCE_FAILED", 50),
                                ("volume", "CONTROL_CONVERGENCE_FAILED", -0.1)):
        envelope = refused(code, control, wish)
        assert envelope["attempts"] == 0 and not envelope["success"], envelope
        assert [s["stage"] for s in envelope["trace"]["steps"]] == ["resolve", "recover"], envelope
        assert state(control) == before[control]
    refused("ELEMENT_NOT_INTERACTABLE", "wifi", 1)
    assert not state("wifi").get("checked")


def check_habits():
    envelope = refused("CONTROL_CONVERGENCE_FAILED", "stuck", 50)
    assert envelope["attempts"] == 5 and envelope["actual_state"]["value"] == 10, envelope
    assert envelope["details"]["reason_code"] == "unchanged", envelope
    assert value("stuck") == 10
    assert refused("CONTROL_CONVERGENCE_FAILED", "stuck", 50, "--max-attempts", "2")["attempts"] == 2
    if direct("sluggish"):
        done = adjust("sluggish", 60)
        assert done["attempts"] == 1 and value("sluggish") == 60, done
        readings = done["trace"]["steps"][-1]["metadata"]["readings"]
        assert 3 <= readings <= 10, readings
        envelope = refused("CONTROL_CONVERGENCE_FAILED", "slips", 50)
        assert envelope["attempts"] == 5 and envelope["actual_state"]["value"] == 60, envelope
        done = adjust("loses-direct", 6)
        assert [s["metadata"]["strategy"] for s in done["trace"]["steps"] if s["stage"] == "execute"] \
            == ["direct_set_value"] + ["increment_decrement"] * (done["attempts"] - 1), done
        assert done["attempts"] > 1 and value("loses-direct") == 6, done
    envelope = refused("ELEMENT_NOT_FOUND", "vanishing", 50)
    assert envelope["attempts"] == 1 and envelope["actual_state"] is None, envelope


def check_words():
    said = DEFT.run("adjust", 'id="quantity"', "4").out.strip()
    assert said == "Quantity was 3, asked 4; now 4 (stepped, 1 attempt)", said
    if direct("brightness"):
        DEFT.ok("adjust", 'id="brightness"', "40")
        said = DEFT.run("adjust", 'id="brightness"', "63").out.strip()
        assert said == "Brightness was 40, asked 63 \u2192 stop 65; now 65 (set directly, 1 attempt)", said


def check_percent():
    if direct("percent"):
        done = adjust("percent", 80)
        assert done["actual_state"] == {"property": "value", "value": 80, "raw_value": "80 %"}, done
        done = adjust("percent", 0.5)
        near(done["actual_state"]["value"], 0.5)


def run_all(flavour):
    screen(flavour)
    for check in (check_direct_ones, check_steps, check_coordinates, check_ends, check_refusals,
                  check_habits, check_words, check_percent):
        try:
            check()
        except AssertionError as e:
            raise AssertionError(f"{flavour}, {check.__name__}: {e}") from e


def test_android():
    """Android flavour: every control of the Controls screen (S01, S02, S07, S13, S16, S17, S28)"""
    run_all("android")


def test_ios():
    """iOS flavour: every control of the Controls screen (I11, I12)"""
    run_all("ios")


def test_linux():
    """Linux flavour: every control of the Controls screen"""
    run_all("linux")


def test_refs_and_ids():
    """a ref, a selector and an element id lead to the same control"""
    screen("android")
    nodes = DEFT.ok("snapshot", "-i").data["nodes"]
    volume = next(n for n in nodes if n.get("identifier") == "volume")
    assert all("elementId" not in n for n in nodes if n["role"] == "button")
    DEFT.ok("adjust", f"@{volume['ref']}", "0.4")
    near(value("volume"), 0.4)
    done = Mcp().call("adjust_control", element_id=volume["elementId"], targetValue=0.7)
    assert done["structuredContent"]["target"]["resolved"]["elementId"] == volume["elementId"], done
    near(value("volume"), 0.7)
    DEFT.ok("press", 'label="Back"')
    DEFT.fails("ELEMENT_NOT_FOUND", "adjust", f"@{volume['ref']}", "0.4")


class Mcp:
    """The smallest client: one line in, one line out."""

    def __init__(self):
        self.server = subprocess.Popen([str(PROGRAM), "mcp"], env=DEFT.env, cwd=DEFT.cwd, text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL)
        self.id = 0
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={},
                 clientInfo={"name": "test", "version": "1"})

    def raw(self, line):
        self.server.stdin.write(line + "\n")
        self.server.stdin.flush()
        return json.loads(self.server.stdout.readline())

    def ask(self, method, **params):
        self.id += 1
        return self.raw(json.dumps({"jsonrpc": "2.0", "id": self.id, "method": method,
                                    "params": params}))

    def call(self, tool, **arguments):
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        return answer["result"]


ENVELOPE = {"action_id", "timestamp", "action_type", "lifecycle_state", "source_module", "device",
            "target", "success", "trace", "ui_fingerprint_before", "ui_fingerprint_after", "details",
            "target_state", "actual_state", "within_tolerance", "converged", "attempts",
            "adjustment_mode"}
FAILED = {"failure_code", "retryable", "recovery"}


def test_mcp_tool():
    """adjust_control answers with the whole envelope, in success and in failure"""
    screen("android")
    mcp = Mcp()
    tools = mcp.ask("tools/list")["result"]["tools"]
    tool = next(t for t in tools if t["name"] == "adjust_control")
    assert {"selector", "element_id", "property", "targetValue", "tolerance", "maxAttempts"} \
        <= set(tool["inputSchema"]["properties"]), tool
    assert not any(t["name"] == "adjust" for t in tools)
    done = mcp.call("adjust_control", selector='id="volume"', targetValue=0.65)
    assert not done["isError"], done
    got = done["structuredContent"]
    assert set(got) == ENVELOPE | {"message"}, set(got) ^ ENVELOPE
    assert got["ui_fingerprint_before"] != got["ui_fingerprint_after"], got
    assert got["device"]["simulator"] is True and got["target"]["resolved"]["resource_id"] == "volume"
    failed = mcp.call("adjust_control", selector='id="stuck"', targetValue=50, maxAttempts=2)
    assert failed["isError"], failed
    got = failed["structuredContent"]
    assert set(got) == ENVELOPE | FAILED, set(got) ^ (ENVELOPE | FAILED)
    assert got["failure_code"] == "CONTROL_CONVERGENCE_FAILED" and got["attempts"] == 2, got
    assert got["recovery"]["failure_class"] == "ControlConvergenceFailure", got
    neither = mcp.call("adjust_control", targetValue=1)
    assert neither["structuredContent"]["failure_code"] == "ELEMENT_NOT_FOUND", neither
    for wrong in ({"targetValue": "0.5"}, {"targetValue": 1, "maxAttempts": 0},
                  {"targetValue": 1, "tolerance": -1}, {}):
        answer = mcp.call("adjust_control", selector='id="volume"', **wrong)
        assert answer["isError"] and answer["structuredContent"]["code"] == "INVALID_ARGS", answer
    assert "error" in mcp.raw('{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":'
                              '"adjust_control","arguments":{"selector":"id=volume","targetValue":NaN}}}')
    near(value("volume"), 0.65)


def test_equal_runs():
    """two fresh devices answer the same wish with the same bytes, but for ids and times"""
    def run():
        screen("android")
        done = adjust("brightness", 63)
        for key in ("action_id", "timestamp"):
            done.pop(key)
        done["trace"].pop("action_id")
        for step in done["trace"]["steps"]:
            step.pop("timestamp")
        return json.dumps(done)
    first = run()
    assert run() == first


def test_requests():
    """a direct adjustment by selector asks the runner three times"""
    screen("android")
    adjust("volume", 0.3)
    before = DEFT.ok("daemon", "status").data["runner"]
    adjust("volume", 0.5)
    after = DEFT.ok("daemon", "status").data["runner"]
    commands = after["commands"] - before["commands"]
    print(f"# requests of a direct adjustment: {commands} commands, "
          f"{after['requests'] - before['requests']} exchanges", flush=True)
    assert commands == 3, (before, after)


if __name__ == "__main__":
    try:
        tap.run(sys.modules[__name__])
    finally:
        DEFT.run("daemon", "stop", "--force")
        shutil.rmtree(PLACE.dir, ignore_errors=True)
