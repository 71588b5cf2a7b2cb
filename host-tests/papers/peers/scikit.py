"""scikit-learn over the expansion that `pocketron speed` times: all examples at once, on one core.

Speaks as libsvm.cpp does, where the file and the lines are described.
"""

import os
import sys
import time

# Before numpy is loaded, which looks once.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel


def main(path, shown):
    with open(path, "rb") as file:
        features, count, questions = np.fromfile(file, "<u4", 3)
        # 64 bits are faster: scikit-learn computes distances of 32 bits in 64, in pieces.
        numbers = np.fromfile(file, "<f4").astype(np.float64)
    gamma, numbers = numbers[0], numbers[1:]
    coefficients, numbers = numbers[:count], numbers[count:]
    points = numbers.reshape(count + questions, features)
    # Copies, so that neither is a view into the other's memory.
    vectors, examples = points[:count].copy(), points[count:].copy()

    def scores(batch):
        return rbf_kernel(batch, vectors, gamma=gamma) @ coefficients

    for score in scores(examples[:shown]):
        print(repr(float(score)))
    sys.stdout.flush()
    for line in sys.stdin:
        calls, asked = map(int, line.split())
        batch = examples[:asked]
        # Of the whole process, so that no second thread would go unseen.
        start = time.process_time()
        for _ in range(calls):
            scores(batch)
        print(f"{time.process_time() - start:.9f}", flush=True)


main(sys.argv[1], int(sys.argv[2]))
