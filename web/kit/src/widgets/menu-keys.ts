interface Choosable {
  label: string;
  disabled?: boolean;
}

/** The item of a menu that a key leads to; disabled items are passed over and the ends are joined. */
export function nextItem(items: readonly Choosable[], active: number, key: string): number {
  const count = items.length;
  const forward = items.map((_, step) => (active + 1 + step) % count);
  const usable = (index: number) => !items[index]!.disabled;
  const inOrder = items.map((_, index) => index);
  if (key === "ArrowDown") return forward.find(usable) ?? active;
  if (key === "ArrowUp")
    return inOrder.map((step) => (Math.max(active, 0) - 1 - step + 2 * count) % count).find(usable) ?? active;
  if (key === "Home") return inOrder.find(usable) ?? active;
  if (key === "End") return inOrder.findLast(usable) ?? active;
  if (key.length !== 1) return active;
  const letter = key.toLowerCase();
  return forward.find((index) => usable(index) && items[index]!.label.toLowerCase().startsWith(letter)) ?? active;
}
