import { type Kind, MENUS, kindOf } from "./catalogue";

/** A kind that was found, with the menu it is in. */
export interface Found {
  kind: string;
  name: string;
  menu: string;
}

const ALL: readonly (Found & { words: string })[] = MENUS.flatMap(({ name: menu, kinds }) =>
  kinds.map((kind) => {
    const found: Kind = kindOf({ kind });
    return {
      kind,
      name: found.name,
      menu,
      words: `${found.name} ${kind} ${found.prefix} ${found.about} ${menu}`.toLowerCase(),
    };
  }),
);

/** The kinds a text finds: names that begin with it first, then names that hold it, then anything said about them. */
export function searchKinds(text: string): Found[] {
  const wanted = text.trim().toLowerCase();
  const rank = ({ name, words }: Found & { words: string }) => {
    const lower = name.toLowerCase();
    if (lower.startsWith(wanted)) return 0;
    if (lower.includes(wanted)) return 1;
    return wanted.split(/\s+/u).every((word) => words.includes(word)) ? 2 : 3;
  };
  const ranked = ALL.map((found) => ({ found, rank: rank(found) })).filter((each) => each.rank < 3);
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ found: { kind, name, menu } }) => ({ kind, name, menu }));
}
