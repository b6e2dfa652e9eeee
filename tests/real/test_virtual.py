#!/usr/bin/python3
"""The virtual device through the built command line, daemon and runner: the bundled app, its own time,
faults on demand, scenes of one's own, pictures. No display, no bus, no device."""
import http.client
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import tap
from deft import BUILD, Deft
from png import Picture

RUNNER = BUILD / "runners/virtual/deft-runner-virtual"
SCENES = pathlib.Path(__file__).parents[2] / "share/scenes"
KEPT = ("PATH", "LANG", "LC_ALL")


class Place:
    """A state directory of our own, without any display or bus."""

    def __init__(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="deft-virtual-"))
        self.env = {k: v for k, v in os.environ.items() if k in KEPT or
                    k.startswith(("DEFT_", "ASAN_", "UBSAN_", "TSAN_", "LSAN_"))}
        self.env.update(HOME=str(self.dir), DEFT_STATE_DIR=str(self.dir / "state"))


PLACE = Place()
DEFT = Deft(PLACE)


class Runner:
    """The runner program alone, spoken to over HTTP."""

    def __init__(self, *args, **env):
        self.process = subprocess.Popen([RUNNER, *args], env=dict(PLACE.env, **env),
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.port = int(self.process.stdout.readline().decode().split("=")[1])
        assert self.process.stdout.readline() == b"DEFT_RUNNER_READY\n"
        self.ids = 0

    def send(self, command, **fields):
        """(HTTP status, reply), or (name of the failure, None)."""
        self.ids += 1
        body = json.dumps({"command": command, "commandId": f"c{self.ids}", **fields})
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("POST", "/command", body)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException) as e:
            return type(e).__name__, None
        finally:
            connection.close()

    def ok(self, command, **fields):
        status, reply = self.send(command, **fields)
        assert status == 200 and reply["ok"], (command, status, reply)
        return reply["data"]

    def error(self, command, **fields):
        status, reply = self.send(command, **fields)
        assert reply and not reply["ok"], (command, status, reply)
        return status, reply["error"]["code"]

    def state_of_last(self):
        return self.ok("status", statusCommandId=f"c{self.ids}")["lifecycleState"]

    def node(self, identifier):
        found = [n for n in self.ok("snapshot")["nodes"] if n.get("identifier") == identifier]
        assert len(found) == 1, identifier
        return found[0]

    def __enter__(self):
        self.ok("launch", target="demo")
        return self

    def __exit__(self, *failed):
        self.process.kill()
        self.process.wait()


def demo(*flags):
    DEFT.run("close", "--force")
    DEFT.ok("open", "demo", "--platform", "virtual", "--relaunch", *flags)


def scene(name, content):
    path = PLACE.dir / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def text_of(identifier):
    return DEFT.ok("get", "text", f'id="{identifier}"').data["text"]


def labels():
    return [n.get("label") for n in DEFT.ok("snapshot").data["nodes"]]


# --- selection --------------------------------------------------------------------------------------

def test_chosen_with_a_notice():
    """without any device the virtual one is used, and the output says so"""
    answer = DEFT.run("open", "demo")
    assert answer.exit == 0 and "Demo (demo) on virtual" in answer.out, answer
    assert "using the virtual one" in answer.err, answer
    DEFT.run("close")
    quiet = DEFT.run("open", "demo", "--platform", "virtual")
    assert quiet.exit == 0 and "using" not in quiet.err, quiet


def test_flavours():
    """--flavour ios: an iPhone's tree, screen and ways to change a control"""
    for flavour, kind, size, actions in (
            ("android", "android.widget.SeekBar", (824, 1784), ["SET_PROGRESS"]),
            ("ios", "Slider", (1179, 2556), ["setValue"]),
            ("linux", "slider", (800, 900), ["set-value"])):
        demo("--flavour", flavour)
        DEFT.ok("press", 'id="go-controls"')
        volume = [n for n in DEFT.ok("snapshot", "--raw").data["nodes"]
                  if n.get("identifier") == "volume"][0]
        assert (volume["type"], volume["actions"]) == (kind, actions), volume
        shot = DEFT.ok("screenshot", PLACE.dir / f"{flavour}.png").data
        assert (shot["width"], shot["height"]) == size, shot


# --- the bundled app --------------------------------------------------------------------------------

def test_form():
    """the form: a validation error, then success; the password is nowhere"""
    demo()
    DEFT.ok("press", 'id="go-form"')
    DEFT.ok("fill", 'id="name"', "Ada Lovelace")
    DEFT.ok("fill", 'id="email"', "nonsense")
    DEFT.ok("fill", 'id="password"', "hunter2-secret")
    DEFT.ok("back")
    DEFT.ok("press", 'id="submit"')
    assert "Please check the marked fields" in labels()
    DEFT.ok("fill", 'id="email"', "ada@example.org")
    DEFT.ok("back")
    DEFT.ok("press", 'id="submit"')
    assert text_of("form-result") == "Thank you, Ada Lovelace"
    assert "hunter2" not in DEFT.run("snapshot", "--raw", "--json").out
    for log in (PLACE.dir / "state").rglob("*"):
        if log.is_file():
            assert b"hunter2" not in log.read_bytes(), log


def test_dialogs():
    """an alert covers what lies under it and is answered by pressing"""
    demo()
    DEFT.ok("press", 'id="go-dialogs"')
    DEFT.ok("press", 'id="ask"')
    DEFT.fails("ELEMENT_COVERED", "press", 'id="share"')
    DEFT.ok("press", 'label="Delete"')
    assert text_of("answer") == "Deleted"
    DEFT.ok("press", 'id="share"')
    DEFT.ok("back")
    DEFT.fails("ELEMENT_NOT_FOUND", "press", 'label="Copy link"')


def test_list():
    """five hundred rows: what is off the screen is refused, scrolled to, pressed"""
    demo()
    DEFT.ok("press", 'id="go-list"')
    DEFT.fails("ELEMENT_OFFSCREEN", "press", 'id="row-499"')
    DEFT.ok("scroll", "--until", 'id="row-60"')
    DEFT.ok("press", 'id="row-60"')
    assert text_of("picked") == "A row was picked"


def test_back_and_home():
    """the device's own keys: back through the screens, home and in again"""
    demo()
    DEFT.ok("press", 'id="go-form"')
    DEFT.ok("press", 'id="name"')
    assert "Keyboard" in labels()
    DEFT.ok("back")
    assert "Keyboard" not in labels() and "Form" in labels()
    DEFT.ok("back")
    assert "Home" in labels()
    DEFT.ok("home")
    DEFT.fails("APP_NOT_RUNNING", "snapshot")
    DEFT.ok("open", "demo")
    assert "Home" in labels()


def test_what_a_scene_can_not_have():
    """arguments, an environment, a second mouse button: refused, not passed over"""
    demo()
    DEFT.fails("UNSUPPORTED_OPERATION", "open", "demo", "--relaunch", "--env", "A=B")
    DEFT.fails("UNSUPPORTED_OPERATION", "press", 'id="count"', "--button", "secondary")
    demo("--flavour", "linux")
    DEFT.ok("press", 'id="count"', "--button", "secondary")
    DEFT.fails("UNSUPPORTED_OPERATION", "press", 'id="count"', "--button", "middle")


# --- its own time -----------------------------------------------------------------------------------


def test_waiting_costs_no_time():
    """wait lets the device's time pass at once, and what is late is there"""
    demo()
    DEFT.ok("press", 'id="go-slow"')
    assert "The content is here" not in labels()
    answer = DEFT.ok("wait", "3000", timeout=20)
    assert answer.data["waitedMs"] == 3000
    assert "The content is here" in labels()
    for _ in range(20):  # a minute and a half of the device's time in well under the test's
        assert DEFT.ok("wait", "5000", timeout=20).data["waitedMs"] == 5000


def test_conditions_on_device_time():
    """wait text, gone and stable measure the device's time"""
    demo()
    DEFT.ok("press", 'id="go-slow"')
    shown = DEFT.ok("wait", "text", "The content is here").data
    assert 2000 <= shown["waitedMs"] <= 3200, shown
    absent = DEFT.fails("TIMEOUT", "wait", "text", "never there", "60000", timeout=30).error
    assert absent["details"]["reason"] == "wait_target_absent", absent
    # What never stands still is told apart from what is late.
    moving = DEFT.fails("TIMEOUT", "wait", "stable", "--timeout", "5000", timeout=30).error
    assert moving["details"]["reason"] == "wait_stable_timeout", moving
    DEFT.ok("press", 'id="back"')
    still = DEFT.ok("wait", "stable").data
    assert 500 <= still["waitedMs"] <= 1000, still


def test_equal_commands_equal_runs():
    """the same commands twice: the same bytes from the command line"""
    script = [("press", 'id="go-slow"'), ("wait", "1200"), ("snapshot", "-i"), ("wait", "text", "here"),
              ("snapshot",), ("press", 'id="reload"', "--count", "3", "--interval-ms", "700"),
              ("wait", "stable", "--timeout", "3000"), ("snapshot", "--raw")]
    runs = []
    for _ in range(2):
        demo()
        runs.append([DEFT.run(*words).out for words in script])
    assert runs[0] == runs[1]


# --- scenes -----------------------------------------------------------------------------------------

def test_own_scene():
    """a scene of one's own is validated, opened and used"""
    lamp = scene("lamp.json", {"scene": 1, "app": {"id": "lamp", "name": "Lamp"}, "screens": [
        {"id": "main", "body": [
            {"type": "switch", "id": "power", "label": "Power",
             "on": {"change": [{"do": "set", "id": "state", "text": "switched"}]}},
            {"type": "text", "id": "state", "text": "untouched"}]}]})
    valid = DEFT.ok("virtual", "validate", lamp).data
    assert (valid["appId"], valid["screens"], valid["widgets"]) == ("lamp", 1, 2), valid
    DEFT.run("close", "--force")
    DEFT.ok("open", "--platform", "virtual", "--scene", lamp)
    DEFT.ok("press", 'id="power"')
    assert text_of("state") == "switched"


def test_example_of_the_docs():
    """the example of docs/scenes.md, with the commands that stand below it"""
    page = (SCENES.parents[1] / "docs/scenes.md").read_text(encoding="utf-8")
    lamp = scene("lamp.json", page.split("```json\n", 1)[1].split("```", 1)[0])
    DEFT.run("close", "--force")
    DEFT.ok("open", "--platform", "virtual", "--scene", lamp)
    DEFT.ok("press", 'label="Power"')
    assert text_of("state") == "switched"
    assert DEFT.ok("adjust", 'id="level"', "80").data
    DEFT.ok("press", 'id="more"')
    DEFT.ok("fill", 'id="name"', "Lumen")
    DEFT.ok("press", 'label="Save"')
    assert "The lamp is called Lumen." in labels()


def test_validate_names_the_place():
    """a mistake in a scene: line, column and exit status 2"""
    bad = scene("bad.json", '{"scene": 1,\n "screens": [\n  {"id": "a", "body": [{"type": "knob"}]}]}')
    answer = DEFT.run("virtual", "validate", bad)
    assert answer.exit == 2 and "bad.json:3:33: screens[0].body[0].type" in answer.err, answer
    error = DEFT.fails("INVALID_ARGS", "virtual", "validate", bad).error
    assert (error["details"]["line"], error["details"]["column"]) == (3, 33), error
    broken = DEFT.run("virtual", "validate", scene("broken.json", '{"scene": 1,\n "screens": [}'))
    assert broken.exit == 2 and "broken.json" in broken.err and "line 2" in broken.err, broken
    DEFT.run("close", "--force")
    refused = DEFT.fails("INVALID_ARGS", "open", "--platform", "virtual", "--scene", bad).error
    assert "bad.json:3:33" in refused["message"], refused


def test_demo_is_valid():
    """the bundled scene passes its own check"""
    assert DEFT.ok("virtual", "validate", SCENES / "demo.json").data["appId"] == "demo"


def test_recorded_snapshot():
    """a recorded snapshot --raw --json is a scene"""
    demo()
    DEFT.ok("press", 'id="go-controls"')
    dump = scene("recorded.json", DEFT.run("snapshot", "--raw", "--json").out)
    DEFT.run("close", "--force")
    DEFT.ok("open", "--platform", "virtual", "--scene", dump)
    nodes = {n.get("identifier"): n for n in DEFT.ok("snapshot", "--raw").data["nodes"]}
    assert nodes["brightness"]["range"]["max"] == 100, nodes["brightness"]
    assert nodes["brightness"]["rect"]["width"] == 388, nodes["brightness"]


# --- faults -----------------------------------------------------------------------------------------

def test_faults_of_the_transport():
    """faults of the transport: what the client sees, and what became of the command"""
    with Runner("--faults") as r:
        expected = {"reset": ("ConnectionResetError", "notAccepted"),
                    "reset-after": ("ConnectionResetError", "completed"),
                    "lost": ("RemoteDisconnected", "completed"),
                    "truncated": ("IncompleteRead", "completed")}
        for fault, (seen, state) in expected.items():
            assert r.send("tap", x=5, y=5, fault=fault) == (seen, None), fault
            assert r.state_of_last() == state, fault
        # Every command but the one that was never delivered was executed, and that once.
        assert r.ok("deviceInfo")["executed"]["tap"] == len(expected) - 1


def test_faults_of_the_executor():
    """faults of the executor: late, blocked, thrown, gone"""
    with Runner("--faults", DEFT_RUNNER_WATCHDOG_MS="400") as r:
        r.ok("snapshot", fault="delay,ms=50")
        assert r.error("tap", x=5, y=5, fault="exception") == (500, "INTERNAL_ERROR")
        assert r.state_of_last() == "failed"
        assert "tap" not in r.ok("deviceInfo")["executed"]
        assert r.error("snapshot", fault="block,ms=1500") == (500, "MAIN_THREAD_TIMEOUT")
        assert r.error("snapshot") == (200, "RUNNER_BUSY")
        while r.send("snapshot")[1]["ok"] is False:
            pass
        assert r.send("snapshot", fault="exit-after")[0] == "RemoteDisconnected"
        assert r.process.wait(20) == 86
    with Runner("--fault", "exit,command=tap") as r:
        assert r.send("tap", x=5, y=5)[0] == "RemoteDisconnected"
        assert r.process.wait(20) == 86


def test_faults_of_the_accessibility():
    """faults of the accessibility: a tree that fails, lacks, lies or is too much"""
    with Runner("--faults") as r:
        whole = len(r.ok("snapshot")["nodes"])
        assert r.error("snapshot", fault="root-failure") == (200, "APP_NOT_ACCESSIBLE")
        sparse = r.ok("snapshot", fault="sparse")
        assert len(sparse["nodes"]) == 1 and sparse["snapshotQuality"]["state"] == "sparse"
        collapsed = r.ok("snapshot", fault="collapsed")["nodes"]
        assert 1 < len(collapsed) < whole and any("Controls, Form" in n.get("label", "")
                                                  for n in collapsed)
        deep = r.ok("snapshot", fault="deep,count=300")["nodes"]
        assert max(n["depth"] for n in deep) == 299 and len(deep) == whole + 300
        wide = r.ok("snapshot", fault="nodes")
        assert len(wide["nodes"]) == 50000 and wide["truncated"]
        assert wide["snapshotQuality"]["reasonCode"] == "node_limit"
        bad = r.ok("snapshot", fault="non-finite")["nodes"]
        assert len(bad) == whole and not any("rect" in n for n in bad)
        r.ok("tap", nodeId=r.node("go-form")["nodeId"])
        assert "name" not in {n.get("identifier") for n in r.ok("snapshot", fault="stale")["nodes"]}
        assert r.node("name")


def test_fault_of_a_control():
    """a control that gives no finite numbers gives none at all"""
    with Runner("--faults") as r:
        r.ok("tap", nodeId=r.node("go-controls")["nodeId"])
        volume = r.node("volume")["nodeId"]
        assert r.ok("readControl", nodeId=volume)["value"] == 0.2
        status, reply = r.send("readControl", nodeId=volume, fault="non-finite,command=readControl")
        assert status == 200 and "NaN" not in json.dumps(reply), reply
        assert "value" not in reply.get("data", {}) and "min" not in reply.get("data", {}), reply


def test_faults_are_counted():
    """the nth command of a kind meets the fault; the runner tells how often"""
    with Runner("--fault", "lost,command=tap,nth=2,times=2", "--fault", "delay,ms=1") as r:
        seen = [r.send("tap", x=5, y=5)[0] for _ in range(5)]
        assert seen == [200, "RemoteDisconnected", "RemoteDisconnected", 200, 200], seen
        info = r.ok("deviceInfo")
        assert info["executed"]["tap"] == 5, info
        lost, delay = info["faults"]
        assert (lost["matched"], lost["fired"], delay["fired"]) == (5, 2, 1), info["faults"]
        # A fault in a request is nothing to a runner that was not told to heed it.
        assert r.send("tap", x=5, y=5, fault="lost")[0] == 200
    bad = subprocess.run([RUNNER, "--fault", "nonsense"], env=PLACE.env, capture_output=True, timeout=20)
    assert bad.returncode == 2 and b"nonsense" in bad.stderr and not bad.stdout, bad


def counter(fault):
    """Opens an app whose taps are counted by what they leave on the screen."""
    path = scene(f"fault-{fault}.json", {
        "scene": 1, "app": {"id": "counter"}, "faults": [{"fault": fault, "command": "tap"}],
        "screens": [{"id": "a", "body": [
            {"type": "button", "id": "add", "label": "Add", "on": {"press": [
                {"do": "append", "id": "sum", "item": {"type": "text", "text": "one more"}}]}},
            {"type": "column", "id": "sum"}]}]})
    DEFT.run("close", "--force")
    DEFT.ok("open", "--platform", "virtual", "--scene", path)


def test_a_lost_answer_is_recovered():
    """an answer that is lost, cut or reset: the daemon finds out that the press was done, once"""
    for fault in ("lost", "truncated", "reset-after", "delay"):
        counter(fault)
        DEFT.ok("press", 'id="add"')
        assert labels().count("one more") == 1, fault
        DEFT.ok("press", 'id="add"')
        assert labels().count("one more") == 2, fault


def test_a_press_that_may_not_have_come():
    """a reset before delivery, a runner that dies: an honest error, nothing is pressed twice"""
    for fault in ("reset", "exit", "exit-after"):
        counter(fault)
        error = DEFT.fails("RUNNER_LOST_REPLY", "press", 'id="add"').error
        assert error["details"]["executed"] == "unknown", error
        # The device is a new one after its runner was replaced; opening the app again is enough.
        DEFT.fails("APP_NOT_RUNNING", "snapshot")
        demo()
        assert "Home" in labels()


def test_list_of_faults():
    """deft virtual faults lists what a scene may ask for"""
    names = [f["fault"] for f in DEFT.ok("virtual", "faults").data["faults"]]
    assert len(names) == 16 and "stale" in names and "nodes" in names, names


# --- pictures ---------------------------------------------------------------------------------------

def is_blue(rgb):
    return rgb[2] > rgb[0] + 80


def test_screenshot_shows_state():
    """a switch that is on looks on"""
    demo()
    DEFT.ok("press", 'id="go-controls"')
    DEFT.ok("scroll", "bottom")
    rect = [n for n in DEFT.ok("snapshot", "--raw").data["nodes"] if n.get("identifier") == "wifi"][0]["rect"]
    x, y = (rect["x"] + rect["width"] - 46) * 2, (rect["y"] + rect["height"] / 2) * 2
    DEFT.ok("screenshot", PLACE.dir / "off.png")
    DEFT.ok("press", 'id="wifi"')
    DEFT.ok("screenshot", PLACE.dir / "on.png")
    assert not is_blue(Picture(PLACE.dir / "off.png").at(x, y))
    assert is_blue(Picture(PLACE.dir / "on.png").at(x, y))


def test_overlay_refs():
    """--overlay-refs draws boxes where the elements are; its refs can be used"""
    demo()
    plain, drawn = PLACE.dir / "plain.png", PLACE.dir / "drawn.png"
    DEFT.ok("screenshot", plain)
    data = DEFT.ok("screenshot", drawn, "--overlay-refs").data
    refs = {r["label"]: r for r in data["overlayRefs"] if "label" in r}
    form = refs["Form"]
    before, after = Picture(plain), Picture(drawn)
    box = form["overlayRect"]
    assert box == {k: v * data["scale"] for k, v in form["rect"].items()}, form
    x, y = box["x"] + 1, box["y"] + box["height"] / 2
    assert before.at(x, y) == (255, 255, 255) and after.at(x, y) != (255, 255, 255)
    assert (before.width, before.height) == (after.width, after.height)
    text = DEFT.run("screenshot", drawn, "--overlay-refs").out
    assert f'@{form["ref"]} [list-item] "Form"' in text, text
    DEFT.ok("press", f'@{form["ref"]}')
    assert "Form" in labels() and "E-mail" in labels()


def test_overlay_of_an_element():
    """--target with --overlay-refs: boxes are shifted into the cut"""
    demo()
    data = DEFT.ok("screenshot", PLACE.dir / "cut.png", "--target", 'id="screens"', "--overlay-refs").data
    form = [r for r in data["overlayRefs"] if r.get("label") == "Form"][0]
    assert form["overlayRect"]["y"] == (form["rect"]["y"] - data["rect"]["y"]) * 2, (form, data["rect"])
    assert "Count" not in [r.get("label") for r in data["overlayRefs"]]


if __name__ == "__main__":
    try:
        tap.run(sys.modules[__name__])
    finally:
        DEFT.run("daemon", "stop", "--force")
        shutil.rmtree(PLACE.dir, ignore_errors=True)
