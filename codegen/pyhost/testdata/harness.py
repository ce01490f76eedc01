"""Runs entries of generated packages: one request a line in, one answer a line out. Values
are .npy files in base64."""

import base64
import importlib
import io
import json
import sys

import numpy as np


def read(text):
    return np.load(io.BytesIO(base64.b64decode(text)))


def write(value):
    out = io.BytesIO()
    np.save(out, value)
    return base64.b64encode(out.getvalue()).decode()


def answer(program, package, request):
    args = [read(a) for a in request["args"]]
    method = getattr(program, request["method"])
    try:
        results = method(*args)
    except package.Error as e:
        return {"kind": type(e).__name__, "error": str(e)}
    results = results if isinstance(results, tuple) else (results,)
    # The same on the device, with what two calls left there used again: the second may still
    # need a block more, where the first one began with the regions of earlier requests.
    method(*args)
    before = program.stats().driver_allocs
    kept = method(*args, keep=True)
    kept = kept if isinstance(kept, tuple) else (kept,)
    for r, k in zip(results, kept):
        if r.tobytes() != np.asarray(k).tobytes():
            return {"kind": "difference", "error": f"{r} and, kept, {np.asarray(k)}"}
    return {"results": [write(r) for r in results], "allocs": program.stats().driver_allocs - before}


program = None
for line in sys.stdin:
    request = json.loads(line)
    package = importlib.import_module(request["program"])
    program = program or package.Program()
    print(json.dumps(answer(program, package, request)), flush=True)
    if request["last"]:
        program.close()
        program = None
