#!/usr/bin/python3
"""Runs a program on a desktop of its own (Xvfb, session bus, window manager), with one sample program in
front, and passes its output and exit status on.

  on_desktop.py [--app NAME [--app-arg WORD]…] PROGRAM [ARGUMENT…]

NAME is a file of tests/real/apps; where it writes its log is told to PROGRAM as DEFT_APP_LOG. Prints
"1..0 # SKIP …" when a desktop can't be had here."""
import argparse
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "real"))
sys.dont_write_bytecode = True

from desktop import Desktop, Missing  # noqa: E402

APPS = HERE.parent / "real/apps"


def start_app(desktop, name, words):
    log = desktop.dir / "app.log"
    desktop.spawn(["/usr/bin/python3", str(APPS / f"{name}.py"), *words], env={"APP_LOG": str(log)})
    desktop.wait_until(lambda: log.exists() and "ready\n" in log.read_text(encoding="utf-8"),
                       f"{name} to be ready")
    desktop.env["DEFT_APP_LOG"] = str(log)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--app")
    parser.add_argument("--app-arg", action="append", default=[])
    parser.add_argument("program", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    try:
        desktop = Desktop()
    except Missing as e:
        print(f"1..0 # SKIP {e} is not installed")
        return 0
    with desktop:
        if args.app:
            start_app(desktop, args.app, args.app_arg)
        env = dict(desktop.env, **{k: v for k, v in os.environ.items() if k.startswith("CMOCKA_")})
        return subprocess.run(args.program, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
