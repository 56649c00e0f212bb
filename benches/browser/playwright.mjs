// The rival of benches/browser: Playwright on the same binary, the same app and the same document, with the same clicks
// and the same condition for a settled page. It takes one order a line from standard input, answers each with one line,
// and is given its best: raw mouse clicks, no hiding of carets, no stopping of animations, no sandbox.
//
// node playwright.mjs <folder with node_modules> <chromium> <folder of the built app>

import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";
import { join } from "node:path";

const [modules, executablePath, dist] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");

const HOME = "https://workflow-builder.test/";
const VIEWPORT = { width: 1280, height: 720 };
const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", woff2: "font/woff2" };

let start;
let browsers = [];
let contexts = [];
let pages = [];
const nSteps = new WeakMap();

const orders = {
  /** What every page opens with, and the places that are clicked in turn. */
  prepare: async (order) => {
    start = order;
    return {};
  },

  /** So many browsers with so many pages in each, every page in a context of its own. */
  open: async ({ browsers: nBrowsers, pages: nPages, flags = [] }) => {
    const launch = () => chromium.launch({ executablePath, args: ["--disable-gpu", ...flags] });
    browsers = await Promise.all(Array.from({ length: nBrowsers }, launch));
    for (const browser of browsers) {
      for (let i = 0; i < nPages; i++) {
        const { context, page } = await open(browser);
        contexts.push(context);
        pages.push(page);
      }
    }
    return {};
  },

  /** So many steps in every page, all pages at once. Says how many different screens there were. */
  steps: async ({ n }) => {
    const seen = new Set();
    await Promise.all(
      pages.map(async (page) => {
        for (let i = 0; i < n; i++) seen.add(digest(await step(page)));
      }),
    );
    return { screens: seen.size };
  },

  /** Milliseconds until the first settled screen of contexts opened one after the other; closing is not counted. */
  resets: async ({ n }) => {
    const times = [];
    for (let i = 0; i < n; i++) {
      const began = performance.now();
      const { context, page } = await open(browsers[0]);
      await shoot(page);
      times.push(performance.now() - began);
      await context.close();
    }
    return { times };
  },

  close: async () => {
    await Promise.all(contexts.map((context) => context.close()));
    await Promise.all(browsers.map((browser) => browser.close()));
    [browsers, contexts, pages] = [[], [], []];
    return {};
  },
};

/** A new context with the app, ready to use. */
async function open(browser) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  let ready;
  const isReady = new Promise((resolve) => (ready = resolve));
  await context.exposeBinding("quintainHeard", (_source, text) => {
    if (JSON.parse(text).type === "ready") ready();
  });
  await context.addInitScript(prepare, { document: start.document, seed: 0 });
  await context.route("**/*", serve);
  const page = await context.newPage();
  await page.goto(HOME);
  await isReady;
  await page.evaluate(() => globalThis.settled());
  return { context, page };
}

/** Runs in the page before its own scripts. */
function prepare(opening) {
  let pending = 0;
  let changed = true;
  globalThis.quintain = { opening };
  globalThis.quintainTell = (text) => {
    const message = JSON.parse(text);
    if (message.type === "pending") pending = message.count;
    globalThis.quintainHeard(text);
  };
  const watched = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(() => (changed = true)).observe(document, watched);
  // Two frames in which nothing changed and nothing was pending: what Quintain waits for, too.
  globalThis.settled = () =>
    new Promise((resolve) => {
      let nQuiet = 0;
      const frame = () => {
        nQuiet = changed || pending > 0 ? 0 : nQuiet + 1;
        changed = false;
        if (nQuiet === 2) resolve();
        else requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
}

async function serve(route) {
  const path = new URL(route.request().url()).pathname.slice(1) || "index.html";
  const contentType = TYPES[path.split(".").pop()];
  const body = await readFile(join(dist, path)).catch(() => undefined);
  await (body && contentType ? route.fulfill({ body, contentType }) : route.fulfill({ status: 403 }));
}

async function step(page) {
  const nth = nSteps.get(page) ?? 0;
  nSteps.set(page, nth + 1);
  const [x, y] = start.clicks[nth % start.clicks.length];
  await page.mouse.click(x, y);
  await page.evaluate(() => globalThis.settled());
  return shoot(page);
}

function shoot(page) {
  return page.screenshot({ type: "png", caret: "initial", animations: "allow" });
}

function digest(bytes) {
  return createHash("sha1").update(bytes).digest("hex");
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await orders[order.do](order))}\n`);
}
await orders.close();
