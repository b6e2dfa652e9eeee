"""A desktop of our own for tests: Xvfb, a session bus and a window manager, all private, all ended
with the test. Nothing of the user's desktop is touched."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

NEEDED = ["Xvfb", "dbus-daemon", "openbox"]


class Missing(Exception):
    """A program that the tests need is not installed."""


def line_from(fd):
    """One line of a descriptor, without what comes after it; the descriptor is closed."""
    with os.fdopen(fd, "rb") as f:
        return f.readline().decode().strip()


class Desktop:
    def __init__(self, window_manager=True, screen="1920x1200x24"):
        for tool in NEEDED:
            if not shutil.which(tool):
                raise Missing(tool)
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="deft-desktop-"))
        self.children = []
        self.env = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "LC_ALL") or
                    k.startswith(("DEFT_", "ASAN_", "UBSAN_", "TSAN_", "LSAN_"))}
        runtime = self.dir / "run"
        runtime.mkdir(mode=0o700)
        home = self.dir / "home"
        home.mkdir()
        self.env.update(XDG_RUNTIME_DIR=str(runtime), HOME=str(home),
                        DEFT_STATE_DIR=str(self.dir / "state"),
                        GSK_RENDERER="cairo", QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1",
                        PYTHONDONTWRITEBYTECODE="1")
        self._x(screen)
        self._bus()
        if window_manager:
            self.spawn(["openbox"])
            self._wait_for_window_manager()

    def _x(self, screen):
        read, write = os.pipe()
        self.spawn(["Xvfb", "-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp",
                    "-noreset"], pass_fds=[write])
        os.close(write)
        self.env["DISPLAY"] = f":{line_from(read)}"

    def _bus(self):
        read, write = os.pipe()
        self.bus = self.spawn(["dbus-daemon", "--session", "--nofork",
                               f"--print-address={write}"], pass_fds=[write])
        os.close(write)
        self.env["DBUS_SESSION_BUS_ADDRESS"] = line_from(read)

    def _wait_for_window_manager(self):
        for _ in range(200):
            out = subprocess.run(["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"], env=self.env,
                                 capture_output=True, text=True, check=False)
            if "window id" in out.stdout:
                return
            time.sleep(0.05)

    def spawn(self, argv, env=None, **more):
        log = open(self.dir / "programs.log", "ab")
        child = subprocess.Popen(argv, env=dict(self.env, **(env or {})), stdin=subprocess.DEVNULL,
                                 stdout=log, stderr=log, start_new_session=True, **more)
        log.close()
        self.children.append(child)
        return child

    def wait_until(self, condition, what, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.02)
        raise AssertionError(f"waited {seconds} s for {what}")

    def close(self):
        for child in reversed(self.children):
            try:
                os.killpg(child.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
        for child in reversed(self.children):
            try:
                child.wait(3)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        shutil.rmtree(self.dir, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
