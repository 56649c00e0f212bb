import type { ReactNode } from "react";

interface ButtonProps {
  /** What the button does, for people who cannot see it; needed when the content is only a picture. */
  label?: string;
  look?: "plain" | "primary" | "danger" | "ghost";
  disabled?: boolean;
  pressed?: boolean;
  geo?: string;
  className?: string;
  onPress: () => void;
  children: ReactNode;
}

/** A push button. */
export function Button(props: ButtonProps) {
  const { label, look = "plain", disabled = false, pressed, geo, className = "", onPress, children } = props;
  return (
    <button
      type="button"
      className={`button button-${look} ${className}`}
      aria-label={label}
      aria-pressed={pressed}
      disabled={disabled}
      data-geo={geo}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
