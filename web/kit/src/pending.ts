import { tell } from "./bridge";

let count = 0;

/**
 * Says that the page is busy until the returned function is called (once; more calls do nothing).
 * The driver goes on issuing frames while anything is held.
 */
export function hold(): () => void {
  let held = true;
  change(1);
  return () => {
    if (held) change(-1);
    held = false;
  };
}

function change(by: 1 | -1): void {
  count += by;
  tell({ type: "pending", count });
}
