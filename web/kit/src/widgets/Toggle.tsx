interface ToggleProps {
  label: string;
  on: boolean;
  geo?: string;
  onChange: (on: boolean) => void;
}

/** A switch with its label beside it. */
export function Toggle({ label, on, geo, onChange }: ToggleProps) {
  return (
    <div className="toggle-row">
      <span className="field-label">{label}</span>
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-label={label}
        className="toggle"
        data-geo={geo}
        onClick={() => onChange(!on)}
      >
        <span className="toggle-knob" />
      </button>
    </div>
  );
}
