// The form of a schedule shows only the groupings of the chosen report. Without this script, all are shown, and the server
// refuses those that the report does not have.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const report = document.getElementById("id_report"), boxes = [...document.querySelectorAll("input[name=by]")];
  if (!report || boxes.length === 0) return;
  const row = boxes[0].closest(".form-row");

  function show() {
    for (const box of boxes) {
      box.disabled = !box.dataset.reports.split(" ").includes(report.value); // a disabled box is not sent
      box.closest("div").hidden = box.disabled;
    }
    row.hidden = boxes.every((box) => box.disabled);
  }
  report.addEventListener("change", show);
  show();
});
