"""Text as it is decoded: each round adds the tokens of one target pass, told apart by shape."""

import numpy as np
from ipywidgets import HTML, Button, Layout, Play, ToggleButton
from ipywidgets import link as tie

from specnotes.decode import one_round
from specnotes.models import transformed
from specnotes.plots import legend_html, reading_html, stream_html, tiles_html
from specnotes.transforms import greedy, temperature
from specnotes.widgets.block_trace import ending_counts
from specnotes.widgets.common import Control, Sheet, choice, full_width, wrapped

LOOK_BACK = 240  # characters of a long prompt that are shown


def token_stream(target, drafts, prompts, rounds=8, most=60):
    """Lists for prompt and draft, sliders for γ, temperature and seed, Play and Next → the text.

    ``drafts`` are models or scouts by name, ``prompts`` tuples of tokens by name.  ``rounds`` are
    shown at first, at most ``most``.
    """
    controls = {
        "draft_length": Control("draft length γ", 4, 1, 8, 1),
        "heat": Control("temperature", 1.0, 0.0, 1.5, 0.1),
        "seed": Control("seed", 1, 0, 99, 1),
        "rounds": Control("rounds", rounds, 0, most, 1),
        "prompt": choice("prompt", list(prompts), next(iter(prompts))),
        "draft": choice("draft", list(drafts), next(iter(drafts))),
    }
    stream = Stream(target, drafts, prompts)
    shown = {name: full_width() for name in ("tiles", "trace", "text")}
    legend = HTML(legend_html(), layout=Layout(width="auto"))
    buttons = transport(controls["rounds"], most)
    rows = buttons, shown["tiles"], legend, shown["trace"], shown["text"]
    return Sheet(controls, shown, stream.draw, *rows)


def transport(control, most):
    """Buttons that move ``control``: play or pause, one more round, from the start.

    ``Play`` keeps the time in the browser and stays hidden: its own buttons have no names.
    """
    clock = Play(value=control.value, min=0, max=most, interval=500)
    clock.layout.display = "none"
    tie((clock, "value"), (control.slider, "value"))
    toggle = ToggleButton(description="Play", icon="play")
    tie((toggle, "value"), (clock, "playing"))
    following = Button(description="Next round", icon="step-forward")
    again = Button(description="From the start", icon="fast-backward")

    def name(change):
        toggle.description, toggle.icon = ("Pause", "pause") if change.new else ("Play", "play")

    def move(rounds):
        control.value = min(rounds, most)

    toggle.observe(name, "value")
    following.on_click(lambda _: move(control.value + 1))
    again.on_click(lambda _: move(0))
    return wrapped(clock, toggle, following, again)


class Stream:
    """Decodes round by round, as far as is asked; a new setting begins anew."""

    def __init__(self, target, drafts, prompts):
        self._target, self._drafts, self._prompts = target, drafts, prompts
        self._setting = None

    def decoded(self, rounds, *setting):
        """The first ``rounds`` rounds under (prompt, draft, draft_length, heat, seed)."""
        if setting != self._setting:
            self._setting, self._rounds = setting, []
            self._rng = np.random.default_rng(setting[-1])
        prompt, draft, draft_length, heat, _ = setting
        pair = heated(self._target, heat), heated(self._drafts[draft], heat)
        here = tuple(self._prompts[prompt]) + emitted(self._rounds)
        while len(self._rounds) < rounds:
            self._rounds.append(one_round(*pair, here, draft_length, self._rng))
            here += self._rounds[-1].emitted
        return self._rounds[:rounds]

    def draw(self, draft_length, heat, seed, rounds, prompt, draft):
        """The figures, by name, for one setting of the controls."""
        done = self.decoded(rounds, prompt, draft, draft_length, heat, seed)
        names = self._target.vocabulary
        joint = "" if all(len(name) == 1 for name in names) else " "
        before = joint.join(names[token] for token in self._prompts[prompt])[-LOOK_BACK:]
        words = [names[token] for token in emitted(done)]
        title = '<h3 class="sn-title">Each group is one target pass</h3>'
        return {
            "tiles": bill(done),
            "trace": title + stream_html(done, names),
            "text": reading_html([before], words, joint),
        }


def heated(model, heat):
    """The model at a temperature, 0 for greedy; a scout that is no model stays as it is."""
    if heat == 1 or not hasattr(model, "next_law"):
        return model
    return transformed(model, greedy if heat == 0 else lambda law: temperature(law, heat))


def emitted(rounds):
    """The tokens of all rounds."""
    return tuple(token for one in rounds for token in one.emitted)


def bill(rounds):
    """Tiles: what the rounds brought and what was drafted for it."""
    counts, tokens = ending_counts(rounds), len(emitted(rounds))
    drafted = sum(len(one.drafted) for one in rounds)
    return tiles_html(
        ("rounds", len(rounds), "target-text", "target passes"),
        ("tokens", tokens, "ink", "plain: a pass each"),
        ("tokens per pass", f"{tokens / max(1, len(rounds)):.2f}", "ink", "from 1 to γ + 1"),
        ("accepted", counts["accepted"], "kept-text", f"of {drafted} drafted"),
        ("corrected", counts["corrected"], "owed-text", "from a residual"),
        ("bonus", counts["bonus"], "target-text", "from the target itself"),
    )
