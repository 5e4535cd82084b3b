// The queue without a mouse: selection, keys, and news put in place without losing one's own.
"use strict";
(() => {
  const $ = (what, inside = document) => inside.querySelector(what);
  const rows = () => [...document.querySelectorAll("#rows .hand-row, #board th > a")];
  const selected = () => $("#rows .selected") || $("#board th > a:focus"); // a board is replaced every few seconds, so the focus marks the place
  let went = ""; // the key before, after g

  function select(row, focus = true) {
    if (!row) return;
    selected()?.classList.remove("selected");
    row.classList.add("selected");
    row.classList.remove("new");
    if (focus) row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    tell();
  }
  function step(by) {
    const all = rows(), at = all.indexOf(selected());
    select(all[Math.min(all.length - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by))]);
  }
  function tell() { // how many new rows nobody has come to yet
    const pill = $("#news-pill"), fresh = document.querySelectorAll("#rows .new").length;
    if (!pill) return;
    pill.hidden = fresh === 0;
    pill.textContent = `${fresh} new`;
  }

  function place(row) { // a row that has come or changed goes where the order puts it
    const box = $("#rows"), known = rows().find((each) => each.dataset.key === row.dataset.key);
    const item = row.closest(".hand-item") || row; // the row with the box that chooses it
    if (known) { // what one works on stays where it is, only its words change
      known.innerHTML = row.innerHTML;
      known.dataset.owner = row.dataset.owner || "";
      known.toggleAttribute("data-snoozed", row.hasAttribute("data-snoozed"));
      for (const name of [...known.classList]) if (/^(state|grade)-/.test(name)) known.classList.remove(name);
      known.classList.add(...[...row.classList].filter((name) => /^(state|grade)-/.test(name)));
      item.remove();
    } else if (row.hasAttribute("data-gone")) {
      item.remove();
    } else {
      const next = rows().find((each) => each.dataset.place > row.dataset.place), behind = next?.closest(".hand-item") || next || $("#rows .more");
      row.classList.add("new");
      if (behind || !$("#rows .more")) box.insertBefore(item, behind || null);
      $("#none")?.remove();
    }
  }
  function inSight(row, box) {
    const at = row.getBoundingClientRect(), view = box.getBoundingClientRect();
    return at.bottom > view.top && at.top < view.bottom;
  }
  function takeNews() {
    const news = $("#news"), box = $("#rows");
    if (!box) return; // a search that found nothing has no rows
    const anchor = [selected(), ...rows()].find((each) => each && inSight(each, box)), before = anchor?.getBoundingClientRect().top;
    for (const row of news.querySelectorAll(".hand-row")) place(row);
    if (anchor) box.scrollTop += anchor.getBoundingClientRect().top - before; // what one looks at does not move
    const count = $("[data-count]", news);
    if (count && $("#count")) $("#count").textContent = count.dataset.count;
    if ($("[data-too-many]", news) && $("#live")) { $("#live").textContent = "Many changes: reload the page"; }
    htmx.process($("#rows"));
    mark();
    tell();
  }
  function openHand() { return $("#hand [data-row]")?.dataset.row || location.pathname; }
  function mark() { // the row whose hand is open
    const open = openHand();
    for (const row of rows()) {
      if (row.getAttribute("href") === open) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
    }
  }

  function flag() {
    if (!$("#flag") || $("#rows .htmx-request")) return;
    $("#flag").showModal();
    $("#flag [name=why]").focus();
  }
  function focusError(form) { // a rejected form comes back: focus the field with the error, and announce why
    const said = $(".refused", form), field = { findings: "finding" }[form.dataset.errorField] || form.dataset.errorField;
    if (!said) return;
    const fields = field ? [...form.querySelectorAll(`[name="${field}"]`)] : [], at = fields.find((each) => each.offsetParent) || fields[0] || said;
    if (at !== said) { at.setAttribute("aria-invalid", "true"); at.setAttribute("aria-describedby", said.id); }
    at.focus();
    if (at.select) at.select();
  }
  const KEYS = {
    j: () => step(1), k: () => step(-1), n: () => select($("#rows .new")),
    "/": () => $("#filters select, #filters input")?.focus(), ".": () => document.dispatchEvent(new CustomEvent("catwalk:find")), "?": () => { const help = $("#help"); help?.showModal(); help?.scrollTo(0, 0); },
    f: flag,
    "[": () => $('[data-key="["]')?.click(), "]": () => $('[data-key="]"]')?.click(),
    Enter: () => selected()?.click(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || $("dialog[open]")) return;
    const at = event.target;
    if (at.matches("select, textarea, input:not([type=radio], [type=checkbox])")) { if (event.key === "Escape") { at.blur(); (selected() || $("#main")).focus(); } return; }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (went === "g") { went = ""; const page = $(`[data-go="${key}"]`); if (page) { event.preventDefault(); page.click(); } return; }
    went = key;
    if (key === "Enter" && at.matches("a, button, summary, input")) return; // it opens what has the focus
    if (KEYS[key]) { event.preventDefault(); KEYS[key](); }
  });
  document.addEventListener("keydown", (event) => { // Ctrl+Enter sends the form of a dialog, and each form that says so
    if (!(event.ctrlKey || event.metaKey) || event.key !== "Enter" || event.isComposing) return;
    const form = $("dialog[open] form[method=post]") || event.target.closest("form[data-ctrl-enter]"), button = form && $("button.primary", form);
    if (!button) return;
    event.preventDefault();
    if (!button.disabled && !event.repeat) form.requestSubmit(button);
  });
  document.addEventListener("click", (event) => {
    const row = event.target.closest("#rows .hand-row");
    if (row) select(row, false);
    if (event.target.closest("[data-flag]")) flag();
    if (event.target.closest("[data-close]")) event.target.closest("dialog").close();
    if (event.target.closest("#news-pill")) select($("#rows .new"));
  });
  document.addEventListener("change", (event) => {
    if (event.target.closest(".filters")) event.target.form.requestSubmit();
  });

  document.addEventListener("htmx:afterSwap", (event) => { // a form is htmx's before a key can send it: the browser would leave the place in the list
    if (event.target.id === "news") takeNews();
    if (event.target.id === "hand") { htmx.process(event.target); event.target.scrollTop = 0; document.title = `${$("#hand .hand")?.dataset.title || "Hand"} · Catwalk`; mark(); }
  });
  document.addEventListener("htmx:pushedIntoHistory", mark);
  document.addEventListener("htmx:afterSettle", (event) => { // the hand takes the focus, so that keys scroll it; after a verdict, the row
    if (event.target.id === "hand") ($("#hand .given") && selected() || $("#hand")).focus({ preventScroll: true });
    if (event.target.matches("#verdict-form, #flag-form")) focusError(event.target);
  });
  document.addEventListener("htmx:beforeSwap", (event) => { // what went wrong is said where the hand would stand
    if (event.detail.isError && event.detail.target.id === "hand") { event.detail.shouldSwap = true; event.detail.selectOverride = "#main > .page"; }
  });
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.elt.id !== "news") $("#hand")?.focus();
    if (event.detail.xhr.status === 403 && event.detail.requestConfig.verb !== "get") location.reload();
  });
  for (const [name, live] of [["htmx:sendError", false], ["htmx:afterOnLoad", true]]) {
    document.addEventListener(name, () => { const sign = $("#live"); if (sign && sign.classList.contains("lost") === live) { sign.classList.toggle("lost", !live); sign.textContent = live ? "live" : "no connection"; } });
  }
  function keepFocus() { // a key must not go to nowhere: the hand that is open takes the focus, else the list
    const at = document.activeElement; // for a moment this is still the field of the closed dialog
    if (at && at !== document.body && !at.closest("dialog:not([open])")) return;
    (($("#hand > .hand") && $("#hand")) || selected() || $("#main"))?.focus({ preventScroll: true });
  }
  document.addEventListener("close", (event) => { if (event.target.matches("dialog")) keepFocus(); }, true);
  document.addEventListener("htmx:afterSettle", (event) => { // the section of recordings is new after each of its forms
    if (event.target.id !== "recordings" || $("dialog[open]")) return;
    const form = $("form:has(.refused)", event.target), done = $(".done", event.target);
    if (form) focusError(form); else if (done) done.focus(); else keepFocus();
  });
  function add(table) { // pieces by denomination: what each line and all of them are worth, in whole minor units
    const total = $("[data-total]", table), digits = Number(total.dataset.digits);
    const money = (minor) => { const text = String(minor).padStart(digits + 1, "0"), whole = text.slice(0, text.length - digits); return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${digits ? `.${text.slice(-digits)}` : ""}`; };
    let sum = 0n;
    for (const field of table.querySelectorAll("[data-worth]")) {
      const typed = field.value.trim(), worth = /^(\d{1,3}(,\d{3}){1,4}|\d{1,14})$/.test(typed) ? BigInt(typed.replace(/,/g, "")) * BigInt(field.dataset.worth) : 0n;
      $("[data-line]", field.closest("tr")).textContent = worth ? money(worth) : "";
      sum += worth;
    }
    total.textContent = money(sum);
  }
  function showPage(list) { // the entry of the page in the navigation; scrollIntoView would let Tab begin there, and not at the skip link
    const entry = $("[aria-current]", list)?.getBoundingClientRect(), part = list.getBoundingClientRect();
    if (entry) list.scrollTop += Math.ceil(Math.max(entry.bottom - part.bottom, 0)) + Math.floor(Math.min(entry.top - part.top, 0));
  }
  const pages = $(".rail > .all");
  if (pages) new ResizeObserver(() => { if (!pages.matches(":hover")) showPage(pages); }).observe(pages);
  document.addEventListener("toggle", (event) => { if (event.target.id === "more-pages" && event.newState === "open") showPage(event.target); }, true);
  window.catwalk = { rows, selected, select, step, tell, mark, openHand }; // for the pages that have scripts of their own
  document.addEventListener("input", (event) => { const table = event.target.closest("[data-pieces]"); if (table) add(table); });
  document.addEventListener("DOMContentLoaded", () => { document.querySelectorAll("[data-pieces]").forEach(add); document.querySelectorAll(".deskform").forEach(focusError); mark(); select($("#rows [aria-current]") || $("#rows .hand-row"), false); });
})();
