"""Newton's method, for the few weights that inflection learns.

They are learned for each lexicon anew: SciPy would take longer to import than this takes to find the minimum, and its
quasi-Newton methods stop on the way there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

# Of a function: its value, its slopes, and its curvature, a symmetric matrix.
Expansion = tuple[float, np.ndarray, np.ndarray]

_ROUNDS = 100
# A step that promises less than this is none.
_LEAST = 1e-12
_FLATTEST = 1e-3


def minimum(expand: Callable[[np.ndarray], Expansion], start: np.ndarray) -> np.ndarray:
    """Return a local minimum of a smooth function, which `expand` gives at any point, downhill from `start`.

    Where the function is not convex, its curvature counts as if it were (Nocedal & Wright 2006, Numerical Optimization,
    3.4); a step that leads up is halved (there, 3.1).
    """
    point = start
    value, slope, curvature = expand(point)
    for _ in range(_ROUNDS):
        bends, axes = np.linalg.eigh(curvature)
        step = -axes @ ((axes.T @ slope) / np.maximum(np.abs(bends), _FLATTEST))
        promise = float(slope @ step)
        if promise > -_LEAST:
            break
        length = 1.0
        while (expansion := expand(point + length * step))[0] > value + 1e-4 * length * promise and length > _LEAST:
            length /= 2
        point = point + length * step
        value, slope, curvature = expansion
    return point
