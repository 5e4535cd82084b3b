// The replay of a hand: keys, playing at the recorded pace, and the scrub bar. Every state is made by the server.
"use strict";
(() => {
  const $ = (what, inside = document) => inside.querySelector(what);
  const FRAME = 600; // milliseconds a step where the facts have no difference in time
  const PAUSE = 500; // a window in the background gets no frames: the replay waits with it
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  let root = null, items = [], states = new Map(), loading = new Map(), wanted = 0, playing = null;

  const now = () => Number(root.dataset.step);
  const count = () => Number(root.dataset.count);
  const offset = (step) => (items[count() - 1].offset ? items[step - 1].offset : (step - 1) * FRAME);

  function begin() { // a replay has been opened, with the page or by htmx
    const opened = $("#replay");
    if (opened === root) return;
    stop();
    root = opened;
    states = new Map();
    loading = new Map();
    if (!root) return;
    items = [...root.querySelectorAll("#replay-facts li")].map((row) => ({ row, offset: Number(row.dataset.offset), x: row.dataset.x, clock: row.dataset.clock }));
    states.set(now(), { layout: $("#replay-layout").innerHTML, lines: $("#replay-lines").innerHTML });
    wanted = now();
    $("#replay-play").hidden = $("#replay-paces").hidden = false;
    follow();
    ahead();
  }

  async function load(from) { // ask for the states from this step on that are not known yet
    const here = root, most = Number(root.dataset.most);
    if (loading.has(from)) return loading.get(from);
    const address = `${root.dataset.address}?step=${from}&states=${most}&view=${encodeURIComponent(root.dataset.view)}`;
    const asked = fetch(address, { headers: { "HX-Request": "true" } }).then(async (answer) => {
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (here !== root) return;
      for (const state of page.querySelectorAll("[data-state]")) {
        const part = (name) => $(`[data-part=${name}]`, state).innerHTML;
        states.set(Number(state.dataset.state), { layout: part("layout"), lines: part("lines") });
      }
    }).finally(() => { if (here === root) loading.delete(from); });
    loading.set(from, asked);
    return asked;
  }
  function ahead() { // have the next steps ready before they are asked for
    const next = now() + 1, far = Math.min(count(), now() + 8);
    const missing = [...Array(Math.max(0, far - next + 1)).keys()].map((each) => next + each).find((step) => !states.has(step));
    if (missing && !loading.size) load(missing).catch(() => {});
  }

  async function go(step) {
    const here = root;
    wanted = Math.min(count(), Math.max(1, step));
    const to = wanted;
    if (!states.has(to)) {
      try { await load(to < now() ? Math.max(1, to - Number(root.dataset.most) + 1) : to); } catch { location.assign(`${root.dataset.address}?step=${to}`); return; }
    }
    if (here === root && wanted === to) show(to);
  }
  function show(step) {
    const state = states.get(step), before = items[now() - 1].row;
    if (!state) return;
    const from = $("#replay-layout .felt"), top = from.scrollTop, isFocused = document.activeElement === from;
    $("#replay-layout").innerHTML = state.layout;
    $("#replay-lines").innerHTML = state.lines;
    $("#replay-layout .felt").scrollTop = top; // the layout is new at each step and stays where it was scrolled to
    if (isFocused) $("#replay-layout .felt").focus({ preventScroll: true });
    root.dataset.step = step;
    $("a", before).removeAttribute("aria-current");
    $("a", items[step - 1].row).setAttribute("aria-current", "step");
    items.forEach(({ row }, place) => row.classList.toggle("later", place + 1 > step));
    $("#replay-step").textContent = step;
    $("#replay-clock").textContent = items[step - 1].clock;
    $("#replay-log")?.setAttribute("href", $("#replay-log").getAttribute("href").replace(/\d+$/, step)); // an entry is about the time of this step
    $("#replay-before").href = `${root.dataset.address}?step=${Math.max(1, step - 1)}`;
    $("#replay-after").href = `${root.dataset.address}?step=${Math.min(count(), step + 1)}`;
    place(items[step - 1].x);
    follow();
    ahead();
    tell();
    if (!playing) { say(); keep(); }
  }
  function tell() { // a recording that is open beside the hand goes to the same time (video.js)
    const at = new Date(Date.parse(root.dataset.begins) + items[now() - 1].offset).toISOString();
    document.dispatchEvent(new CustomEvent("catwalk:step", { detail: { at, playing: Boolean(playing), speed: pace() } }));
  }
  function say() { // for screen readers; while playing, one announcement would cut the other off
    const words = $(".what", items[now() - 1].row).textContent.replace(/\s+/g, " ").trim();
    $("#replay-says").textContent = `Fact ${now()} of ${count()}: ${words}`;
  }
  function keep() { // each step has an address; the way back leads to the page before the replay
    if (location.pathname === root.dataset.address) history.replaceState(history.state, "", `${root.dataset.address}?step=${now()}`);
  }
  function place(x) {
    $("#scrub-now").setAttribute("x", x);
    $("#scrub-past").setAttribute("x2", x);
  }
  function follow() { // the fact of this step stays in sight in its list
    const list = $("#replay-facts"), { offsetTop: top, offsetHeight: height } = items[now() - 1].row;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
  }

  const pace = () => Number($("#replay-paces :checked")?.value || 1);
  function play() {
    if (now() === count()) { go(1).then(play); return; }
    const button = $("#replay-play");
    button.setAttribute("aria-pressed", "true");
    playing = { clock: offset(now()), at: performance.now() };
    requestAnimationFrame(tick);
  }
  function stop() {
    if (!playing) return;
    playing = null;
    if (!root?.isConnected) return;
    $("#replay-play").setAttribute("aria-pressed", "false");
    place(items[now() - 1].x);
    tell();
    say();
    keep();
  }
  function tick(at) {
    if (!playing) return;
    if (!root.isConnected) { stop(); return; }
    const next = now() + 1, isReady = states.has(next);
    if (isReady || playing.clock < offset(next)) playing.clock += Math.min(PAUSE, Math.max(0, at - playing.at)) * pace();
    playing.at = at;
    if (playing.clock >= offset(next)) {
      if (isReady) { wanted = next; show(next); } else { playing.clock = offset(next); if (!loading.size) load(next).catch(stop); }
      if (now() === count()) { stop(); return; }
    } else {
      between(next);
    }
    requestAnimationFrame(tick);
  }
  function between(next) { // the knob moves with the clock from fact to fact
    if (isCalm.matches) return;
    const begins = offset(next - 1), share = (playing.clock - begins) / Math.max(1, offset(next) - begins);
    const [from, to] = [items[next - 2].x, items[next - 1].x].map(parseFloat);
    place(`${from + (to - from) * share}%`);
  }

  function nearest(event) { // the step at this place of the scrub bar
    const bar = $("#scrub").getBoundingClientRect(), at = ((event.clientX - bar.left) / bar.width) * 100;
    const away = items.map(({ x }) => Math.abs(parseFloat(x) - at));
    return away.indexOf(Math.min(...away)) + 1;
  }
  const KEYS = {
    ArrowLeft: () => go(wanted - 1), ArrowRight: () => go(wanted + 1), Home: () => go(1), End: () => go(count()),
    " ": () => (playing ? stop() : play()),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing || $("dialog[open]")) return;
    const at = event.target;
    if (at.matches("input, select, textarea")) return;
    if (event.key === "p") { const link = $('[data-key="p"]'); if (link) { event.preventDefault(); link.click(); } return; }
    if (!root?.isConnected || !KEYS[event.key]) return;
    if (event.key === " " && at.matches("button, summary")) return; // it presses what has the focus
    const wide = at.closest(".scroll");
    if (wide && event.key.startsWith("Arrow") && wide.scrollWidth > wide.clientWidth) return; // it scrolls the table
    event.preventDefault();
    if (event.key !== " ") stop();
    KEYS[event.key]();
  });
  document.addEventListener("click", (event) => {
    if (!root?.isConnected || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest("#replay-facts a, #scrub a, .steps a");
    if (event.detail && event.target.closest(".paces input")) $("#hand").focus({ preventScroll: true }); // the arrow keys step again
    if (event.target.closest("#replay-play")) { playing ? stop() : play(); return; }
    if (!link) return;
    event.preventDefault();
    stop();
    go(Number(new URLSearchParams((link.getAttribute("href") || "").split("?")[1]).get("step")));
  });
  for (const kind of ["pointerdown", "pointermove"]) {
    document.addEventListener(kind, (event) => {
      const bar = root?.isConnected && event.target.closest?.("#scrub");
      if (!bar || event.target.closest("#scrub a") || !(event.buttons & 1)) return;
      stop();
      go(nearest(event));
    });
  }
  document.addEventListener("htmx:afterSwap", (event) => { if (event.target.id === "hand") begin(); });
  document.addEventListener("DOMContentLoaded", begin);
  if (document.readyState !== "loading") begin();
})();
