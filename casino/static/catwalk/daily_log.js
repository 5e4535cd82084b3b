// The daily log from any page: L opens the form for an entry in a dialog, about what the page shows.
"use strict";
(() => {
  const $ = (what, inside = document) => inside.querySelector(what);

  function address() { // about the hand that is open, else about what the page is about
    return ($("#hand [data-log-write]") || $("main [data-log-write]"))?.getAttribute("href") || $("#log-dialog").dataset.address;
  }
  function open(from) {
    const dialog = $("#log-dialog");
    if (!dialog || dialog.open) return;
    htmx.ajax("GET", from, { target: "#log-dialog", swap: "innerHTML" }).then(() => {
      if (!$("#log-form", dialog)) return;
      if (!dialog.open) dialog.showModal();
      focus(dialog);
    });
  }
  function focus(dialog) { // the field with the error, or the first one
    const form = $("#log-form", dialog), name = form?.dataset.errorField;
    const wrong = name && $(`[name="${name}"]`, form);
    if (wrong) { wrong.setAttribute("aria-invalid", "true"); wrong.setAttribute("aria-describedby", "refused"); }
    (wrong || $(".refused", dialog) || $("select, .log-done [data-close]", dialog))?.focus();
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || $("dialog[open]")) return;
    if (event.target.matches("input, select, textarea") || event.key.toLowerCase() !== "l" || !$("#log-dialog")) return;
    event.preventDefault();
    open(address());
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-log-write]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !$("#log-dialog")) return;
    event.preventDefault();
    open(link.getAttribute("href"));
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const dialog = event.target.closest?.("#log-dialog");
    if (!dialog?.open) return;
    if ($("#log-form", dialog)?.dataset.errorField || !dialog.contains(document.activeElement)) focus(dialog); // else somebody types already
  });
})();
