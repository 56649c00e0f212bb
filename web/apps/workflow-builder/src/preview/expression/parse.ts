import { tokensOf, type Token } from "./tokens";

/** An expression as a tree. */
export type Tree =
  | { type: "value"; value: unknown }
  | { type: "name"; name: string }
  | { type: "list"; items: Tree[] }
  | { type: "member"; of: Tree; key: Tree; optional: boolean }
  | { type: "call"; of: Tree; arguments: Tree[] }
  | { type: "unary"; sign: string; of: Tree }
  | { type: "binary"; sign: string; left: Tree; right: Tree }
  | { type: "choice"; test: Tree; yes: Tree; no: Tree };

const STRENGTH: Record<string, number> = {
  "??": 1,
  "||": 1,
  "&&": 2,
  "===": 3,
  "!==": 3,
  "==": 3,
  "!=": 3,
  "<": 4,
  ">": 4,
  "<=": 4,
  ">=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6,
};

const CONSTANTS: Record<string, unknown> = { true: true, false: false, null: null, undefined };

/** Reads an expression; throws a sentence when it is not one. */
export function parse(text: string): Tree {
  const reader = new Reader(tokensOf(text));
  const tree = reader.choice();
  reader.end();
  return tree;
}

class Reader {
  private place = 0;

  constructor(private readonly tokens: Token[]) {}

  choice(): Tree {
    const test = this.binary(1);
    if (!this.take("?")) return test;
    const yes = this.choice();
    this.need(":");
    return { type: "choice", test, yes, no: this.choice() };
  }

  end(): void {
    const rest = this.tokens[this.place];
    if (rest) throw new Error(`unexpected ${String(rest.value)} in the expression`);
  }

  private binary(weakest: number): Tree {
    let left = this.unary();
    for (;;) {
      const sign = this.sign();
      const strength = sign === undefined ? undefined : STRENGTH[sign];
      if (strength === undefined || strength < weakest) return left;
      this.place += 1;
      left = { type: "binary", sign: sign!, left, right: this.binary(strength + 1) };
    }
  }

  private unary(): Tree {
    const sign = ["!", "-", "+"].find((candidate) => this.take(candidate));
    return sign ? { type: "unary", sign, of: this.unary() } : this.chain(this.atom());
  }

  /** Behind `?.` nothing gives nothing, all the way to the end of the chain. */
  private chain(of: Tree, optional = false): Tree {
    if (this.take("?.")) return this.chain(this.member(of, true), true);
    if (this.take(".")) return this.chain(this.member(of, optional), optional);
    if (this.take("(")) return this.chain({ type: "call", of, arguments: this.listUntil(")") }, optional);
    if (!this.take("[")) return of;
    const key = this.choice();
    this.need("]");
    return this.chain({ type: "member", of, key, optional }, optional);
  }

  private member(of: Tree, optional: boolean): Tree {
    const name = this.tokens[this.place++];
    if (name?.type !== "word") throw new Error("a field name is missing after the dot");
    return { type: "member", of, key: { type: "value", value: name.value }, optional };
  }

  private atom(): Tree {
    const token = this.tokens[this.place++];
    if (!token) throw new Error("the expression ends too early");
    if (token.type === "word") return nameOrConstant(token.value);
    if (token.type !== "sign") return { type: "value", value: token.value };
    if (token.value === "[") return { type: "list", items: this.listUntil("]") };
    if (token.value !== "(") throw new Error(`unexpected ${token.value} in the expression`);
    const inside = this.choice();
    this.need(")");
    return inside;
  }

  private listUntil(close: string): Tree[] {
    const items: Tree[] = [];
    while (!this.take(close)) {
      if (items.length > 0) this.need(",");
      items.push(this.choice());
    }
    return items;
  }

  private sign(): string | undefined {
    const token = this.tokens[this.place];
    return token?.type === "sign" ? token.value : undefined;
  }

  private take(sign: string): boolean {
    const isNext = this.sign() === sign;
    if (isNext) this.place += 1;
    return isNext;
  }

  private need(sign: string): void {
    if (!this.take(sign)) throw new Error(`a ${sign} is missing in the expression`);
  }
}

function nameOrConstant(word: string): Tree {
  return Object.hasOwn(CONSTANTS, word) ? { type: "value", value: CONSTANTS[word] } : { type: "name", name: word };
}
