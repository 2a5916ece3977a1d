"""The KV cache: what a transformer keeps of the tokens it has seen, and how it forgets them."""

import numpy as np

from specnotes.laws import check_whole

FIRST_ROOM = 512  # positions in a new cache; the room doubles when it is used up


class Cache:
    """Keys and values of every layer, and the last states, of ``tokens``.

    keys[layer] (heads, size, room), values[layer] (heads, room, size), states (room, width), of
    which the first ``len(tokens)`` positions count: forgetting is to shorten ``tokens``.
    """

    def __init__(self, layers, heads, width, room=FIRST_ROOM):
        self.tokens, self.room = (), check_whole(room, "room", 1)
        self._heads, self._size = heads, width // heads
        self.states = np.zeros((room, width), np.float32)
        self.keys = [np.zeros((heads, self._size, room), np.float32) for _ in range(layers)]
        self.values = [np.zeros((heads, room, self._size), np.float32) for _ in range(layers)]

    def rollback(self, length):
        """Forget every token after the first ``length``."""
        self.tokens = self.tokens[:length]

    def shared(self, sequence):
        """How many tokens ``tokens`` and ``sequence`` have in common, from the first on."""
        if sequence[: len(self.tokens)] == self.tokens:
            return len(self.tokens)
        return next(
            (i for i, pair in enumerate(zip(self.tokens, sequence)) if pair[0] != pair[1]),
            len(sequence),
        )

    def make_room(self, length):
        """Room for ``length`` positions; what is kept stays."""
        if length <= self.room:
            return
        more = max(length, 2 * self.room) - self.room
        self.room += more
        self.states = _longer(self.states, 0, more)
        self.keys = [_longer(keys, 2, more) for keys in self.keys]
        self.values = [_longer(values, 1, more) for values in self.values]


def _longer(array, axis, more):
    return np.pad(array, [(0, more * (axis == i)) for i in range(array.ndim)])
