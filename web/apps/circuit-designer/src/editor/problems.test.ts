import { expect, test } from "vitest";
import { withOthers } from "./problems";

const OPEN = ["G1: input in1 ", "G1: input in2 ", "OUT1: input in "];

test("the first problem is told with the number of the others", () => {
  const first = "G1: input in1 is not connected to anything that drives it";
  expect(withOthers(first, OPEN)).toBe(`${first}, and 2 more`);
  expect(withOthers(first, OPEN.slice(0, 1))).toBe(first);
  expect(withOthers("the outputs of G1 and G2 are joined", OPEN)).toBe(
    "the outputs of G1 and G2 are joined, and 3 more",
  );
  expect(withOthers("V1 is short-circuited", [])).toBe("V1 is short-circuited");
});
