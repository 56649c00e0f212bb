const state = structuredClone(quintain.opening.document);
const tell = (message) => quintainTell(JSON.stringify(message));
const changed = () => tell({ type: "document", document: state });
const log = (entry) => { state.log.push(entry); changed(); };
const by = (id) => document.getElementById(id);
let release = null;

quintain.answer = (id, body) => {
  log(`answered ${body}`);
  setTimeout(() => { log("later"); tell({ type: "pending", count: 0 }); }, 40);
};
quintain.geometry = () => ({ count: [20, 10, 180, 40] });

by("count").onclick = () => { state.count += 1; by("count").textContent = `Count ${state.count}`; changed(); };
by("text").oninput = (event) => { state.text = event.target.value; changed(); };
by("ask").onclick = () => {
  log(`asked ${state.count}`);
  tell({ type: "pending", count: 1 });
  tell({ type: "ask", id: 1, what: "double", body: state.count });
};
by("time").onclick = () => { log(performance.now()); log(Date.now()); log(Math.random()); };
by("out").onclick = () => {
  fetch("https://other.test/secret").then((answer) => log(`other: ${answer.status}`));
  fetch("/export").then((answer) => answer.text()).then((text) => log(`export: '${text}'`));
};
by("window").onclick = () => { window.open("https://other.test/"); };
for (const [kind, name] of [["pointerdown", "down"], ["pointermove", "move"], ["pointerup", "up"]]) {
  by("pad").addEventListener(kind, (event) => { if (kind !== "pointermove" || event.buttons) log(`${name} ${event.clientX},${event.clientY}`); });
}
by("thing").ondragstart = (event) => { event.dataTransfer.setData("text/plain", "a thing"); log("lifted"); };
by("pad").ondragover = (event) => event.preventDefault();
by("pad").ondrop = (event) => { event.preventDefault(); log(`dropped ${event.dataTransfer.getData("text/plain")}`); };
by("list").onscroll = () => { state.scrolled = by("list").scrollTop; changed(); };
changed();
tell({ type: "ready" });
