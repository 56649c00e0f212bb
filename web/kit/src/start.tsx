import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { answer } from "./ask";
import { offer, tell } from "./bridge";
import { geometry } from "./geometry";
import { hold } from "./pending";

/**
 * Renders an app into the page once its fonts are there, so that no screen ever shows another font. The browser's own
 * context menu is kept away.
 */
export function start(app: ReactNode): void {
  const release = hold();
  offer({ answer, geometry });
  addEventListener("contextmenu", (event) => event.preventDefault());
  void loadFonts().then(() => {
    createRoot(document.getElementById("root")!).render(<StrictMode>{app}</StrictMode>);
    release();
  });
}

/** Tells the driver, once, that the app can be used. */
export function ready(): void {
  if (!isReady) tell({ type: "ready" });
  isReady = true;
}

let isReady = false;

function loadFonts(): Promise<unknown> {
  return Promise.all([...document.fonts].map((font) => font.load()));
}
