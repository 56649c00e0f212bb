import json
import pathlib
import sys

sys.path.insert(0, "/app")
cases = json.loads(pathlib.Path("/tests/cases.json").read_text())


def right(text, expected):
    try:
        return calc.value(text) == expected
    except ValueError:
        return expected is None
    except Exception:  # noqa: BLE001 (what the agent wrote may raise anything)
        return False


try:
    import calc

    share = sum(right(text, expected) for text, expected in cases) / len(cases)
    style = 1.0 if calc.value.__doc__ else 0.0
except Exception:  # noqa: BLE001 (what the agent wrote may raise anything)
    share = style = 0.0
pathlib.Path("/logs/verifier/reward.json").write_text(json.dumps({"reward": share, "style": style}))
