// The document as it stands, without what only draws it.
quintain.dom = () => {
  const dropped = new Set(["script", "style", "link", "meta", "template", "noscript", "base"]);
  const drawn = new Set(["svg", "g", "text", "tspan", "title", "desc", "a"]);
  const kept = new Set([
    "href", "src", "alt", "title", "name", "value", "type", "placeholder", "for", "id", "role", "action", "method", "open",
    "checked", "selected", "disabled", "readonly", "required", "multiple", "min", "max", "step", "colspan", "rowspan", "scope",
    "popover", "popovertarget", "target", "datetime", "lang", "list", "pattern",
  ]);
  const single = new Set(["br", "hr", "img", "input", "wbr", "col", "area", "source"]);
  const safe = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const quoted = (text) => `"${safe(text).replace(/"/g, "&quot;")}"`;
  const attributes = (element) => {
    const named = [...element.attributes].filter(({ name }) => kept.has(name) || name.startsWith("aria-"));
    const values = new Map(named.map(({ name, value }) => [name, value.startsWith("data:") ? "data:" : value]));
    // Fields as they are now, not as the page was sent.
    if (element instanceof HTMLInputElement && element.type !== "hidden") {
      if (["checkbox", "radio"].includes(element.type)) element.checked ? values.set("checked", "") : values.delete("checked");
      else if (element.value) values.set("value", element.value);
    }
    if (element instanceof HTMLOptionElement) element.selected ? values.set("selected", "") : values.delete("selected");
    return [...values].map(([name, value]) => (value === "" ? ` ${name}` : ` ${name}=${quoted(value)}`)).join("");
  };
  const parts = [];
  const write = (node, isDrawing) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.data.replace(/\s+/g, " ");
      if (text !== " " || parts.at(-1)?.at(-1) !== " ") parts.push(safe(text));
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || dropped.has(node.localName)) return;
    if (isDrawing && !drawn.has(node.localName)) return;
    const tag = node.localName;
    parts.push(`<${tag}${attributes(node)}>`);
    if (single.has(tag)) return;
    if (tag === "textarea") parts.push(safe(node.value));
    else for (const child of node.childNodes) write(child, isDrawing || tag === "svg");
    parts.push(`</${tag}>`);
  };
  write(document.documentElement, false);
  return parts.join("");
};
