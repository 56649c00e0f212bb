/** One record on its way through a workflow. */
export type Item = Record<string, unknown>;

const CITIES = ["Leeds", "Turin", "Gwenborough", "Lyon", "Aarhus", "Porto", "Graz", "Gwenborough"];
const COUNTRIES = ["UK", "IT", "UK", "FR", "DK", "PT", "AT", "UK"];
const NAMES = [
  "Ada Whitlock",
  "Bruno Conti",
  "Clara Finch",
  "Denis Moreau",
  "Elin Holm",
  "Filipa Reis",
  "Georg Auer",
  "Hana Okafor",
];
const STATES = ["completed", "pending", "completed", "cancelled"];

/** The people a web address or a spreadsheet gives in a preview. */
export const people: readonly Item[] = NAMES.map((name, index) => ({
  id: index + 1,
  name,
  email: `${name.split(" ")[0]!.toLowerCase()}@${["mail.example.org", "post.example.com"][index % 2]}`,
  active: index % 3 !== 1,
  country: COUNTRIES[index],
  address: { city: CITIES[index] },
  score: [91, 42, 67, 18, 83, 55, 29, 74][index],
  priority: (index % 4) + 1,
  value: (index + 1) * 5,
  tags: index % 2 === 0 ? ["newsletter"] : [],
}));

/** The orders a database gives in a preview. */
export const orders: readonly Item[] = people.map((person, index) => ({
  ...person,
  orderId: 1001 + index,
  status: STATES[index % STATES.length],
  total: [120, 48.5, 310, 75, 19.9, 640, 88, 205][index],
  quantity: (index % 3) + 1,
  unitPrice: [40, 24.25, 310, 25, 19.9, 320, 44, 68.5][index],
}));
