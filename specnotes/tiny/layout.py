"""How a matrix lies in memory decides what a pass over several rows costs.

``x @ W`` with one row streams W through the processor once.  With a few rows, BLAS libraries first
repack W, which costs as much again; cut into narrow tiles, each product stays in their kernel for
small matrices and the repacking goes.  Which width is best depends on the machine's BLAS: measure.
"""

import time

import numpy as np

WIDTHS = (0, 64, 32)  # columns per tile; 0 leaves the matrix whole


class Matrix:
    """``Matrix(W, tile)(x)`` is ``x @ W``.  W (K, N), x (M, K) -> (M, N)"""

    def __init__(self, matrix, tile=0):
        self.inputs, self.columns = matrix.shape
        whole = tile == 0 or self.columns % tile or tile >= self.columns
        self._tile = self.columns if whole else tile
        tiles = matrix.reshape(self.inputs, -1, self._tile).transpose(1, 0, 2)
        self._tiles = np.ascontiguousarray(tiles, dtype=np.float32)

    def __call__(self, x):
        if len(self._tiles) == 1:
            return x @ self._tiles[0]
        product = np.empty((len(x), len(self._tiles), self._tile), np.float32)
        np.matmul(x, self._tiles, out=product.transpose(1, 0, 2))
        return product.reshape(len(x), self.columns)


def fastest(seconds_of, widths=WIDTHS, seconds=1.0):
    """The width w with the least ``seconds_of(w)``, each measured in turn for about ``seconds``
    altogether; the least of each counts, for interruptions only add."""
    spent, until = {width: [] for width in widths}, time.perf_counter() + seconds
    while True:
        for width in widths:
            spent[width].append(seconds_of(width))
        if time.perf_counter() > until:
            return min(widths, key=lambda width: min(spent[width]))
