"""The distribution function of the gamma distribution."""

from math import exp, lgamma, log

_PRECISION = 1e-15
_TINY = 1e-300
_MOST_TERMS = 10_000


def gamma_cdf(x: float, shape: float, scale: float) -> float:
    """The probability that a gamma variable of this shape and scale (both above 0) is at most `x`.

    The regularized incomplete gamma function P(shape, x / scale): its series where that converges fast, and
    one less the continued fraction of its complement elsewhere. Good to about 14 digits.
    """
    z = x / scale
    if z <= 0:
        return 0.0
    front = exp(shape * log(z) - z - lgamma(shape))
    if z < shape + 1:
        return min(1.0, front * _series(z, shape))
    return max(0.0, 1.0 - front * _continued_fraction(z, shape))


def _series(z: float, shape: float) -> float:
    term = total = 1.0 / shape
    for n in range(1, _MOST_TERMS):
        term *= z / (shape + n)
        total += term
        if term < total * _PRECISION:
            break
    return total


def _continued_fraction(z: float, shape: float) -> float:
    # The convergents by Lentz's method, which never divides by zero.
    b = z + 1.0 - shape
    c = 1.0 / _TINY
    d = 1.0 / b
    value = d
    for n in range(1, _MOST_TERMS):
        a = -n * (n - shape)
        b += 2.0
        d = 1.0 / ((a * d + b) or _TINY)
        c = (b + a / c) or _TINY
        value *= c * d
        if abs(c * d - 1.0) < _PRECISION:
            break
    return value
