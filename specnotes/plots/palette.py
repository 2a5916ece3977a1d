"""The visual language, in one place: one meaning, one colour and one texture or shape.

target       blue
draft        orange
kept         green, solid            a square in a trace
rejected     orange, hatched         dashed in a trace
owed         purple, dotted          a diamond in a trace (the correction)
bonus        blue outline            a pill in a trace
error        vermilion

Marks are Okabe and Ito's colours.  Text is never set in a mark's colour but in its ``…-text``
shade, which has a contrast of 4.5 or more on both backgrounds; a test computes it.
"""

LIGHT = {
    "paper": "#ffffff",
    "tile": "#f6f8fa",
    "line": "#d0d7de",
    "ink": "#1b1f24",
    "muted": "#57606a",
    "target": "#0072B2",
    "target-text": "#0068a3",
    "draft": "#E69F00",
    "draft-text": "#8f5f00",
    "kept": "#009E73",
    "kept-pale": "#8fd3bf",
    "kept-text": "#00735a",
    "on-kept": "#001a12",
    "owed": "#B3528E",
    "owed-text": "#a04580",
    "error": "#D55E00",
    "error-text": "#b04500",
}

DARK = LIGHT | {
    "paper": "#111111",
    "tile": "#1c2128",
    "line": "#444c56",
    "ink": "#e6edf3",
    "muted": "#a3adb8",
    "target": "#56B4E9",
    "target-text": "#6cc0f0",
    "draft-text": "#f0b93a",
    "kept-pale": "#00624a",
    "kept-text": "#33c79a",
    "owed": "#CC79A7",
    "owed-text": "#e08fc3",
    "error-text": "#ff8a47",
}

FONT = "var(--jp-ui-font-family, system-ui), -apple-system, 'Segoe UI', Roboto, sans-serif"


def css(role):
    """The colour of a role for a live figure: a CSS variable, with the light shade as fallback."""
    return f"var(--sn-{role},{LIGHT[role]})"


def stylesheet():
    """Both themes and the layout of tiles, once per widget.  JupyterLab marks dark themes."""
    return (
        f"<style>.specnotes{{{_variables(LIGHT)}}}"
        f'[data-jp-theme-light="false"] .specnotes{{{_variables(DARK)}}}{_LAYOUT}</style>'
    )


def _variables(shades):
    return "".join(f"--sn-{role}:{shade};" for role, shade in shades.items())


_LAYOUT = f"""
.specnotes {{ background: {css("paper")}; color: {css("ink")}; font-family: {FONT};
  font-size: 14px; line-height: 1.45; }}
.sn-tiles {{ display: flex; flex-wrap: wrap; gap: 8px; margin: 6px 0 10px; }}
.sn-tiles > div {{ flex: 1 1 118px; max-width: 230px; padding: 8px 12px;
  border: 1px solid {css("line")}; border-radius: 6px; background: {css("tile")};
  font-variant-numeric: tabular-nums; }}
.sn-tiles > div > div {{ color: {css("muted")}; font-size: 12px; min-height: 1.3em; }}
.sn-tiles > div > div:nth-child(2) {{ font-size: 21px; font-weight: 600; line-height: 1.3; }}
.sn-trace {{ display: flex; flex-wrap: wrap; gap: 8px 2px; align-items: flex-start; }}
.sn-trace > span {{ width: 42px; }}
.sn-stream {{ display: flex; flex-wrap: wrap; gap: 8px 6px; align-items: flex-start; }}
.sn-stream > span {{ flex: none; max-width: 100%; }}
.sn-legend {{ display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 12.5px;
  margin-bottom: 6px; }}
.sn-legend span {{ display: inline-flex; align-items: center; gap: 6px; }}
.sn-box {{ border: 1px solid {css("line")}; border-radius: 6px; background: {css("tile")};
  padding: 6px 12px; margin-top: 10px; }}
.sn-title {{ margin: 6px 0 0; font-size: 15px; font-weight: 600; color: {css("ink")}; }}
.specnotes p {{ margin: 4px 0 8px; max-width: 96ch; line-height: 1.45; }}
.specnotes .widget-html-content {{ line-height: 1.45; }}
.sn-checks {{ border-collapse: collapse; font-size: 13px; }}
.sn-checks td:first-child {{ white-space: nowrap; }}
.sn-checks th, .sn-checks td {{ padding: 2px 14px 2px 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid {css("line")}; }}
.sn-control .widget-slider > .widget-label {{ display: none; }}
.sn-state {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
.sn-state caption {{ text-align: left; padding: 4px 0; }}
.sn-state th, .sn-state td {{ padding: 2px 8px; text-align: right;
  border-bottom: 1px solid {css("line")}; }}
@media (prefers-reduced-motion: reduce) {{
  .specnotes * {{ animation: none !important; transition: none !important; }}
}}
"""
