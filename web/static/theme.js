// SPDX-License-Identifier: GPL-3.0-or-later
// Sets the visitor's theme, and whether the page hides results, before the first paint. This script is no module, so
// browsers run it before they draw.

{
  const chosen = localStorage.getItem("arena-theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
  if (localStorage.getItem("arena-results") === "hidden") document.documentElement.dataset.results = "hidden";
}
