"""Finds clusters among random points with memc's k-means, compiled to the package kmeans:

    memc compile --host=python --target=c -o examples/python/kmeans examples/kmeans.ir
    python3 examples/python/clusters.py

The points go to the device once. The centres stay there from call to call; only the numbers
of the points' clusters come back, to see when they no longer change.
"""

import numpy as np

import kmeans

random = np.random.default_rng(1)
middles = np.array([[0, 0], [10, 0], [5, 8]], np.float32)
points = (middles[np.arange(3000) % 3] + random.normal(size=(3000, 2))).astype(np.float32)

with kmeans.Program() as program:
    on_device = program.array(points)
    centres, member = program.main(on_device, points[:3], keep=True)
    before, rounds = np.full(len(points), -1), 1
    while (member.numpy() != before).any():
        before, rounds = member.numpy(), rounds + 1
        centres, member = program.main(on_device, centres, keep=True)
    print(f"{rounds} rounds, {program.stats().peak_bytes} bytes at most")
    for centre, size in zip(centres.numpy(), np.bincount(before)):
        print(f"{size} points around ({centre[0]:.1f}, {centre[1]:.1f})")
