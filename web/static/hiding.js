// SPDX-License-Identifier: GPL-3.0-or-later
// Spoiler-free mode for components that cannot leave it to the style sheet.

import { isHiding } from "./spoilers.js";
import { useEffect, useState } from "./view.js";

/** Whether this page hides results. */
export function useHiding() {
  const [hiding, setHiding] = useState(isHiding);
  useEffect(() => {
    const look = () => setHiding(isHiding());
    addEventListener("resultschange", look);
    return () => removeEventListener("resultschange", look);
  }, []);
  return hiding;
}
