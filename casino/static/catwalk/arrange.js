// The map of a pit as places between which tables are moved, with a mouse, a finger or the arrow keys. Every
// move is written into the lines of the form, which two people sign as if they had been typed.
"use strict";
(() => {
  const EMPTY = "-";
  const START = 5; // pixels that a pointer moves before it drags: less is a click

  class Arrangement {
    constructor(lines) {
      this.lines = lines;
      this.mostRows = Number(lines.dataset.mostRows);
      this.mostColumns = Number(lines.dataset.mostColumns);
      this.tables = JSON.parse(lines.dataset.tables);
      this.box = document.createElement("div");
      this.box.className = "arrange";
      this.news = document.createElement("p");
      this.news.className = "arrange-news";
      this.news.setAttribute("aria-live", "polite");
      const row = lines.closest(".form-row") || lines.parentElement;
      row.append(this.box, this.news);
      this.read();
      this.news.textContent = "Drag a table to its place, or select it and press the arrow keys. Delete takes it off the map.";
      lines.addEventListener("input", () => this.read());
    }

    read() { // the lines as they are typed
      this.rows = this.lines.value.split("\n").filter((line) => line.trim()).slice(0, this.mostRows).map((line) =>
        line.split(",").slice(0, this.mostColumns).map((code) => code.trim()).map((code) => (code === EMPTY ? "" : code)));
      this.draw();
    }

    write() {
      const rows = this.rows.map((row) => row.slice(0, row.findLastIndex(Boolean) + 1));
      const last = rows.findLastIndex((row) => row.length);
      this.rows = rows.slice(0, last + 1);
      this.lines.value = this.rows.map((row) => row.map((code) => code || EMPTY).join(", ") || EMPTY).join("\n");
      this.lines.dispatchEvent(new Event("change", { bubbles: true }));
    }

    columns() { // one free column and one free row more than are used, so that there is room to move to
      const used = Math.max(2, ...this.rows.map((row) => row.length));
      return Math.min(this.mostColumns, used + 1);
    }

    unplaced() {
      const placed = new Set(this.rows.flat());
      return this.tables.filter((code) => !placed.has(code));
    }

    draw() {
      const columns = this.columns(), count = Math.min(this.mostRows, this.rows.length + 1);
      const grid = document.createElement("div");
      grid.className = `arrange-map arrange-${columns}`;
      grid.setAttribute("role", "group");
      grid.setAttribute("aria-label", "Map of the pit");
      for (let row = 0; row < count; row++) {
        for (let column = 0; column < columns; column++) {
          grid.append(this.place(row, column, (this.rows[row] || [])[column] || ""));
        }
      }
      const off = document.createElement("div");
      off.className = "arrange-off";
      off.setAttribute("role", "group");
      off.setAttribute("aria-label", "Tables that are not on the map");
      const left = this.unplaced();
      off.append(left.length ? "Not on the map:" : "Every table of the pit is on the map.", ...left.map((code) => this.table(code)));
      this.box.replaceChildren(grid, off);
    }

    place(row, column, code) {
      const place = document.createElement("div");
      place.className = "arrange-place";
      place.dataset.row = row;
      place.dataset.column = column;
      if (code) place.append(this.table(code, row, column));
      return place;
    }

    table(code, row, column) {
      const table = document.createElement("button");
      table.type = "button";
      table.className = "arrange-table";
      table.dataset.code = code;
      table.textContent = code;
      table.setAttribute("aria-label", row === undefined ? `${code}, not on the map` : `${code}, ${this.words(row, column)}`);
      table.addEventListener("keydown", (event) => this.key(event, code));
      table.addEventListener("pointerdown", (event) => this.press(event, table));
      return table;
    }

    words(row, column) { return `row ${row + 1}, place ${column + 1}`; }

    at(code) {
      const row = this.rows.findIndex((places) => places.includes(code));
      return row < 0 ? null : { row, column: this.rows[row].indexOf(code) };
    }

    remove(code) { this.rows = this.rows.map((row) => row.map((other) => (other === code ? "" : other))); }

    move(code, row, column) { // a table at that place changes places with this one
      const from = this.at(code), other = (this.rows[row] || [])[column] || "";
      this.remove(code);
      while (this.rows.length <= row) this.rows.push([]);
      while (this.rows[row].length <= column) this.rows[row].push("");
      if (other && other !== code && from) this.rows[from.row][from.column] = other;
      this.rows[row][column] = code;
      this.done(code, `${code}: ${this.words(row, column)}${other && other !== code ? `, in place of ${other}` : ""}.`);
    }

    takeOff(code) {
      this.remove(code);
      this.done(code, `${code} is not on the map.`);
    }

    done(code, news) {
      this.write();
      this.draw();
      this.news.textContent = news;
      const table = this.box.querySelector(`[data-code="${CSS.escape(code)}"]`);
      if (table) table.focus();
    }

    key(event, code) {
      const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
      const step = steps[event.key], from = this.at(code);
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Delete" || event.key === "Backspace") {
        event.preventDefault();
        if (from) this.takeOff(code);
      } else if (step) {
        event.preventDefault();
        const row = from ? from.row + step[0] : Math.min(this.rows.length, this.mostRows - 1);
        const column = from ? from.column + step[1] : 0;
        const isInside = row >= 0 && row < this.mostRows && column >= 0 && column < this.mostColumns;
        if (isInside) this.move(code, row, column);
        else this.news.textContent = `${code}: the map ends here.`;
      }
    }

    press(event, table) {
      if (event.button) return;
      const code = table.dataset.code, start = { x: event.clientX, y: event.clientY };
      let over = null;
      const under = (moved) => {
        const parts = document.elementsFromPoint(moved.clientX, moved.clientY);
        return parts.find((part) => part.matches(".arrange-place, .arrange-off") && this.box.contains(part)) || null;
      };
      const follow = (moved) => {
        const x = moved.clientX - start.x, y = moved.clientY - start.y;
        if (!table.classList.contains("dragged") && Math.hypot(x, y) < START) return;
        table.classList.add("dragged");
        table.style.transform = `translate(${x}px, ${y}px)`;
        if (over) over.classList.remove("over");
        over = under(moved);
        if (over) over.classList.add("over");
      };
      const end = (last) => {
        for (const name of ["pointermove", "pointerup", "pointercancel"]) table.removeEventListener(name, name === "pointermove" ? follow : end);
        const isDragged = table.classList.contains("dragged"), target = last.type === "pointerup" ? under(last) : null;
        table.classList.remove("dragged");
        table.style.transform = "";
        if (over) over.classList.remove("over");
        if (!isDragged || !target) return;
        if (target.matches(".arrange-off")) this.takeOff(code);
        else this.move(code, Number(target.dataset.row), Number(target.dataset.column));
      };
      table.setPointerCapture(event.pointerId);
      table.addEventListener("pointermove", follow);
      table.addEventListener("pointerup", end);
      table.addEventListener("pointercancel", end);
    }
  }

  for (const lines of document.querySelectorAll("textarea[data-arrange]")) new Arrangement(lines);
})();
