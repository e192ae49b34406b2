// SPDX-License-Identifier: GPL-3.0-or-later
// The theme that the visitor chose, set before anything is drawn: the one script that is no module, so that browsers wait for it.

{
  const chosen = localStorage.getItem("arena-theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
}
