// A page of films, each with a clock of its own; those that are out of sight stand still.
(() => {
  "use strict";

  const { Scene, toggleTheme } = CatenaScene;
  const films = JSON.parse(document.getElementById("catena-data").textContent);
  const figures = document.querySelectorAll("figure.film");
  const options = { forces: false, gaps: false, tail: 60 };
  const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const clips = films.map(({ film, duration }, at) => {
    const scene = new Scene(film, figures[at]);
    const clip = { scene, duration, frame: 0, seen: false };
    scene.seek(0);
    scene.draw(options);
    return clip;
  });
  let playing = !reduced, before = null;

  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const clip = clips[[...figures].indexOf(entry.target)];
      clip.seen = entry.isIntersecting;
    }
  });
  figures.forEach((figure) => observer.observe(figure));

  function tick(now) {
    if (playing && before !== null && !document.hidden) {
      for (const clip of clips) {
        if (!clip.seen) continue;
        const last = clip.scene.frames - 1;
        clip.frame = (clip.frame + (now - before) / 1000 / clip.duration * last) % last;
        clip.scene.seek(clip.frame);
        clip.scene.draw(options);
      }
    }
    before = now;
    if (playing) requestAnimationFrame(tick);
  }

  const button = document.getElementById("play");
  function play(on) {
    playing = on;
    button.classList.toggle("on", on);
    button.setAttribute("aria-label", on ? "Pause" : "Play");
    before = null;
    if (on) requestAnimationFrame(tick);
  }
  button.addEventListener("click", () => play(!playing));
  document.getElementById("theme").addEventListener("click", toggleTheme);
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.target.closest("button, a, summary")) return;
    event.preventDefault();
    play(!playing);
  });
  play(playing);
  window.catenaGallery = { clips, play };
})();
