// The viewer: one trial, step by step. The address says which: #trial=NAME&step=3.
const view = { trial: null, steps: [], step: 0, playing: null };
let pictureData = null;

// The pictures are read when the first trial is opened, not before.
function pictureUrl(number) {
  if (pictureData == null) pictureData = JSON.parse(byId("pictures").textContent);
  const [kind, , data] = pictureData[number];
  return `data:${kind};base64,${data}`;
}

// How wide a picture was when it was shown; it may be smaller here.
const shownWidth = (number) => pictureData[number][1];

// The frames of a trial: its steps, and the last screen where there is one.
function framesOf(trial) {
  const element = byId(`steps-${trial.index}`);
  const steps = element ? JSON.parse(element.textContent) : [];
  if (trial.last_screen != null) steps.push({ pictures: { screen: trial.last_screen }, texts: {}, points: [], end: true });
  return steps;
}

function open(trial, step) {
  if (view.trial !== trial) {
    stop();
    view.trial = trial;
    view.steps = framesOf(trial);
    byId("v-name").textContent = trial.id;
    const optimal = trial.optimal ? `, shortest known ${trial.optimal}` : "";
    byId("v-meta").textContent = `${trial.difficulty} · ${trial.outcome} · ${trial.ending} · score ${show.percent(trial.score)} · ${trial.steps} steps${optimal} · ${show.time(trial.ms)}`;
    drawStrip();
  }
  view.step = Math.max(0, Math.min(step, view.steps.length - 1));
  byId("viewer").hidden = false;
  document.body.style.overflow = "hidden";
  drawStep();
}

function close() {
  stop();
  view.trial = null;
  byId("viewer").hidden = true;
  document.body.style.overflow = "";
}

const mainPart = (step) => ["screen", "marks"].find((part) => step.pictures[part] != null) || Object.keys(step.pictures)[0];

function picture(number, part, step) {
  const main = part === mainPart(step);
  if (number == null) return make("figure", {}, make("div", { class: "missing" }, `The ${part} picture was not kept in this report.`));
  const image = make("img", { src: pictureUrl(number), alt: `${part}` });
  const holder = make("div", { class: `picture ${main ? "large" : "beside"}` }, image);
  if (main && step.points.length) image.addEventListener("load", () => mark(holder, image, step.points, shownWidth(number)));
  return make("figure", {}, make("figcaption", {}, step.end ? "after the end" : part), holder);
}

// Marks where the action touched the screen. Points are in the pixels of the picture as it was shown.
function mark(holder, image, points, width) {
  const scale = Math.min(image.clientWidth / image.naturalWidth, image.clientHeight / image.naturalHeight);
  const left = image.offsetLeft + image.clientLeft + (image.clientWidth - image.naturalWidth * scale) / 2;
  const top = image.offsetTop + image.clientTop + (image.clientHeight - image.naturalHeight * scale) / 2;
  for (const [x, y] of points) {
    const point = make("span", { class: "point" });
    point.style.left = `${left + (x * image.naturalWidth * scale) / width}px`;
    point.style.top = `${top + (y * image.naturalWidth * scale) / width}px`;
    holder.append(point);
  }
}

function drawScreen(step) {
  const parts = Object.entries(step ? step.pictures : {});
  const main = step && mainPart(step);
  parts.sort(([a], [b]) => (b === main) - (a === main));
  const drawn = parts.map(([part, number]) => picture(number, part, step));
  const why = view.steps.length ? "This step showed no picture." : "The steps of this trial are not part of this report.";
  byId("v-screen").replaceChildren(...(drawn.length ? drawn : [make("div", { class: "missing" }, why)]));
}

function drawStep() {
  const step = view.steps[view.step];
  drawScreen(step);
  const slider = byId("v-slider");
  slider.max = Math.max(0, view.steps.length - 1);
  slider.value = view.step;
  slider.disabled = view.steps.length < 2;
  byId("v-place").textContent = !step ? "no steps" : step.end ? "end" : `step ${view.step}, ${view.steps.filter((frame) => !frame.end).length} in all`;
  for (const name of ["v-first", "v-prev"]) byId(name).disabled = view.step === 0;
  for (const name of ["v-next", "v-last"]) byId(name).disabled = view.step + 1 >= view.steps.length;
  byId("v-side").replaceChildren(...stepWords(step), make("hr"), ...trialWords(view.trial));
  for (const button of byId("v-strip").children) button.classList.toggle("now", Number(button.dataset.step) === view.step);
  byId("v-strip").querySelector(".now")?.scrollIntoView({ block: "nearest", inline: "center" });
}

const titled = (title, ...content) => [make("h5", {}, title), ...content];
const text = (words, kind) => make("pre", { class: kind || "" }, words);

// What was said and done in a step.
function stepWords(step) {
  if (!step) return titled("Step", make("p", {}, "Nothing was recorded for this report."));
  if (step.end) return titled("After the end", make("p", {}, `The trial ended: ${view.trial.ending}.`));
  const words = titled("Action", text(step.action ?? "The reply could not be read as an action.", "mono"));
  if (step.effect) words.push(...titled("Feedback", make("p", {}, chip(step.effect, step.effect), " ", step.feedback)));
  words.push(...titled("Reply", text(step.reply)));
  for (const [kind, said] of step.slips || []) words.push(...titled("Slip, corrected before the reply", make("p", {}, chip(kind, "misread")), text(said)));
  if (step.thought) words.push(...titled("Reasoning", text(step.thought)));
  if (step.texts.remaining) words.push(...titled("Remaining", make("p", {}, step.texts.remaining)));
  for (const [part, content] of Object.entries(step.texts)) {
    if (part === "remaining" || part === "feedback") continue;
    words.push(make("details", { open: part === "ascii" || part === "text" }, make("summary", {}, `Shown: ${part}`), text(content, part === "ascii" ? "tight" : "")));
  }
  const tokens = step.tokens == null ? "" : `, ${show.number(step.tokens)} tokens`;
  words.push(...titled("Spent", make("p", {}, `${show.time(step.elapsed_ms)} since the start${tokens}`)));
  return words;
}

// What the trial came to.
function trialWords(trial) {
  const words = titled("Verdict", make("p", {}, chip(trial.outcome, trial.outcome), ` ${trial.ending}, score ${show.percent(trial.score)}`));
  if (trial.fault) words.push(text(trial.fault));
  if (trial.retried.length) words.push(make("p", {}, `${trial.attempts} attempts; before: ${trial.retried.join(", ")}`));
  const row = (...cells) => make("tr", {}, cells.map((cell) => make("td", {}, cell)));
  if (trial.findings.length) {
    words.push(...titled("Findings", make("table", {}, trial.findings.map((finding) => row(finding.check, show.percent(finding.score), finding.because)))));
    const measures = trial.findings.flatMap((finding) => Object.entries(finding.measures || {}).map(([name, value]) => row(`${finding.check}.${name}`, String(value))));
    if (measures.length) words.push(...titled("Measures", make("table", {}, measures)));
  }
  if (trial.milestones.length) {
    const reached = (milestone) => milestone.given ? "given" : milestone.after_steps == null ? "not reached" : `after ${milestone.after_steps} steps`;
    words.push(...titled("Milestones", make("table", {}, trial.milestones.map((milestone) => row(milestone.name, reached(milestone))))));
  }
  if (trial.labels.length) words.push(...titled("Labels", ...trial.labels.map(labelLine)));
  if (trial.opinions.length) words.push(...titled("Labels given by models", ...trial.opinions.map(opinionLine)));
  if (trial.source) words.push(...titled("Drawn from", make("p", {}, trial.source)));
  if (trial.instruction) words.push(make("details", {}, make("summary", {}, "Instruction"), text(trial.instruction)));
  return words;
}

function labelLine([kind, from, to]) {
  const where = from === to ? `step ${from}` : `steps ${from} to ${to}`;
  return make("p", {}, chip(kind), make("button", { class: "link", type: "button", onclick: () => go(from) }, where));
}

function opinionLine(given) {
  const step = make("button", { class: "link", type: "button", onclick: () => go(given.step) }, `step ${given.step}`);
  return make("p", {}, chip(given.kind), step, ` “${given.quote}” ${given.why} (${given.model})`);
}

function drawStrip() {
  const marked = (index) => view.trial.labels.some(([, from, to]) => from <= index && index <= to);
  const thumbs = view.steps.map((step, index) => {
    const number = step.pictures[mainPart(step)];
    const image = number == null ? null : make("img", { src: pictureUrl(number), alt: "", loading: "lazy", decoding: "async" });
    const slipped = step.effect === "misread" || (step.slips || []).length > 0;
    return make("button", { type: "button", class: marked(index) || slipped ? "marked" : "", title: slipped ? "a slip: not read as an action" : null, "data-step": index, onclick: () => go(index) }, image, step.end ? "end" : `${slipped ? "! " : ""}${index}`);
  });
  byId("v-strip").replaceChildren(...thumbs);
}

// Shows a step and says so in the address, without filling the history.
function go(step) {
  const wanted = Math.max(0, Math.min(step, view.steps.length - 1));
  history.replaceState(null, "", link(view.trial, wanted));
  open(view.trial, wanted);
}

function neighbour(by) {
  const list = state.found.includes(view.trial) ? state.found : trials;
  const trial = list[list.indexOf(view.trial) + by];
  if (trial) location.hash = link(trial);
}

function stop() {
  clearInterval(view.playing);
  view.playing = null;
  byId("v-play").textContent = "▶";
}

function play() {
  if (view.playing != null) return stop();
  if (view.step + 1 >= view.steps.length) go(0);
  byId("v-play").textContent = "❚❚";
  view.playing = setInterval(() => (view.step + 1 < view.steps.length ? go(view.step + 1) : stop()), 600);
}

function leave() {
  history.replaceState(null, "", location.pathname + location.search);
  close();
}

function followAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  const trial = trials.find((candidate) => candidate.id === wanted.get("trial"));
  if (trial) open(trial, Number(wanted.get("step")) || 0);
  else close();
}

const keys = {
  ArrowLeft: () => go(view.step - 1), ArrowRight: () => go(view.step + 1), Home: () => go(0), End: () => go(view.steps.length - 1),
  "[": () => neighbour(-1), "]": () => neighbour(1), " ": play, Escape: leave,
};
document.addEventListener("keydown", (event) => {
  if (view.trial == null || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  if (event.key === " " && event.target.tagName === "BUTTON") return;
  event.preventDefault();
  keys[event.key]();
});
const presses = { close: leave, "v-before": () => neighbour(-1), "v-after": () => neighbour(1), "v-first": keys.Home, "v-prev": keys.ArrowLeft, "v-play": play, "v-next": keys.ArrowRight, "v-last": keys.End };
for (const [id, press] of Object.entries(presses)) byId(id).addEventListener("click", press);
byId("v-slider").addEventListener("input", (event) => go(Number(event.target.value)));
window.addEventListener("hashchange", followAddress);
followAddress();
