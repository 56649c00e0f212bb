(() => {
  const opening = OPENING;
  let state = (opening.seed ^ 0x9e3779b9) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  Math.random = next;
  crypto.getRandomValues = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(next() * 256);
    return array;
  };
  // The browser blurs its fine clock by where the trial happens to lie in real time; the coarse one is exact.
  const origin = Date.now();
  performance.now = () => Date.now() - origin;
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => request(() => callback(performance.now()));
  window.quintain = { opening };
})();
