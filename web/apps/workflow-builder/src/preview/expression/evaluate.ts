import { parse, type Tree } from "./parse";

type Names = Record<string, unknown>;

/** What an expression gives for an item. Only plain data is reachable; throws a sentence when it cannot be computed. */
export function evaluate(text: string, item: unknown): unknown {
  if (text.trim() === "") throw new Error("the expression is empty");
  return valueOf(parse(text), { item });
}

function valueOf(tree: Tree, names: Names): unknown {
  switch (tree.type) {
    case "value":
      return tree.value;
    case "name":
      if (!Object.hasOwn(names, tree.name)) throw new Error(`${tree.name} is not known`);
      return names[tree.name];
    case "list":
      return tree.items.map((entry) => valueOf(entry, names));
    case "member":
      return memberOf(valueOf(tree.of, names), valueOf(tree.key, names), tree.optional);
    case "call":
      return callOf(tree, names);
    case "unary":
      return unaryOf(tree.sign, valueOf(tree.of, names));
    case "choice":
      return valueOf(tree.test, names) ? valueOf(tree.yes, names) : valueOf(tree.no, names);
    case "binary":
      return binaryOf(tree.sign, valueOf(tree.left, names), () => valueOf(tree.right, names));
  }
}

function memberOf(of: unknown, key: unknown, optional: boolean): unknown {
  if (of === null || of === undefined) {
    if (optional) return undefined;
    throw new Error(`${String(key)} of nothing`);
  }
  if ((typeof of === "string" || Array.isArray(of)) && key === "length") return of.length;
  if (typeof of === "string") return typeof key === "number" ? of[key] : undefined;
  return typeof of === "object" && Object.hasOwn(of, String(key)) ? (of as Names)[String(key)] : undefined;
}

function unaryOf(sign: string, value: unknown): unknown {
  if (sign === "!") return !value;
  return sign === "-" ? -Number(value) : Number(value);
}

function binaryOf(sign: string, left: unknown, right: () => unknown): unknown {
  if (sign === "&&") return left && right();
  if (sign === "||") return left || right();
  if (sign === "??") return left ?? right();
  const operate = OPERATORS[sign];
  if (!operate) throw new Error(`${sign} is not known`);
  return operate(left as never, right() as never);
}

const OPERATORS: Record<string, (left: never, right: never) => unknown> = {
  "===": (left, right) => left === right,
  "!==": (left, right) => left !== right,
  "==": (left, right) => left == right,
  "!=": (left, right) => left != right,
  "<": (left, right) => left < right,
  ">": (left, right) => left > right,
  "<=": (left, right) => left <= right,
  ">=": (left, right) => left >= right,
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "%": (left, right) => left % right,
};

const TEXT_METHODS = [
  "endsWith",
  "includes",
  "indexOf",
  "padStart",
  "replace",
  "slice",
  "split",
  "startsWith",
  "toLowerCase",
  "toUpperCase",
  "trim",
];
const LIST_METHODS = ["includes", "indexOf", "join", "slice"];
const NUMBER_METHODS = ["toFixed"];
const FUNCTIONS: Record<string, (...values: never[]) => unknown> = { Number, String };
const MATH: Record<string, (...values: never[]) => unknown> = {
  abs: Math.abs,
  ceil: Math.ceil,
  floor: Math.floor,
  max: Math.max,
  min: Math.min,
  round: Math.round,
};

function callOf({ of, arguments: given }: Tree & { type: "call" }, names: Names): unknown {
  const values = given.map((tree) => valueOf(tree, names));
  if (of.type === "name") return apply(FUNCTIONS, of.name, values);
  if (of.type !== "member") throw new Error("only methods can be called");
  const key = String(valueOf(of.key, names));
  if (of.of.type === "name" && of.of.name === "Math") return apply(MATH, key, values);
  const owner = valueOf(of.of, names);
  if (of.optional && (owner === null || owner === undefined)) return undefined;
  if (!methodsOf(owner).includes(key)) throw new Error(`${key} cannot be called here`);
  return (owner as Record<string, (...values: unknown[]) => unknown>)[key]!(...values);
}

function methodsOf(owner: unknown): string[] {
  if (typeof owner === "string") return TEXT_METHODS;
  if (typeof owner === "number") return NUMBER_METHODS;
  return Array.isArray(owner) ? LIST_METHODS : [];
}

function apply(functions: Record<string, (...values: never[]) => unknown>, name: string, values: unknown[]): unknown {
  if (!Object.hasOwn(functions, name)) throw new Error(`${name} cannot be called`);
  return functions[name]!(...(values as never[]));
}
