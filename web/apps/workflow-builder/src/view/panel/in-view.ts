import { useLayoutEffect, useRef, type RefObject } from "react";

/** Brings the whole of an element into view as soon as it is wanted there. */
export function useInView(isWanted: boolean): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isWanted) element.current?.scrollIntoView({ block: "nearest" });
  }, [isWanted]);
  return element;
}
