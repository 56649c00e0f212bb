import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";

/** Where a popup wants to be: below (or above) an anchor, or beside a point. */
export interface Anchor {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The side of its anchor that a popup opens at, if the window has room there. */
export type Side = "below" | "above" | "beside";

interface PopupProps {
  anchor: Anchor;
  /** Menus at a point and submenus open beside their anchor, dropdowns below it, or above it where told. */
  side: Side;
  width?: number;
  onAway: () => void;
  children: ReactNode;
}

const MARGIN_PX = 4;

/** A layer above everything else that stays inside the window and goes away when one presses elsewhere. */
export function Popup({ anchor, side, width, onAway, children }: PopupProps) {
  const layer = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ left: anchor.left, top: anchor.bottom });

  useLayoutEffect(() => {
    const { offsetWidth, offsetHeight } = layer.current!;
    setPlace(placePopup(anchor, side, [offsetWidth, offsetHeight], [innerWidth, innerHeight]));
  }, [anchor, side]);

  useLayoutEffect(() => {
    const onPress = (event: PointerEvent) => {
      if (!(event.target as Element).closest?.("[data-popup]")) onAway();
    };
    addEventListener("pointerdown", onPress, true);
    return () => removeEventListener("pointerdown", onPress, true);
  }, [onAway]);

  return createPortal(
    <div ref={layer} className="popup" data-popup data-modal style={{ ...place, width }}>
      {children}
    </div>,
    document.body,
  );
}

/** The corner of a popup of a given size so that it shows whole, as close to its anchor as the window lets it. */
export function placePopup(
  anchor: Anchor,
  side: Side,
  [width, height]: [number, number],
  [windowWidth, windowHeight]: [number, number],
): { left: number; top: number } {
  const fitsBelow = anchor.bottom + height + MARGIN_PX <= windowHeight;
  const fitsRight = anchor.right + width + MARGIN_PX <= windowWidth;
  const fitsAbove = anchor.top - height >= MARGIN_PX;
  const isAbove = side === "above" ? fitsAbove : !fitsBelow;
  const outside = isAbove ? anchor.top - height : anchor.bottom;
  const left = side !== "beside" ? anchor.left : fitsRight ? anchor.right : anchor.left - width;
  const top = side !== "beside" ? outside : Math.min(anchor.top, windowHeight - height - MARGIN_PX);
  return {
    left: Math.round(Math.max(MARGIN_PX, Math.min(left, windowWidth - width - MARGIN_PX))),
    top: Math.round(Math.max(MARGIN_PX, top)),
  };
}
