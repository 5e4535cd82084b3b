// Alerts in every page: the count in the title, and a sound when one is new. The page polls; nothing is remote.
"use strict";
(() => {
  const KEY = "catwalk-alerts"; // the last alert that this tab has announced
  const state = () => document.querySelector("#alert-news [data-alerts]");
  let audio;

  function title() { // keeps the count in front of whatever the page is called now
    const bare = document.title.replace(/^\(\d+\) /, ""), count = Number(state()?.dataset.alerts || 0);
    const wanted = count ? `(${count}) ${bare}` : bare;
    if (document.title !== wanted) document.title = wanted;
  }
  function sound() { // two short tones; browsers allow them after the first key or click on the page
    document.dispatchEvent(new CustomEvent("catwalk:alert-sound"));
    if (navigator.userActivation?.hasBeenActive === false) return; // the browser would refuse, with a warning
    audio ||= new AudioContext();
    audio.resume().then(() => {
      [880, 660].forEach((pitch, place) => {
        const tone = audio.createOscillator(), volume = audio.createGain(), begins = audio.currentTime + place * 0.18;
        tone.frequency.value = pitch;
        volume.gain.setValueAtTime(0.12, begins);
        volume.gain.exponentialRampToValueAtTime(0.001, begins + 0.16);
        tone.connect(volume).connect(audio.destination);
        tone.start(begins);
        tone.stop(begins + 0.17);
      });
    }).catch(() => {});
  }
  function take() {
    const now = state();
    if (!now) return;
    const before = sessionStorage.getItem(KEY), last = now.dataset.last;
    sessionStorage.setItem(KEY, last);
    if (before !== null && Number(last) > Number(before) && Number(now.dataset.alerts) && now.dataset.sound === "on") sound();
    title();
  }

  document.addEventListener("htmx:afterSwap", (event) => { if (event.target.id === "alert-news") { htmx.process(event.target); take(); } });
  new MutationObserver(title).observe(document.querySelector("title"), { childList: true });
})();
