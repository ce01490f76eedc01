"""Runs a program of memc's on the workers of a Dask cluster:

    make libmemc && sudo apt-get install python3-distributed
    PYTHONPATH=bin/python python3 examples/dask/chunks.py [ADDRESS-OF-A-SCHEDULER]

Without an address it starts two workers on this machine. Each worker has a context of its own, and compiles
the program when its first task comes. The example spreads a batch of images, then makes the histogram of an array
that lies in chunks on the workers' devices.
"""

import sys

import numpy as np
from distributed import Client, LocalCluster

import memc

TEXT = """
entry blur [h][w] (a: [h][w]f32) : [h][w]f32 = {
  let b = map (i < h, j < w) { in (a[max(i - 1, 0), j] + a[i, j] + a[min(i + 1, h - 1), j]) / 3 }
  in b
}

entry chunk (n: i64, seed: i64) : [n]i64 = {
  let xs = map (i < n) { in (i * i + seed * 7) % 1000 }
  in xs
}

entry histogram [n] (xs: [n]i64, bins: i64) : (k: i64, [k]i64) = {
  let none = replicate (bins) 0i64
  let counts = hist none (i < n) op (a, b) { in a + b } neutral (0) { in (xs[i] * bins / 1000, 1) }
  in (bins, counts)
}

entry add [n] (a: [n]i64, b: [n]i64) : [n]i64 = {
  let c = map (i < n) { in a[i] + b[i] }
  in c
}
"""


def batch(client, program):
    """One call for each image. The images go to the workers as NumPy arrays, and come back so."""
    images = [np.full((40, 60), k, np.float32) for k in range(8)]
    blurred = client.gather(client.map(program.blur, images))
    assert all((b == k).all() for k, b in enumerate(blurred))
    print(f"{len(blurred)} images")


def chunks(client, program, n=100_000, count=6, bins=10):
    """A map-reduce. keep=True leaves the chunks and their histograms on the device of the worker that made
    them; a histogram that another worker adds is copied there."""
    parts = [client.submit(program.chunk, n, seed, keep=True) for seed in range(count)]
    found = [client.submit(program.histogram, p, bins, keep=True) for p in parts]
    while len(found) > 1:
        sums = [client.submit(program.add, a, b, keep=True) for a, b in zip(found[::2], found[1::2])]
        found = sums + found[len(sums) * 2 :]
    counts = client.submit(np.asarray, found[0]).result()
    i = np.arange(n)
    want = sum(np.bincount((i * i + seed * 7) % 1000 * bins // 1000, minlength=bins) for seed in range(count))
    assert (counts == want).all(), (counts, want)
    print(f"{n * count} numbers in {bins} bins: {counts.min()} to {counts.max()} in one")
    workers = client.who_has(parts)
    print(f"chunks on {len({w for at in workers.values() for w in at})} workers")


def main():
    program = memc.compile(TEXT)
    if len(sys.argv) > 1:
        cluster = None
        client = Client(sys.argv[1])
    else:
        cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        client = Client(cluster)
    with client:
        batch(client, program)
        chunks(client, program)
    if cluster:
        cluster.close()


if __name__ == "__main__":  # workers import this file
    main()
