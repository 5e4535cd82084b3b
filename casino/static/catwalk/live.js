// Live pages: the server sends an event for each change. Without such a stream, the page polls. Both trigger `live`,
// after which htmx requests the part of the page that may have changed.
"use strict";
(() => {
  const GAP = 300; // milliseconds between two requests after changes
  let source = null, address = "", waits = 0, polls = 0;

  function update() { // at most one request in GAP, and one after the last change
    waits ||= setTimeout(() => { waits = 0; htmx.trigger(document.body, "live"); }, GAP);
  }
  function poll(on) { // replaces a stream
    const pause = Number(document.querySelector("[data-poll]")?.dataset.poll || 5000); // milliseconds
    clearInterval(polls);
    polls = on ? setInterval(() => htmx.trigger(document.body, "live"), pause) : 0;
  }
  function close() {
    source?.close();
    source = null;
  }
  function connect() {
    const stream = document.querySelector("[data-stream]")?.dataset.stream || "";
    if (stream === address && (source || polls || !stream)) return;
    close();
    poll(false);
    address = stream;
    if (!stream || document.hidden) return; // a hidden page needs no connection: a browser has six for all windows
    if (!window.EventSource) return poll(true);
    source = new EventSource(stream);
    for (const name of ["open", "hands", "table", "reset"]) source.addEventListener(name, update);
    source.addEventListener("error", () => {
      if (source?.readyState !== EventSource.CLOSED) return; // the browser connects again by itself
      close(); // the server refused the stream: poll, which also leads to the login if the session has ended
      poll(true);
    });
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { close(); poll(false); address = ""; } else connect();
  });
  document.addEventListener("htmx:afterSettle", connect);
  addEventListener("pagehide", close);
  connect();
})();
