/* Chooses light or dark before the first paint: the reader's choice from localStorage, else the system's.
   A classic script, loaded in <head>, so that no page flashes in the wrong colours. Whoever draws by hand
   (canvas, charts) listens for the "themechange" event on document. */
(function () {
  "use strict";
  const KEY = "sandtable-theme";
  const CHOICES = ["system", "light", "dark"];
  const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)");

  function choice() {
    let stored = null;
    try {
      stored = localStorage.getItem(KEY);
    } catch {
      // Storage can be forbidden; the system's setting then decides.
    }
    return CHOICES.includes(stored) ? stored : "system";
  }

  function apply() {
    const chosen = choice();
    const theme = chosen === "system" ? (systemIsDark.matches ? "dark" : "light") : chosen;
    document.documentElement.dataset.theme = theme;
    document.documentElement.dataset.themeChoice = chosen;
    document.dispatchEvent(new CustomEvent("themechange", { detail: { theme, choice: chosen } }));
  }

  function describe(button) {
    const next = CHOICES[(CHOICES.indexOf(choice()) + 1) % CHOICES.length];
    button.setAttribute("aria-label", `Colours: ${choice()}. Change to ${next}`);
    button.title = `Colours: ${choice()}`;
  }

  function advance(button) {
    const next = CHOICES[(CHOICES.indexOf(choice()) + 1) % CHOICES.length];
    try {
      localStorage.setItem(KEY, next);
    } catch {
      return;
    }
    apply();
    describe(button);
  }

  apply();
  systemIsDark.addEventListener("change", apply);
  window.addEventListener("storage", (event) => event.key === KEY && apply());
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-theme-switch]")) {
      button.hidden = false;
      describe(button);
      button.addEventListener("click", () => advance(button));
    }
  });
})();
