/** So many characters of the end stay when a text is cut. */
const N_TAIL = 10;

/**
 * A text on one line that loses its middle where it is too long, since what is compared with or set comes last. Those
 * who cannot see it get it whole.
 */
export function Cut({ text }: { text: string }) {
  const tail = Math.min(N_TAIL, Math.floor(text.length / 2));
  const split = text.length - tail;
  return (
    <span className="cut">
      <span className="unseen">{text}</span>
      <span className="cut-head" aria-hidden="true">
        {text.slice(0, split)}
      </span>
      <span className="cut-tail" aria-hidden="true">
        {text.slice(split)}
      </span>
    </span>
  );
}
