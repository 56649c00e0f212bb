// Where everything is that can be acted on or read, also outside of the screen. Keys are made of what a page shows anyway:
// `a|https://numbers.test/orvia|Orvia`, `input|q|Search`, `button|buy|Order now`, `td||4.2 %`. The second and later ones of a
// key end in `#2`, `#3`.
quintain.geometry = () => {
  const longest = 120;
  const tidy = (value) => Math.round(value * 100) / 100;
  const words = (text) => (text ?? "").replace(/\s+/g, " ").trim().slice(0, longest);
  const label = (element) =>
    words(element.getAttribute("aria-label") || element.labels?.[0]?.textContent || element.placeholder || element.title);
  const fieldKey = (element) => {
    const choice = ["checkbox", "radio"].includes(element.type) ? `=${element.value}` : "";
    return `${element.name}${choice}`;
  };
  const keyOf = (element) => {
    const tag = element.localName;
    switch (tag) {
      case "a":
      case "area":
        return [tag, element.href, words(element.textContent || element.getAttribute("aria-label") || element.querySelector("img")?.alt)];
      case "input":
        if (["submit", "button", "reset", "image"].includes(element.type)) return ["button", element.name, element.value || element.alt];
        return [tag, fieldKey(element), label(element)];
      case "select":
      case "textarea":
        return [tag, element.name, label(element)];
      case "option":
        return [tag, `${element.closest("select")?.name ?? ""}=${element.value}`, words(element.textContent)];
      case "button":
        return [tag, element.name || element.getAttribute("popovertarget") || "", words(element.textContent) || label(element)];
      case "label":
        return [tag, element.control ? fieldKey(element.control) : "", words(element.textContent)];
      default:
        return [tag, "", words(element.textContent)];
    }
  };
  const table = {};
  const put = (key, rectangle) => {
    let name = key;
    for (let n = 2; name in table; n++) name = `${key}#${n}`;
    table[name] = rectangle.map(tidy);
  };
  const acted = "a[href], area[href], input:not([type=hidden]), select, option, textarea, button, summary, label";
  const read = "h1, h2, h3, h4, th, td, dt, dd, li, p, figcaption, caption, [role=note]";
  for (const element of document.querySelectorAll(`${acted}, ${read}`)) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    // A link that is broken into lines is clicked on its first one.
    const box = element.localName === "a" ? element.getClientRects()[0] : element.getBoundingClientRect();
    if (!box || box.width === 0 || box.height === 0) continue;
    put(keyOf(element).join("|"), [box.left, box.top, box.width, box.height]);
  }
  const root = document.scrollingElement ?? document.documentElement;
  put("page:view", [0, 0, innerWidth, innerHeight]);
  put("page:all", [-root.scrollLeft, -root.scrollTop, root.scrollWidth, root.scrollHeight]);
  return table;
};
quintain.selection = () => {
  const field = document.activeElement;
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  if (isField && field.selectionStart !== null) return field.value.slice(field.selectionStart, field.selectionEnd);
  return String(getSelection());
};
