"""Exact models whose laws depend on the whole prefix, the same on every platform."""

from fractions import Fraction

import numpy as np

from specnotes.models import PrefixModel


def digits(prefix, seed, size):
    """One digit 0 … 4 per token, from the prefix and the seed."""
    number = seed
    for token in prefix:
        number = (31 * number + 7 * token + 11) % 1009
    return [number * (i + 3) % 101 % 5 for i in range(size)]


def law_of_weights(weights):
    return np.array([Fraction(weight, sum(weights)) for weight in weights])


def full(prefix, seed, size):
    """No token is impossible."""
    return [1 + digit for digit in digits(prefix, seed, size)]


def one_hot(prefix, seed, size):
    favourite = sum(digits(prefix, seed, size)) % size
    return [int(token == favourite) for token in range(size)]


def gap(prefix, seed, size):
    """One token is impossible, another after another prefix."""
    return [w * (1 - hot) for w, hot in zip(full(prefix, seed, size), one_hot(prefix, seed, size))]


def model(size, seed, weights=full):
    """A model over ``size`` tokens."""
    return PrefixModel(lambda prefix: law_of_weights(weights(prefix, seed, size)), range(size))


# What a pair of models may do to each other.  name: size -> (target, draft)
PAIRS = {
    "full support": lambda size: (model(size, 1), model(size, 2)),
    "equal": lambda size: (model(size, 3), model(size, 3)),
    "disjoint, target one-hot": lambda size: (model(size, 4, one_hot), model(size, 4, gap)),
    "disjoint, draft one-hot": lambda size: (model(size, 5, gap), model(size, 5, one_hot)),
    "zeros in the target": lambda size: (model(size, 6, gap), model(size, 7)),
    "zeros in the draft": lambda size: (model(size, 8), model(size, 9, gap)),
    "zeros in both": lambda size: (model(size, 14, gap), model(size, 1, gap)),
    "both one-hot": lambda size: (model(size, 15, one_hot), model(size, 6, one_hot)),
}
