// The palette: Ctrl+K opens it, arrows choose, Enter opens what is chosen.
"use strict";
(() => {
  const palette = () => document.getElementById("palette"), found = () => [...document.querySelectorAll("#found a")];
  const chosen = () => document.querySelector("#found .chosen");
  function choose(link) {
    chosen()?.classList.remove("chosen");
    link?.classList.add("chosen");
    link?.scrollIntoView({ block: "nearest" });
  }
  function step(by) {
    const all = found(), at = all.indexOf(chosen());
    choose(all[Math.min(all.length - 1, Math.max(0, at + by))]);
  }
  function open() {
    const dialog = palette();
    if (!dialog || dialog.open) return;
    document.getElementById("more-pages")?.hidePopover?.();
    dialog.showModal();
    const field = document.getElementById("jump");
    field.select();
    htmx.trigger(field, "palette-opened");
  }
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") { event.preventDefault(); open(); return; }
    if (!event.target.matches?.("#jump")) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); step(event.key === "ArrowDown" ? 1 : -1); }
    if (event.key === "Enter" && chosen()) { event.preventDefault(); chosen().click(); }
    if (event.key === "Escape") { event.preventDefault(); palette().close(); }
  });
  document.addEventListener("catwalk:find", open);
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-find]") && palette()) { event.preventDefault(); open(); }
    else if (event.target === palette()) palette().close(); // beside the palette
  });
})();
