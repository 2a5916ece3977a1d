"""How figures write numbers: digits that matter, a real minus sign, words for an exact zero."""


def percent(share, digits=1):
    """``0.354`` -> ``"35.4"``, in percent and without the sign."""
    return f"{100 * float(share):.{digits}f}"


def percents(axis):
    """Label the ticks of a matplotlib axis of chances in percent."""
    axis.set_major_formatter(lambda share, _: f"{100 * share:g} %")


def signed(share, digits=2):
    """``-0.056`` -> ``"−5.60"``; a zero that is exact is written ``0``."""
    if share == 0:
        return "0"
    return f"{100 * float(share):+.{digits}f}".replace("-", "−")


def listed(names, shares):
    """``"the 6.3 %, cat 35.4 %"``, for text alternatives."""
    return ", ".join(f"{name} {percent(share)} %" for name, share in zip(names, shares))


def tiny(distance):
    """A distance that is zero or rounding: ``"0 exactly"``, ``"2e−17"``."""
    return "0 exactly" if distance == 0 else f"{float(distance):.0e}".replace("e-", "e−")
