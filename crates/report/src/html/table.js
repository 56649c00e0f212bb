"use strict";
// The list of trials: filters, sorting, pages. Everything that came from an agent is put in place as text, never as markup.
const byId = (id) => document.getElementById(id);
const trials = JSON.parse(byId("data").textContent);
trials.forEach((trial, index) => { trial.index = index; });

// Makes an element. Children that are not elements become text.
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null));
  return element;
}

const show = {
  percent: (share) => `${(100 * share).toFixed(1)} %`,
  time: (ms) => ms < 1000 ? `${ms} ms` : ms < 100000 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60000).toFixed(1)} min`,
  cost: (trial) => trial.cost_unknown ? (trial.cost_at_least ? `≥ $${trial.cost_at_least.toFixed(4)}` : "unknown") : trial.cost == null ? "" : `$${trial.cost.toFixed(4)}`,
  number: (value) => value == null ? "" : value.toLocaleString("en"),
};
const chip = (word, kind) => make("span", { class: `chip ${kind || ""}` }, word);
const labelNames = (trial) => [...new Set(trial.labels.map(([kind]) => kind))];
const link = (trial, step) => `#trial=${encodeURIComponent(trial.id)}${step ? `&step=${step}` : ""}`;

const several = (key) => new Set(trials.map(key)).size > 1;
const columns = [
  { name: "instance", key: (t) => t.instance, cell: (t) => make("a", { href: link(t) }, t.instance), left: true },
  { name: "agent", key: (t) => t.agent, cell: (t) => make("span", { class: "cut", title: t.agent }, t.agent), left: true, hide: !several((t) => t.agent) },
  { name: "level", key: (t) => ["easy", "medium", "hard"].indexOf(t.difficulty), cell: (t) => t.difficulty, small: true, left: true },
  { name: "outcome", key: (t) => t.outcome, cell: (t) => chip(t.outcome, t.outcome), left: true },
  { name: "ending", key: (t) => t.ending, small: true, left: true },
  { name: "repeat", key: (t) => t.repeat, small: true, hide: !several((t) => t.repeat) },
  { name: "score", key: (t) => t.score, cell: (t) => show.percent(t.score) },
  { name: "steps", key: (t) => t.steps, cell: (t) => t.optimal ? `${t.steps} / ${t.optimal}` : t.steps, title: "steps taken / shortest known" },
  { name: "tokens", key: (t) => t.tokens ?? -1, cell: (t) => show.number(t.tokens), small: true },
  { name: "cost", key: (t) => t.cost ?? t.cost_at_least ?? -1, cell: show.cost, small: true },
  { name: "time", key: (t) => t.ms, cell: (t) => show.time(t.ms), small: true },
  { name: "labels", key: (t) => t.labels.length, cell: (t) => make("span", {}, labelNames(t).map((name) => chip(name))), small: true, left: true },
].filter((column) => !column.hide);
const looks = (column) => `${column.small ? "hide-small " : ""}${column.left ? "left" : ""}`;
const pageSize = 50;
const state = { sort: null, down: false, page: 0, search: "", filters: {}, found: trials };

function searchable(trial) {
  if (trial.words == null) {
    const findings = trial.findings.map((finding) => `${finding.check} ${finding.because}`);
    trial.words = [trial.id, trial.ending, trial.fault || "", ...findings].join("\n").toLowerCase();
  }
  return trial.words;
}

function wanted(trial) {
  for (const [name, value] of Object.entries(state.filters)) {
    if (value === "") continue;
    if (name === "label" ? !trial.labels.some(([kind]) => kind === value) : String(trial[name]) !== value) return false;
  }
  return state.search === "" || searchable(trial).includes(state.search);
}

function refresh() {
  state.found = trials.filter(wanted);
  if (state.sort != null) {
    const key = columns[state.sort].key;
    const turn = state.down ? -1 : 1;
    const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    state.found.sort((a, b) => turn * order(key(a), key(b)) || a.index - b.index);
  }
  state.page = Math.min(state.page, Math.max(0, Math.ceil(state.found.length / pageSize) - 1));
  drawPage();
}

function drawPage() {
  const first = state.page * pageSize;
  const rows = state.found.slice(first, first + pageSize).map((trial) =>
    make("tr", { onclick: (event) => { if (event.target.tagName !== "A") location.hash = link(trial); } },
      columns.map((column) => make("td", { class: looks(column) }, (column.cell || column.key)(trial) ?? ""))));
  document.querySelector("#list tbody").replaceChildren(...rows);
  drawHead();
  const pages = Math.max(1, Math.ceil(state.found.length / pageSize));
  byId("shown").textContent = state.found.length === trials.length ? `${trials.length}` : `${state.found.length} of ${trials.length}`;
  byId("page").textContent = `page ${state.page + 1} of ${pages}`;
  byId("back").disabled = state.page === 0;
  byId("forth").disabled = state.page + 1 >= pages;
}

function drawHead() {
  const cells = columns.map((column, index) => {
    const arrow = state.sort === index ? (state.down ? " ↓" : " ↑") : "";
    const sort = () => { state.down = state.sort === index && !state.down; state.sort = index; refresh(); };
    const sorted = state.sort === index ? (state.down ? "descending" : "ascending") : "none";
    return make("th", { class: looks(column), "aria-sort": sorted, title: column.title },
      make("button", { type: "button", onclick: sort }, column.name + arrow));
  });
  document.querySelector("#list thead").replaceChildren(make("tr", {}, cells));
}

function fillFilters() {
  for (const select of document.querySelectorAll("[data-filter]")) {
    const name = select.dataset.filter;
    const values = trials.flatMap((trial) => name === "label" ? labelNames(trial) : [trial[name]]);
    const choices = [...new Set(values)].sort();
    select.replaceChildren(make("option", { value: "" }, `any ${name}`), ...choices.map((choice) => make("option", { value: choice }, choice)));
    select.hidden = choices.length < 2 && name !== "label" || choices.length === 0;
    select.addEventListener("change", () => { state.filters[name] = select.value; state.page = 0; refresh(); });
  }
}

function turnPage(by) {
  state.page += by;
  drawPage();
  byId("trials").scrollIntoView();
}

byId("search").addEventListener("input", (event) => { state.search = event.target.value.trim().toLowerCase(); state.page = 0; refresh(); });
byId("back").addEventListener("click", () => turnPage(-1));
byId("forth").addEventListener("click", () => turnPage(1));
byId("clear").addEventListener("click", () => {
  state.filters = {};
  state.search = byId("search").value = "";
  for (const select of document.querySelectorAll("[data-filter]")) select.value = "";
  refresh();
});
fillFilters();
refresh();
