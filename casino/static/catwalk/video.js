// The recording beside a hand, kept in step with the facts. A player tells its step with the event
// `catwalk:step` (detail: at, an instant in UTC; playing and speed if they are known), and is told the video's
// time with `catwalk:video` (detail: at, playing).
"use strict";
(() => {
  const $ = (what, inside = document) => inside.querySelector(what);
  const NEAR = 0.4; // seconds of difference that are left alone, so that playing does not stutter
  const player = () => $("#video-player video, .video-player video");
  const begins = (video) => Date.parse(video.dataset.begins);
  const instant = (video) => new Date(begins(video) + video.currentTime * 1000);

  function follow({ at, playing, speed }) {
    const video = player();
    if (!video || !at) return;
    const wanted = (Date.parse(at) - begins(video)) / 1000;
    if (Number.isNaN(wanted)) return;
    const last = Number.isFinite(video.duration) ? video.duration : Infinity, place = Math.min(Math.max(0, wanted), last);
    if (Math.abs(video.currentTime - place) > NEAR || !playing) video.currentTime = place;
    if (speed > 0) video.playbackRate = speed;
    if (playing === true && video.paused && wanted < last) video.play().catch(() => {});
    if (playing === false && !video.paused) video.pause();
    mark(video, at);
  }
  function mark(video, at) { // the fact that has happened by now, and the clock of the property
    const now = Date.parse(at);
    let current = null;
    for (const row of document.querySelectorAll("tr[data-at]")) {
      row.classList.remove("now");
      if (Date.parse(row.dataset.at) <= now) current = row;
    }
    current?.classList.add("now");
    const clock = $("[data-video-clock]");
    if (clock) clock.textContent = new Date(now + Number(video.dataset.offset) * 1000).toISOString().slice(11, 19);
  }
  function tell(video) {
    const at = instant(video).toISOString();
    mark(video, at);
    document.dispatchEvent(new CustomEvent("catwalk:video", { detail: { at, playing: !video.paused } }));
  }
  function begin(video) {
    if (!video || video.dataset.ready) return;
    video.dataset.ready = "yes";
    for (const name of ["timeupdate", "seeked", "play", "pause"]) video.addEventListener(name, () => tell(video));
    video.addEventListener("error", () => { const said = $("[data-video-problem]"); if (said) said.hidden = false; });
    if (video.error) video.dispatchEvent(new Event("error"));
    document.dispatchEvent(new CustomEvent("catwalk:video-ready", { detail: { begins: video.dataset.begins } }));
    mark(video, video.dataset.begins);
  }
  document.addEventListener("catwalk:step", (event) => follow(event.detail || {}));
  document.addEventListener("click", (event) => { // while a recording is open here, a fact's clock leads to its time
    const link = event.target.closest("a[data-fact-at]");
    if (!link || !player() || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    follow({ at: link.dataset.factAt });
  });
  document.addEventListener("htmx:afterSwap", () => begin(player()));
  document.addEventListener("DOMContentLoaded", () => begin(player()));
})();
