#!/usr/bin/env python3
"""What callers of the program `deft` can rely on: streams, exit statuses, signals, and what happens
when the daemon is absent, dies, hangs or is of another build. Real programs, a state directory of its
own, the virtual device. Prints TAP.

  cli_contract.py DEFT DEFTD"""
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

DEFT, DEFTD = (os.path.abspath(p) for p in sys.argv[1:3])
CASES = []
LATE_SCENE = {
    "scene": 1, "app": {"id": "late", "name": "Late"}, "start": "only",
    "screens": [{"id": "only", "title": "Only", "body": [{"type": "text", "text": "here"}]}],
    "faults": [{"fault": "delay", "ms": 20000, "command": "screenshot"}],
}
LIMIT = 60


def case(function):
    CASES.append(function)
    return function


class Place:
    """A state directory and the environment that points to it."""

    def __init__(self, root):
        self.dir = pathlib.Path(tempfile.mkdtemp(dir=root))
        self.state = self.dir / "state"
        self.env = {k: v for k, v in os.environ.items()
                    if k not in ("NO_COLOR", "FORCE_COLOR", "DISPLAY", "WAYLAND_DISPLAY")}
        self.env.update(DEFT_STATE_DIR=str(self.state), DEFT_DEFTD=DEFTD, TERM="xterm")

    def run(self, *args, **more):
        options = dict(capture_output=True, timeout=LIMIT, env=self.env, cwd=self.dir)
        options.update(more)
        return subprocess.run([DEFT, *args], check=False, **options)

    def json(self, *args, status=0):
        r = self.run(*args, "--json")
        assert r.returncode == status, (r.returncode, r.stdout, r.stderr)
        envelope = json.loads(r.stdout)
        assert envelope["success"] is (status == 0)
        return envelope["data"] if status == 0 else envelope["error"]

    def start(self, *args, **more):
        options = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.env, cwd=self.dir)
        options.update(more)
        return subprocess.Popen([DEFT, *args], **options)

    def open_demo(self):
        r = self.run("--platform", "virtual", "open", "demo")
        assert r.returncode == 0, r.stderr

    def start_long_command(self):
        """A screenshot of a device that begins it much too late; runs when this returns."""
        scene = self.dir / "late.json"
        scene.write_text(json.dumps(LATE_SCENE))
        r = self.run("--platform", "virtual", "open", "--scene", str(scene))
        assert r.returncode == 0, r.stderr
        child = self.start("screenshot", "late.png", "--json")
        self.wait_until_running(1)
        return child

    def daemon_pid(self):
        return self.json("daemon", "status")["pid"]

    def wait_until_running(self, n):
        """Until the daemon runs exactly n requests besides the one that asks."""
        give_up = time.monotonic() + LIMIT
        while self.json("daemon", "status")["requests"]["running"] != n + 1:
            assert time.monotonic() < give_up, f"never {n} requests running"

    def kill_daemon(self):
        """For a daemon that still has work: a clean stop would wait for it, which is another test's."""
        os.kill(self.daemon_pid(), signal.SIGKILL)

    def clean_up(self):
        self.run("daemon", "stop", "--force")
        shutil.rmtree(self.dir, ignore_errors=True)


# --- without a daemon ---------------------------------------------------------------------------


@case
def help_is_on_stdout_and_usage_errors_are_not(p):
    r = p.run("help")
    assert r.returncode == 0 and b"Usage: deft" in r.stdout and r.stderr == b""
    assert p.run("--help").stdout == r.stdout
    alone = p.run()
    assert alone.returncode == 2 and alone.stdout == b"" and b"Usage: deft" in alone.stderr
    assert p.json(status=2)["code"] == "INVALID_ARGS"


@case
def help_of_a_command_ends_with_something_to_run(p):
    r = p.run("help", "press")
    assert r.returncode == 0 and r.stdout.splitlines()[-1].strip().startswith(b"deft press")
    assert p.run("press", "--help").stdout == r.stdout
    assert p.run("help", "pres").returncode == 2


@case
def version_is_bare(p):
    r = p.run("--version")
    assert r.returncode == 0 and r.stdout.count(b".") == 2 and len(r.stdout.split()) == 1
    assert p.run("-V").stdout == r.stdout
    assert p.json("version")["version"] == r.stdout.decode().strip()


@case
def completion_is_a_script(p):
    for shell in ("bash", "zsh", "fish"):
        r = p.run("completion", shell)
        assert r.returncode == 0 and b"snapshot" in r.stdout, shell
    assert p.run("completion", "tcsh").returncode == 2


@case
def wrong_words_are_refused_with_the_nearest(p):
    r = p.run("snapshit")
    assert r.returncode == 2 and r.stdout == b"" and b"Hint: did you mean `deft snapshot`" in r.stderr
    assert b"--interactive" in p.run("snapshot", "--interactiv").stderr
    assert p.json("snapshot", "--depth", "x", status=2)["code"] == "INVALID_ARGS"
    assert not p.state.exists()


@case
def bytes_that_are_not_utf8_never_leave(p):
    r = p.run("type", b"caf\xe9")
    assert r.returncode == 2 and b"not valid UTF-8" in r.stderr
    assert not p.state.exists()


@case
def no_daemon_is_no_error_for_those_who_ask(p):
    assert p.json("daemon", "status")["state"] == "not-running"
    assert p.run("daemon", "status").stdout == b"No daemon runs.\n"
    assert p.json("daemon", "stop")["stopped"] is False
    assert p.run("daemon", "logs").stdout == b""
    assert not p.state.exists()


@case
def a_reader_that_leaves_is_no_noise(p):
    r, w = os.pipe()
    os.close(r)
    done = p.run("help", stdout=w, stderr=subprocess.PIPE, capture_output=False)
    os.close(w)
    assert done.returncode == 141 and done.stderr == b""


@case
def a_full_disk_is_told(p):
    with open("/dev/full", "wb") as full:
        r = p.run("help", stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert r.returncode == 1 and b"Error (IO_ERROR)" in r.stderr


@case
def closed_streams_are_survived(p):
    r = subprocess.run(["sh", "-c", f'exec "{DEFT}" help >&-'], env=p.env, cwd=p.dir,
                       stderr=subprocess.PIPE, timeout=LIMIT, check=False)
    assert r.returncode == 1 and b"IO_ERROR" in r.stderr
    r = subprocess.run(["sh", "-c", f'exec "{DEFT}" help <&- 2>&-'], env=p.env, cwd=p.dir,
                       stdout=subprocess.PIPE, timeout=LIMIT, check=False)
    assert r.returncode == 0 and b"Usage: deft" in r.stdout


# --- on a terminal ------------------------------------------------------------------------------


def on_terminal(p, *args, **env):
    """stderr of a command whose stderr is a terminal."""
    main, side = pty.openpty()
    child = p.start(*args, stderr=side, env={**p.env, **env})
    os.close(side)
    text = b""
    while select.select([main], [], [], LIMIT)[0]:
        try:
            piece = os.read(main, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.close(main)
    child.communicate(timeout=LIMIT)
    return text


@case
def colour_is_for_terminals_that_want_it(p):
    assert b"\033[" in on_terminal(p, "nonsense")
    assert b"\033[" not in on_terminal(p, "nonsense", NO_COLOR="1")
    assert b"\033[" not in on_terminal(p, "nonsense", TERM="dumb")
    assert b"\033[" not in p.run("nonsense").stderr
    assert b"\033[" in p.run("nonsense", env={**p.env, "FORCE_COLOR": "1"}).stderr


# --- with a daemon ------------------------------------------------------------------------------


@case
def the_first_command_starts_the_daemon(p):
    devices = p.json("devices")["devices"]
    assert any(d["platform"] == "virtual" for d in devices)
    assert p.json("daemon", "status")["state"] == "running"
    assert b"devices" in p.run("daemon", "logs").stdout
    assert p.json("daemon", "stop")["stopped"] is True
    assert p.json("daemon", "status")["state"] == "not-running"
    assert b"devices" in p.run("daemon", "logs").stdout


@case
def an_error_has_its_exit_status_and_next_step(p):
    r = p.run("--platform", "virtual", "press", "@e1")
    assert r.returncode == 5 and r.stdout == b""
    assert b"Error (SESSION_NOT_FOUND): " in r.stderr and b"\nHint: " in r.stderr
    p.open_demo()
    assert p.json("press", 'label="no such thing"', status=3)["code"] == "ELEMENT_NOT_FOUND"


@case
def paths_are_the_callers(p):
    p.open_demo()
    (p.dir / "sub").mkdir()
    r = p.run("screenshot", "shot.png", cwd=p.dir / "sub", env={**p.env})
    assert r.returncode == 5, "another directory, another session"
    r = p.run("screenshot", "shot.png")
    assert r.returncode == 0 and (p.dir / "shot.png").read_bytes()[:4] == b"\x89PNG"
    assert r.stdout.startswith(str(p.dir / "shot.png").encode())


@case
def debug_adds_time_and_details(p):
    p.open_demo()
    r = p.run("snapshot", "--debug")
    assert r.returncode == 0 and b"Timing: {" in r.stderr
    assert b"Details: {" in p.run("press", "@e9999", "--debug").stderr
    assert b"Details: {" not in p.run("press", "@e9999").stderr


@case
def an_interrupt_cancels_the_command(p):
    child = p.start_long_command()
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=LIMIT)
    assert child.returncode == 130 and json.loads(out)["error"]["code"] == "CANCELED", out
    p.wait_until_running(0)
    assert p.run("devices").returncode == 0
    p.kill_daemon()


@case
def a_caller_that_is_killed_leaves_nothing_running(p):
    child = p.start_long_command()
    child.kill()
    child.communicate(timeout=LIMIT)
    p.wait_until_running(0)
    p.kill_daemon()


@case
def a_daemon_that_dies_leaves_a_typed_error(p):
    """Cases F05 and F08."""
    child = p.start_long_command()
    os.kill(p.daemon_pid(), signal.SIGKILL)
    out, _ = child.communicate(timeout=LIMIT)
    error = json.loads(out)["error"]
    assert child.returncode == 5 and error["code"] == "DAEMON_UNAVAILABLE"
    assert error["details"]["outcome"] == "unchanged"
    assert p.json("devices")["devices"]


@case
def an_mcp_server_outlives_nobody(p):
    """Case G11: who started it is killed while another process holds its pipes."""
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    parent = subprocess.Popen(["sh", "-c", f'"{DEFT}" mcp <&{in_read} >&{out_write} & wait'], env=p.env,
                              pass_fds=(in_read, out_write))
    os.close(in_read)
    os.close(out_write)
    os.write(in_write, b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    assert json.loads(os.read(out_read, 65536)) == {"jsonrpc": "2.0", "id": 1, "result": {}}
    parent.kill()
    parent.wait(timeout=LIMIT)
    assert select.select([out_read], [], [], LIMIT)[0] and os.read(out_read, 1) == b""
    os.close(in_write)
    os.close(out_read)


@case
def only_json_asks_for_the_data(p):
    """A terminal prints the text; the tree beside it would be made and sent for nothing."""
    p.open_demo()
    build = p.json("version")["build"]
    p.json("daemon", "stop", "--force")
    fake = SameBuild(p.state, build)
    shown = p.run("devices")
    envelope = p.run("devices", "--json")
    fake.end()
    assert shown.stdout == b"as text\n", shown
    assert json.loads(envelope.stdout)["data"] == {"as": "data"}
    assert [m["meta"]["data"] for m in fake.requests] == [False, True], fake.requests


class OtherBuild(threading.Thread):
    """A daemon of another build: shakes hands, and retires unless it has sessions."""

    def __init__(self, state, sessions):
        super().__init__()
        state.mkdir(mode=0o700, exist_ok=True)
        self.sessions = sessions
        self.requests = []
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(str(state / "daemon.sock"))
        os.chmod(state / "daemon.sock", 0o600)
        self.server.listen()
        self.start()

    def serve(self, connection):
        """True: go on with the next one."""
        stream = connection.makefile("rw")
        for line in stream:
            said = json.loads(line)
            if said["type"] == "hello":
                answer = {"type": "hello", "protocol": 1, "version": "0.0.9", "build": "older",
                          "pid": os.getpid(), "ok": False}
            elif said["type"] == "retire":
                answer = {"type": "retired", "ok": not self.sessions, "sessions": self.sessions,
                          "requests": 0}
            else:
                self.requests.append(said)
                return True
            print(json.dumps(answer), file=stream, flush=True)
            if said["type"] == "retire" and not self.sessions:
                return False
        return True

    def run(self):
        while True:
            try:
                connection, _ = self.server.accept()
            except OSError:
                return
            with connection:
                if not self.serve(connection):
                    break
        self.server.close()

    def end(self):
        if self.is_alive():
            self.server.shutdown(socket.SHUT_RDWR)
        self.join()
        self.server.close()


class SameBuild(OtherBuild):
    """A daemon of the client's own build that answers every request alike."""

    def __init__(self, state, build):
        self.build = build
        super().__init__(state, [])

    def serve(self, connection):
        stream = connection.makefile("rw")
        for line in stream:
            said = json.loads(line)
            if said["type"] == "hello":
                answer = {"type": "hello", "protocol": 1, "version": "0.1.0", "build": self.build,
                          "pid": os.getpid(), "ok": True}
            else:
                self.requests.append(said)
                answer = {"type": "response", "id": said["id"], "ok": True, "text": "as text\n",
                          "data": {"as": "data"}}
            print(json.dumps(answer), file=stream, flush=True)
        return True


@case
def an_idle_daemon_of_another_build_is_replaced(p):
    """Case F06."""
    other = OtherBuild(p.state, [])
    r = p.run("devices")
    other.end()
    assert r.returncode == 0, r.stderr
    assert len(r.stderr.splitlines()) == 1 and b"0.0.9" in r.stderr and b"older" in r.stderr
    assert other.requests == []


@case
def a_busy_daemon_of_another_build_is_left_alone(p):
    """Case F06."""
    other = OtherBuild(p.state, ["agent-1"])
    error = p.json("devices", status=5)
    status = p.json("daemon", "status", status=5)
    stop = p.run("daemon", "stop")
    other.end()
    assert error["code"] == status["code"] == "DAEMON_VERSION_MISMATCH"
    assert "agent-1" in error["message"] and error["details"]["sessions"] == ["agent-1"]
    assert stop.returncode == 5 and b"agent-1" in stop.stderr and b"--force" in stop.stderr
    assert other.requests == []


def main():
    root = tempfile.mkdtemp(prefix="deft-cli-")
    print(f"1..{len(CASES)}")
    bad = 0
    for i, function in enumerate(CASES, 1):
        place = Place(root)
        try:
            function(place)
            print(f"ok {i} - {function.__name__}", flush=True)
        except Exception:  # every failure of a case is its result
            bad += 1
            print(f"not ok {i} - {function.__name__}", flush=True)
            for line in traceback.format_exc().splitlines():
                print(f"# {line}")
        place.clean_up()
    shutil.rmtree(root, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
