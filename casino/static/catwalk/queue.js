// The queue at speed: choosing rows, one verdict bar for one hand or many, owners, snoozes, and taking back.
"use strict";
(() => {
  const $ = (what, inside = document) => inside.querySelector(what);
  const all = (what, inside = document) => [...inside.querySelectorAll(what)];
  const form = () => $("#verdict-form"), busy = () => loading || form()?.dataset.sent;
  let loading = false; // a hand or an answer is on its way
  let last = null; // the row that was chosen last, from which a range begins

  // -- choosing rows ------------------------------------------------------------------------------
  const box = (row) => $("input", row.closest(".hand-item"));
  const chosen = () => all("#rows .pick input:checked").map((each) => $(".hand-row", each.closest(".hand-item")));
  function choose(row, on = !box(row)?.checked) {
    const tick = row && box(row);
    if (!tick) return;
    tick.checked = on;
    last = row;
    count();
  }
  function range(row) { // all rows from the one chosen last to this one
    const rows = catwalk.rows(), [from, to] = [rows.indexOf(last?.isConnected ? last : row), rows.indexOf(row)].sort((a, b) => a - b);
    for (const each of rows.slice(from, to + 1)) choose(each, true);
  }
  function clear() { for (const each of chosen()) choose(each, false); }
  function count() {
    const bar = $("#chosen-form"), rows = chosen();
    if (!bar) return;
    bar.hidden = rows.length === 0;
    $("#chosen-count").textContent = rows.length;
    $("[data-take-chosen] span").textContent = takeLabel(rows);
  }
  function opened() { // the open hand: its row in the list, or what its verdict bar says of it
    const row = $("#rows [aria-current]"), value = (field) => $(`[name=${field}]`, form())?.value;
    if (row?.dataset.hand) return row;
    if (!form() || !value("stream")) return null;
    return { dataset: { hand: `${value("stream")}|${value("hand")}`, owner: $("[data-take]")?.dataset.take || "" }, title: $("#hand .hand").dataset.title };
  }
  function targets() { // what a key is about: the chosen rows, or the open hand, or the selected row
    const rows = chosen(), row = $("#hand [data-row]") ? opened() : catwalk.selected();
    return rows.length ? rows : row?.dataset.hand ? [row] : [];
  }
  function name(rows, into) { // the hands of a form, each with the owner that is shown
    const hands = $("[data-hands]", into), about = $("[data-about]", into);
    hands.replaceChildren(...rows.flatMap((row) => [["hand", row.dataset.hand], ["owner", row.dataset.owner]].map(([field, value]) => {
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name: field, value: value || "" });
      return input;
    })));
    if (about) about.textContent = rows.length === 1 ? rows[0].title || $("b", rows[0]).textContent + " " + $(".line span", rows[0]).textContent : `${rows.length} hands`;
  }
  function leaveOut() { // of the chosen hands, only those with the same codes stay chosen
    const kept = all("#leave-out-form [name=hand]").map((each) => each.value);
    for (const row of chosen()) if (!kept.includes(row.dataset.hand)) choose(row, false);
  }
  function together() { const rows = chosen(); if (!rows.length) return; name(rows, $("#chosen-form")); $("#chosen-form").requestSubmit(); }

  // -- owners and snoozes -------------------------------------------------------------------------
  const me = () => $("#take-form")?.dataset.me;
  const isFree = (row) => ["", me()].includes(row.dataset.owner || "");
  function takeLabel(rows) { // what A does with these hands
    const free = rows.filter(isFree);
    return rows.length && !free.length ? "Assign" : free.length && free.every((row) => row.dataset.owner === me()) ? "Release" : "Take";
  }
  function take(rows) {
    const send = $("#take-form");
    if (!send || !rows.length) return;
    if (takeLabel(rows) === "Assign") return ask("#assign", rows); // somebody else's: never with one key
    const free = rows.filter(isFree);
    $("[name=to]", send).value = takeLabel(rows) === "Release" ? "" : "me";
    name(free, send);
    send.requestSubmit();
  }
  function ask(what, rows) {
    const dialog = $(what);
    if (!dialog || !rows.length) return;
    name(rows, dialog);
    dialog.showModal();
    $("select", dialog).focus();
  }

  // -- the verdict bar ----------------------------------------------------------------------------
  const verdict = () => $("[name=verdict]:checked", form() || document)?.value || "";
  function decide(value) {
    if (chosen().length && !form()?.hasAttribute("data-many")) { wanted = value; return together(); }
    if (!form() || busy()) return; // another hand is on its way: a key never judges the one that it replaces
    $(`[name=verdict][value=${value}]`, form()).checked = true;
    show(true);
  }
  let wanted = ""; // the verdict that a key asked for before the chosen hands were there
  function show(again) { // the dispositions of the verdict, and what follows from the money's sign
    const bar = form(), value = verdict();
    if (!bar) return;
    $("#bar-more").hidden = !value;
    bar.classList.toggle("open", Boolean(value));
    for (const label of all("[data-of]", bar)) {
      label.hidden = label.dataset.of !== value;
      if (label.hidden) $("input", label).checked = false;
    }
    if (value) suggest(value, again);
  }
  function suggest(value, again) { // what an officer chose or typed stays
    const bar = form(), { lost, loss } = money(), losses = $("[name=losses]", bar);
    const reasons = all(`[data-of="${value}"] input`, bar), now = reasons.find((each) => each.checked);
    if (again || !now || now.value === bar.dataset.filled) {
      const follows = reasons.find((each) => lost && each.dataset.lost === lost);
      for (const each of reasons) each.checked = each === follows;
      bar.dataset.filled = follows?.value || "";
    }
    if (losses) {
      const digits = Number(losses.dataset.digits), written = Number.isInteger(loss) && loss ? (loss / 10 ** digits).toFixed(digits) : "";
      if (["", losses.dataset.filled, written].includes(losses.value)) losses.value = losses.dataset.filled = value === "confirmed" ? written : "";
    }
    describe();
  }
  function describe() { // what the money filled in; nothing once the officer has chosen, or if an error says what to do
    const bar = form(), reason = $(`[data-of="${verdict()}"] input:checked`, bar), losses = $("[name=losses]", bar), filled = [];
    if (reason && reason.value === bar.dataset.filled) filled.push(reason.parentElement.textContent.replace(/^\s*\d\s*/, "").trim().toLowerCase());
    if (losses?.value && losses.value === losses.dataset.filled) filled.push(`losses ${losses.value}`);
    $("#bar-filled").textContent = filled.length ? `Filled in from the money: ${filled.join(", ")}. Nothing else is filled in.` : reason || $(".refused", bar) ? "" : "Nothing is filled in.";
  }
  function money() { // who lost by the chosen findings, if all of them agree, and what the casino lost, in minor units
    const each = all("[name=finding][data-money]:checked, span[data-money]", form()).map(({ dataset }) => {
      const [whole, parts = 1] = dataset.money.split("/");
      return whole / parts;
    });
    const sum = (sign) => each.reduce((total, one) => total + Math.max(0, sign * one), 0), loss = sum(1), gain = sum(-1);
    return { lost: loss > 0 && gain === 0 ? "house" : gain > 0 && loss === 0 ? "player" : "", loss };
  }
  function reason(number, at_once) {
    const pick = verdict() && $(`[data-of="${verdict()}"] [data-number="${number}"]`, form());
    if (!pick) return;
    pick.checked = true;
    describe();
    if (at_once) send();
  }
  function send() {
    if (form() && verdict() && !busy()) form().requestSubmit();
    else if (form() && !verdict()) $("#bar-filled").closest("form").querySelector("[name=verdict]").focus();
  }
  function next() { // the next hand that needs a verdict and that nobody else looks after
    const rows = catwalk.rows(), here = rows.findIndex((row) => row.hasAttribute("aria-current")), more = $("#rows .more");
    const free = (row) => !row.classList.contains("state-decided") && !row.hasAttribute("data-snoozed") && ["", me()].includes(row.dataset.owner || "") && !row.hasAttribute("aria-current");
    const row = rows.slice(here + 1).find(free);
    if (here < 0 || (!row && !more && !rows.some(free))) return htmx.ajax("GET", catwalk.openHand(), { target: "#hand", swap: "innerHTML" });
    if (!row && more) { // the list goes on: its next page first
      document.addEventListener("htmx:afterSettle", () => next(), { once: true });
      return more.click();
    }
    const to = row || rows.find(free);
    catwalk.select(to);
    to.click();
  }

  function back() { // on a narrow screen, from the open hand to the list, with its filters and its selected row
    $("#hand").replaceChildren();
    history.pushState({ htmx: true }, "", `${$("#filters").getAttribute("action")}?${new URLSearchParams(new FormData($("#filters")))}`);
    document.title = "Queue · Catwalk";
    catwalk.mark();
    catwalk.select(catwalk.selected());
  }

  const letters = { c: () => decide("confirmed"), d: () => decide("dismissed"), e: () => decide("escalated"), a: () => take(targets()), s: () => ask("#snooze", targets()), r: () => { if (!busy()) $("#hand [data-correct]")?.click(); }, u: () => { const undo = all("#undo-form").pop(); if (undo && !busy()) undo.requestSubmit(); }, x: () => choose(catwalk.selected()), o: () => { if (!busy()) $("#leave-out-form")?.requestSubmit(); } };
  const shifted = { A: () => ask("#assign", targets()), X: () => { const row = catwalk.selected(); if (row) range(row); }, "*": () => catwalk.rows().forEach((row) => choose(row, true)) };
  let went = false; // g was pressed: the next key names a page
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || $("dialog[open]")) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") { event.preventDefault(); return send(); }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("select, textarea, input:not([type=radio], [type=checkbox])")) return;
    const after_g = went;
    went = event.key === "g";
    if (after_g) return;
    if (event.key === "Escape" && chosen().length) return clear();
    if (event.key === "Escape" && $("[data-back-to-queue]")?.offsetParent && $("#filters")) return back();
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    if (digit && verdict() && event.key !== "*") { event.preventDefault(); return reason(digit, event.shiftKey); }
    if (event.key === "Enter" && chosen().length && !event.target.matches("button, summary, input")) { event.preventDefault(); event.stopImmediatePropagation(); return together(); }
    const act = shifted[event.key] || (!event.shiftKey && letters[event.key.toLowerCase()]);
    if (act && (event.key !== "*" || !verdict())) { event.preventDefault(); act(); }
  }, true);
  document.addEventListener("click", (event) => {
    const at = (what) => event.target.closest(what);
    if (at(".pick")) { last = $(".hand-row", at(".hand-item")); count(); }
    if (at("[data-take]")) take([opened()].filter(Boolean));
    if (at("[data-take-chosen]")) take(chosen());
    if (at("[data-to-case]")) { name(chosen(), $("#case-form")); $("#case-form").submit(); }
    if (at("[data-back-to-queue]") && $("#filters")) { event.preventDefault(); back(); }
    if (at("[data-clear]")) clear();
    if (at("[data-all]")) catwalk.rows().forEach((row) => choose(row, true));
    if (at("[data-assign]")) ask("#assign", targets());
    if (at("[data-snooze]")) ask("#snooze", targets());
  });
  document.addEventListener("submit", (event) => {
    if (event.target.id === "chosen-form") name(chosen(), event.target);
    if (event.target.id === "leave-out-form") leaveOut();
  }, true);
  document.addEventListener("change", (event) => {
    if (event.target.matches("#verdict-form [name=verdict]")) show(true);
    if (event.target.matches("#verdict-form [name=finding]")) suggest(verdict(), false);
    if (event.target.matches("#verdict-form :is([name=disposition], [name=losses])")) describe();
  });
  document.addEventListener("htmx:beforeRequest", (event) => { if (event.detail.target?.id === "hand") loading = true; });
  for (const name of ["htmx:afterRequest", "htmx:sendError"]) document.addEventListener(name, (event) => { if (event.detail.target?.id !== "news" && event.detail.elt?.id !== "news") loading = false; });
  document.addEventListener("htmx:afterSwap", (event) => {
    const at = event.target;
    if (at.id === "hand") loading = false;
    if (at.id === "news") { // who else is at the open hand, at once
      const company = $("[data-company]", at), here = $("#company");
      if (company && here && here.innerHTML !== company.innerHTML) here.innerHTML = company.innerHTML;
      const button = company && $("[data-take]");
      if (button) { button.dataset.take = company.dataset.owner; $("span", button).textContent = company.dataset.label; }
      count();
    }
    if (at.id === "hand" || at.id === "verdict-form") {
      show(false);
      if (wanted && form()?.hasAttribute("data-many")) decide(wanted);
      if (!$("#leave-out-form")) wanted = ""; // the hands that differ are left out first
    }
    if (at.id === "correct") at.showModal();
    if (at.id === "done") for (const dialog of all("#assign[open], #snooze[open]")) dialog.close();
  });
  document.addEventListener("htmx:beforeSwap", (event) => { // recorded: the form that was sent is not sent again
    if (event.target.id === "done" && event.detail.requestConfig?.path?.endsWith("/verdict/") && form()) form().dataset.sent = "yes";
  });
  document.addEventListener("verdict-given", () => next());
  document.addEventListener("verdicts-given", clear);
  document.addEventListener("verdict-undone", () => { // the hand opens again, and its row is selected
    const link = $("#done [data-reopen]");
    catwalk.select(catwalk.rows().find((row) => row.getAttribute("href") === link?.getAttribute("href")), false);
    link?.click();
  });
  document.addEventListener("queue-changed", clear);
  document.addEventListener("DOMContentLoaded", () => { show(false); count(); });
})();
