// A box that scrolls sideways can be reached by the keyboard, and only such a box.
const boxes = ".highlight pre, .output pre, .cell_output, .table-wrapper, .formula";

function makeReachable() {
  for (const box of document.querySelectorAll(boxes)) {
    if (box.scrollWidth > box.clientWidth) {
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", "scrolls sideways");
    } else {
      box.removeAttribute("tabindex");
      box.removeAttribute("role");
      box.removeAttribute("aria-label");
    }
  }
}

addEventListener("load", makeReachable);
addEventListener("resize", makeReachable);
