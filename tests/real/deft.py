"""Calls the deft that was built, as a user would, and keeps what it said."""
import json
import os
import pathlib
import subprocess

BUILD = pathlib.Path(os.environ.get("DEFT_BUILD", pathlib.Path(__file__).parents[2] / "build"))
PROGRAM = BUILD / "src/mcp/deft"
APPS = pathlib.Path(__file__).parent / "apps"


class Answer:
    def __init__(self, run, argv):
        self.argv = [str(a) if len(str(a)) < 200 else f"{str(a)[:200]}…" for a in argv]
        self.exit = run.returncode
        self.out = run.stdout.decode("utf-8", "strict")
        self.err = run.stderr.decode("utf-8", "replace")

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def data(self):
        assert self.json["success"], f"{self.argv}: {self.out}{self.err}"
        return self.json["data"]

    @property
    def error(self):
        assert not self.json["success"], f"{self.argv}: succeeded: {self.out}"
        return self.json["error"]

    def __repr__(self):
        return f"{self.argv} -> {self.exit}\n{self.out}{self.err}"


class Deft:
    """One caller: a desktop's environment and a working directory."""

    def __init__(self, desktop, cwd=None, env=None):
        self.env = dict(desktop.env, DEFT_BUILD=str(BUILD), **(env or {}))
        self.cwd = cwd or desktop.dir
        self.desktop = desktop

    def run(self, *args, timeout=60):
        argv = [str(PROGRAM), *map(str, args)]
        done = subprocess.run(argv, env=self.env, cwd=self.cwd, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=timeout, check=False)
        return Answer(done, args)

    def ok(self, *args, **more):
        answer = self.run(args[0], "--json", *args[1:], **more)
        answer.data  # noqa: B018  asserts success
        assert answer.exit == 0, answer
        return answer

    def fails(self, code, *args, **more):
        answer = self.run(args[0], "--json", *args[1:], **more)
        assert answer.error["code"] == code, answer
        assert answer.exit not in (0, 70), answer
        assert answer.error["message"] and answer.error["hint"], answer
        return answer

    def start(self, *args):
        return subprocess.Popen([str(PROGRAM), *map(str, args)], env=self.env, cwd=self.cwd,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def app(self, name, *args, env=()):
        """Opens one of our sample programs; returns its log."""
        log = self.desktop.dir / f"{name}-{len(self.desktop.children)}.log"
        more = [word for e in (f"APP_LOG={log}", *env) for word in ("--env", e)]
        self.ok("open", APPS / f"{name}.py", *more, *(("--", *args) if args else ()))
        return Log(self.desktop, log)


class Log:
    """What a sample program told on its own."""

    def __init__(self, desktop, path):
        self.desktop, self.path = desktop, path

    def lines(self):
        return self.path.read_text(encoding="utf-8").split("\n")[:-1] if self.path.exists() else []

    def expect(self, line):
        self.desktop.wait_until(lambda: line in self.lines(), f"{line!r}; told: {self.lines()[-5:]}",
                                seconds=10)

    def never(self, line):
        assert line not in self.lines(), self.lines()
