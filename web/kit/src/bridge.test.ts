import { afterEach, describe, expect, it, vi } from "vitest";

/** Loads the kit afresh into a page that a driver has prepared, and collects what the page tells. */
async function page(opening?: { document: unknown; seed: number }) {
  const told: string[] = [];
  vi.resetModules();
  vi.stubGlobal("quintain", opening ? { opening } : undefined);
  vi.stubGlobal("quintainTell", (text: string) => told.push(text));
  const { offer, opening: read } = await import("./bridge");
  const { answer, ask } = await import("./ask");
  const { hold } = await import("./pending");
  offer({ answer, geometry: () => ({}) });
  return { told, read, ask, hold, host: globalThis as unknown as { quintain: { answer: typeof answer } } };
}

afterEach(() => vi.unstubAllGlobals());

describe("opening", () => {
  it("is what the driver put into the page", async () => {
    const { read } = await page({ document: { parts: [] }, seed: 7 });
    expect(read({ parts: ["fallback"] })).toEqual({ document: { parts: [] }, seed: 7 });
  });

  it("is the fallback without a driver", async () => {
    const { read } = await page();
    expect(read({ parts: ["fallback"] })).toEqual({ document: { parts: ["fallback"] }, seed: 0 });
  });
});

describe("hold", () => {
  it("tells how many tokens are held and lets each go once", async () => {
    const { told, hold } = await page();
    const first = hold();
    const second = hold();
    first();
    first();
    second();
    expect(told.map((text) => JSON.parse(text).count)).toEqual([1, 2, 1, 0]);
  });
});

describe("ask", () => {
  it("is busy until the driver answers", async () => {
    const { told, ask, host } = await page();
    const answered = ask("simulate", { time: 1 });
    host.quintain.answer(1, { volts: [5] });
    expect(await answered).toEqual({ volts: [5] });
    expect(told).toEqual([
      '{"type":"pending","count":1}',
      '{"type":"ask","id":1,"what":"simulate","body":{"time":1}}',
      '{"type":"pending","count":0}',
    ]);
  });

  it("holds nothing when it is quiet, and answers find their question", async () => {
    const { told, ask, host } = await page();
    const answers = [ask("a", null, { quiet: true }), ask("b", null, { quiet: true })];
    host.quintain.answer(2, "for b");
    host.quintain.answer(1, "for a");
    host.quintain.answer(1, "too late");
    expect(await Promise.all(answers)).toEqual(["for a", "for b"]);
    expect(told.some((text) => text.includes("pending"))).toBe(false);
  });
});
