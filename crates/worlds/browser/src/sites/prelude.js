(() => {
  const tell = (message) => window.quintainTell?.(JSON.stringify(message));
  // Whatever the browser would draw in a window of its own never gets a frame: lists are drawn in the page, and calendars
  // and palettes do not open.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    select:not([multiple], [size]), ::picker(select) { appearance: base-select !important; }
    input::-webkit-calendar-picker-indicator { display: none !important; }
    :user-invalid { outline: 2px solid #d93025 !important; }
    :root { scroll-behavior: auto !important; }
  `);
  document.adoptedStyleSheets = [sheet];

  const calendars = ["date", "time", "month", "week", "datetime-local"];
  const isOf = (types, target) => target instanceof HTMLInputElement && types.includes(target.type);
  addEventListener("keydown", (event) => {
    const opensCalendar = [" ", "F4"].includes(event.key) || (event.altKey && event.key === "ArrowDown");
    const opensPalette = [" ", "Enter"].includes(event.key);
    const opens = (opensCalendar && isOf(calendars, event.target)) || (opensPalette && isOf(["color"], event.target));
    if (opens) event.preventDefault();
  }, true);

  // A link that opens elsewhere is told, and opened as a tab by whoever drives the browser.
  const follow = (event) => {
    if (isOf(["color"], event.target)) event.preventDefault();
    const link = event.composedPath().find((node) => node instanceof Element && node.matches("a[href], area[href]"));
    if (!link || event.button > 1) return;
    link.removeAttribute("download");
    const address = new URL(link.getAttribute("href") ?? "", document.baseURI);
    if (!["http:", "https:"].includes(address.protocol)) {
      event.preventDefault();
      tell({ type: "refused", what: `a link to ${address.href.slice(0, 200)}` });
      return;
    }
    const isAside = event.button === 1 || event.ctrlKey || event.metaKey;
    const isNew = event.shiftKey || !["", "_self", "_top", "_parent"].includes(link.target);
    if (!isAside && !isNew) return;
    event.preventDefault();
    const place = isAside && !event.shiftKey ? "back" : "front";
    tell({ type: "tab", address: address.href, place });
  };
  addEventListener("click", follow, true);
  addEventListener("auxclick", follow, true);
  addEventListener("submit", (event) => {
    event.target.removeAttribute("target");
    event.submitter?.removeAttribute("formtarget");
  }, true);
  // The browser's bubble over a field that is not filled in rightly fades in by the clock on the wall. The field is
  // outlined instead, and has the focus.
  let isReported = false;
  addEventListener("invalid", (event) => {
    event.preventDefault();
    if (!isReported) event.target.focus();
    isReported = true;
    queueMicrotask(() => (isReported = false));
  }, true);
  window.quintain = {};
})();
