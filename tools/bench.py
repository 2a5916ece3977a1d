"""Times that tests only guard as ratios, in milliseconds: `make bench`.

Each function named `bench_…` yields (what, milliseconds, budget): medians of processor time, which
counts what the kernel does and not what else runs on the machine.
"""

import statistics
import sys
import time


def bench_widgets():
    """One step of a slider, in the kernel: the callback, the laws, the figures as strings."""
    from specnotes import widgets

    budgets = {"one_token": 5, "fallback": 5, "yield_curve": 5, "lab": 25}
    for name, budget in budgets.items():
        sheet = getattr(widgets, name)()
        for control in sheet.controls.values():
            if hasattr(control, "slider"):
                yield f"{name}: {control.slider.description}", _step(control), budget


def _step(control, steps=30):
    """Median milliseconds of moving a slider back and forth by one step."""
    spent, start = [], control.value
    step = control.slider.step if start < control.slider.max else -control.slider.step
    for i in range(steps):
        before = time.process_time()
        control.value = start + step if i % 2 == 0 else start
        spent.append(time.process_time() - before)
    return 1000 * statistics.median(spent)


def main():
    benches = [b for name, b in sorted(globals().items()) if name.startswith("bench_")]
    slow = 0
    for what, spent, budget in (line for bench in benches for line in bench()):
        slow += spent > budget
        print(f"{spent:8.1f} ms of {budget:5.0f}  {what}{'  SLOW' if spent > budget else ''}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
