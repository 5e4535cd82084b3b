// Pages that the server tells of changes: a stream of events where the server offers one, and polling where not.
// Each change triggers the event `live`, after which htmx asks for the part of the page that changed.
"use strict";
(() => {
  const GAP = 300; // milliseconds between two requests after changes
  let source = null, address = "", waits = 0, polls = 0;

  function tell() { // at most one request in GAP, and one after the last change
    waits ||= setTimeout(() => { waits = 0; htmx.trigger(document.body, "live"); }, GAP);
  }
  function poll(on) { // where the page itself does not poll often enough
    const every = Number(document.querySelector("[data-poll]")?.dataset.poll || 5000);
    clearInterval(polls);
    polls = on ? setInterval(() => htmx.trigger(document.body, "live"), every) : 0;
  }
  function close() {
    source?.close();
    source = null;
  }
  function connect() {
    const wanted = document.querySelector("[data-stream]")?.dataset.stream || "";
    if (wanted === address && (source || polls || !wanted)) return;
    close();
    poll(false);
    address = wanted;
    if (!wanted || document.hidden) return; // a hidden page holds no connection: browsers allow six for all windows
    if (!window.EventSource) return poll(true);
    source = new EventSource(wanted);
    for (const name of ["open", "hands", "table", "reset"]) source.addEventListener(name, tell);
    source.addEventListener("error", () => {
      if (source?.readyState !== EventSource.CLOSED) return; // the browser connects again by itself
      close(); // refused: the page polls, and is sent to the login if the session has ended
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
