// SPDX-License-Identifier: GPL-3.0-or-later
// The button for the theme, and tables that the keyboard scrolls.

{
  const stored = "arena-theme"; // which the arena's pages read, too (web/static/theme.js)
  const system = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (localStorage.getItem(stored) ?? (system.matches ? "dark" : "light")) === "dark";
  const draw = () => {
    document.body.dataset.mdColorScheme = dark() ? "slate" : "default";
  };
  document.querySelector("#theme").addEventListener("click", () => {
    const chosen = dark() ? "light" : "dark";
    localStorage.setItem(stored, chosen);
    document.documentElement.dataset.theme = chosen;
    draw();
  });
  system.addEventListener("change", draw);
}

{
  const sizes = new ResizeObserver((changed) => {
    for (const { target } of changed) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  // the theme's script has wrapped the tables by then
  addEventListener("load", () => document.querySelectorAll(".md-typeset__scrollwrap").forEach((wrap) => sizes.observe(wrap)));
}
