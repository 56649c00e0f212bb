import { kindOf } from "../model/catalogue";
import { iconOf } from "./icons";

/** The picture of a kind on the colour of its category. */
export function KindIcon({ kind, size = 16 }: { kind: string; size?: number }) {
  const { icon, category } = kindOf(kind);
  const Picture = iconOf(icon);
  return (
    <span
      className={`kind-icon tint-${category}`}
      style={{ width: size * 1.75, height: size * 1.75 }}
      aria-hidden="true"
    >
      <Picture size={size} strokeWidth={2} />
    </span>
  );
}
