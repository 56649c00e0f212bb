/** A piece of an expression. */
export type Token =
  | { type: "number"; value: number }
  | { type: "string"; value: string }
  | { type: "word"; value: string }
  | { type: "sign"; value: string };

const PATTERN =
  /\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([A-Za-z_$][\w$]*)|(===|!==|==|!=|<=|>=|&&|\|\||\?\?|\?\.|[-+*/%<>!?:.,()[\]]))/iy;

/** Cuts an expression into its pieces, or throws a sentence about the first character that fits nowhere. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let place = 0;
  while (text.slice(place).trim() !== "") {
    PATTERN.lastIndex = place;
    const match = PATTERN.exec(text);
    if (!match) throw new Error(`unexpected ${text.slice(place).trim()[0]} in the expression`);
    tokens.push(tokenOf(match));
    place = PATTERN.lastIndex;
  }
  return tokens;
}

function tokenOf([, number, double, single, word, sign]: RegExpExecArray): Token {
  if (number !== undefined) return { type: "number", value: Number(number) };
  if (word !== undefined) return { type: "word", value: word };
  if (sign !== undefined) return { type: "sign", value: sign };
  return { type: "string", value: unescape(double ?? single ?? "") };
}

function unescape(text: string): string {
  return text.replace(/\\(.)/g, (_, letter: string) => ({ n: "\n", t: "\t" })[letter] ?? letter);
}
