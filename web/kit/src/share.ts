/**
 * Gives `next` back with every part that equals the same part of `previous` replaced by that part, so that unchanged
 * parts keep their identity. When nothing differs, the result is `previous` itself. Both are plain JSON values.
 */
export function share<T>(previous: unknown, next: T): T {
  if (Object.is(previous, next)) return next;
  if (Array.isArray(previous) && Array.isArray(next)) return shareList(previous, next) as T;
  if (isRecord(previous) && isRecord(next)) return shareRecord(previous, next) as T;
  return next;
}

function shareList(previous: unknown[], next: unknown[]): unknown[] {
  const shared = next.map((value, index) => share(previous[index], value));
  const same = shared.length === previous.length && shared.every((value, index) => Object.is(value, previous[index]));
  return same ? previous : shared;
}

function shareRecord(previous: Record<string, unknown>, next: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(next);
  const shared = Object.fromEntries(keys.map((key) => [key, share(previous[key], next[key])]));
  const same =
    keys.length === Object.keys(previous).length &&
    keys.every((key) => key in previous && Object.is(shared[key], previous[key]));
  return same ? previous : shared;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
