// Keys of the search over all hands: arrows choose a completion, Tab or Enter takes it. Its table is worked like the queue.
"use strict";
(() => {
  const field = document.getElementById("typed"), box = document.getElementById("choices");
  if (!field || !box) return;
  const options = () => [...box.querySelectorAll("[role=option]")];
  const chosen = () => box.querySelector("[aria-selected=true]");

  function show(open) {
    box.hidden = !open || options().length === 0;
    field.setAttribute("aria-expanded", String(!box.hidden));
    if (box.hidden) field.removeAttribute("aria-activedescendant");
  }
  function choose(option) {
    chosen()?.setAttribute("aria-selected", "false");
    if (!option) return;
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", option.id);
  }
  function take(option) {
    if (option.dataset.href) { go(option.dataset.href); return; }
    fill(option.dataset.fill);
  }
  const BACK = "catwalk-search-field"; // set while a page is loaded whose field takes the focus again
  function go(address) { sessionStorage.setItem(BACK, "yes"); location.assign(address); }
  field.form.addEventListener("submit", () => sessionStorage.setItem(BACK, "yes"));
  if (sessionStorage.getItem(BACK)) {
    sessionStorage.removeItem(BACK);
    field.focus(); // before htmx listens, so that the choices open only when something is typed
  }
  function fill(text) {
    field.value = text;
    field.focus();
    htmx.trigger(field, "input");
  }
  box.addEventListener("htmx:afterSwap", () => {
    show(document.activeElement === field);
    if (field.value.trim()) choose(options()[0]);
  });
  field.addEventListener("blur", () => setTimeout(() => show(false), 150)); // a click on a choice comes first
  field.addEventListener("keydown", (event) => {
    const all = options(), at = all.indexOf(chosen());
    if (event.key === "Escape" && !box.hidden) { event.preventDefault(); show(false); return; }
    if (event.key === "Backspace" && !field.value) { const last = [...document.querySelectorAll(".ask-box .filter-chip a")].pop(); if (last) go(last.href); return; }
    if (box.hidden) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(all[(at + (event.key === "ArrowDown" ? 1 : all.length - (at < 0 ? 0 : 1))) % all.length]);
    } else if ((event.key === "Enter" || event.key === "Tab") && at >= 0 && field.value.trim()) {
      event.preventDefault();
      take(all[at]);
    }
  });
  box.addEventListener("mousedown", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) { event.preventDefault(); take(option); }
  });
  // -- the table of hands: its rows are those of the queue (queue.js), and an open hand lies next to them --
  const hand = document.getElementById("hand"), opened = () => hand.childElementCount > 0;
  let asks = null; // what asked for the hand that is on its way
  document.addEventListener("htmx:beforeRequest", (event) => { if (event.detail.target === hand) asks = event.detail.elt; });
  function close() {
    if (asks) htmx.trigger(asks, "htmx:abort");
    hand.replaceChildren();
    document.title = title;
    catwalk.mark();
    catwalk.select(catwalk.selected());
  }
  const title = document.title;
  const judged = new Map(); // each row that was judged on this page, with its class and its state before
  document.addEventListener("keydown", (event) => { // / types a filter, P replays the selected hand, Escape leads back to the table
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=radio], [type=checkbox]), select, textarea, dialog[open]")) return;
    const row = catwalk.selected();
    if (event.key === "/") field.focus();
    else if (event.key === "p" && !opened() && row) htmx.ajax("GET", row.dataset.replay, { target: "#hand", swap: "innerHTML" });
    else if (event.key === "Escape" && opened() && !document.querySelector("#rows .pick input:checked")) close();
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => { if (event.target.closest("[data-close-hand]")) close(); });
  for (const [name, rows] of [["verdict-given", () => [document.querySelector("#rows [aria-current]")]], ["verdicts-given", () => [...document.querySelectorAll("#rows .hand-item:has(.pick :checked) .hand-row[data-graded]")]]]) {
    document.addEventListener(name, () => rows().filter(Boolean).forEach((row) => { // the table is not asked for again
      const state = row.closest("tr").querySelector(".verdict-state");
      if (!judged.has(row)) judged.set(row, [row.className, state.textContent]);
      dress(row, "hand-row state-decided", "judged now");
    }));
  }
  function dress(row, classes, says) {
    const selected = row.classList.contains("selected");
    row.className = classes;
    row.classList.toggle("selected", selected);
    row.closest("tr").querySelector(".verdict-state").textContent = says;
  }
  document.addEventListener("verdict-undone", (event) => { // the event names the hands whose verdicts are withdrawn
    for (const [row, [classes, says]] of judged) if (event.detail.hands.includes(row.getAttribute("href"))) { dress(row, classes, says); judged.delete(row); }
  });
  for (const link of document.querySelectorAll(".adds [data-fill]")) {
    link.addEventListener("click", (event) => { event.preventDefault(); fill(link.dataset.fill); });
  }
})();
