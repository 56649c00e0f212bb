(() => {
  const opening = OPENING;
  let count = 0;
  let waiting = [];
  let busy = false;
  const post = async () => {
    if (busy || waiting.length === 0) return;
    busy = true;
    const batch = { visit: opening.visit, count: ++count, messages: waiting };
    waiting = [];
    try {
      const told = await fetch("./tell", { method: "POST", body: JSON.stringify(batch) });
      const { answers = [] } = told.ok ? await told.json() : {};
      for (const { id, body } of answers) window.quintain.answer(id, body);
    } finally {
      busy = false;
      void post();
    }
  };
  window.quintain = { opening: { document: opening.document, seed: opening.seed } };
  window.quintainTell = (text) => {
    const message = JSON.parse(text);
    if (message.type === "pending") return;
    waiting.push(message);
    queueMicrotask(() => void post());
  };
  // What has not been told when the page goes away is sent without waiting for an answer.
  addEventListener("pagehide", () => {
    if (waiting.length === 0) return;
    const batch = { visit: opening.visit, count: ++count, messages: waiting };
    waiting = [];
    navigator.sendBeacon("./tell", JSON.stringify(batch));
  });
})();
