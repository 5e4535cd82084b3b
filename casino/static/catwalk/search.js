// Keys of the search over all hands: arrows choose a completion, Tab or Enter takes it, J and K move through the hands.
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
    if (option.dataset.href) { location.assign(option.dataset.href); return; }
    fill(option.dataset.fill);
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
    if (event.key === "Backspace" && !field.value) { const last = [...document.querySelectorAll(".ask-box .chip a")].pop(); if (last) location.assign(last.href); return; }
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
  document.addEventListener("keydown", (event) => { // / types a filter, J and K move through the hands
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog[open]")) return;
    const links = [...document.querySelectorAll("#hands-found th a")], at = links.indexOf(document.activeElement);
    if (event.key === "/") field.focus();
    else if (event.key === "j") links[Math.min(links.length - 1, at + 1)]?.focus();
    else if (event.key === "k") links[Math.max(0, at - 1)]?.focus();
    else return;
    event.preventDefault();
  });
  for (const link of document.querySelectorAll(".adds [data-fill]")) {
    link.addEventListener("click", (event) => { event.preventDefault(); fill(link.dataset.fill); });
  }
})();
