"""The paths that wait while ``law_of`` runs another one."""

import heapq


class Paths:
    """Paths (weight, script) still to run: the latest first, or the likeliest first."""

    def __init__(self, likeliest_first):
        self._items, self._pushed, self._heap = [], 0, likeliest_first
        self.patience = self._may_go_on if likeliest_first else None

    def push(self, path):
        """Let a path (weight, script) wait."""
        if self._heap:
            self._pushed += 1  # breaks ties, so that scripts are never compared
            heapq.heappush(self._items, (-float(path[0]), self._pushed, path))
        else:
            self._items.append(path)

    def pop(self):
        """The path that is run next."""
        return heapq.heappop(self._items)[2] if self._heap else self._items.pop()

    def _may_go_on(self, weight):
        """Is no waiting path much likelier?  To leave a path and come back is to run it again."""
        return not self._items or 4 * weight >= -self._items[0][0]

    def __len__(self):
        return len(self._items)

    def mass(self):
        """Probability of all that wait."""
        return sum((item[2] if self._heap else item)[0] for item in self._items)
