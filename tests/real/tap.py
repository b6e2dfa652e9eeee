"""TAP for the tests that drive real programs: functions named test_* of a module, in order."""
import sys
import traceback


class Skip(Exception):
    """Raised by a case that can't run here; the text says why."""


def run(module):
    cases = [(n, f) for n, f in vars(module).items() if n.startswith("test_") and callable(f)]
    print(f"1..{len(cases)}", flush=True)
    bad = 0
    for i, (name, case) in enumerate(cases, 1):
        title = (case.__doc__ or name).strip().split("\n")[0]
        try:
            case()
            print(f"ok {i} - {title}", flush=True)
        except Skip as e:
            print(f"ok {i} - {title} # SKIP {e}", flush=True)
        except BaseException as e:  # a case that exits is a failed case, not the end of the run
            bad += 1
            print(f"not ok {i} - {title}", flush=True)
            for line in traceback.format_exc().rstrip().split("\n"):
                print(f"# {line}", flush=True)
            if isinstance(e, KeyboardInterrupt):
                break
    sys.exit(1 if bad else 0)
