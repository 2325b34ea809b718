// A model that is no mechanism cannot be drawn by hand: its picture at the start, and the way to a new drawing.
import { make, parsed } from "./dom.js";

/** @typedef {import("./types.js").App} App */

/** What a new drawing begins with. */
const BLANK = 'title = "My mechanism"\n';

/**
 * Opens an empty drawing.
 * @param {App} app
 */
export function startDrawing(app) {
  app.open({ name: "my-mechanism", text: BLANK }, "start a new mechanism", { view: "build" });
}

/**
 * @param {App} app
 * @returns {{ element: HTMLElement, show: (isOther: boolean) => void }}
 */
export function otherModel(app) {
  const figure = make("figure", { class: "film sk-still", "aria-hidden": "true" });
  const element = make("div", { class: "sk-other stack", hidden: true },
    make("p", {}, "This model is written as energies and constraints, or as a chain. It is edited in its text; this is where it starts."),
    make("p", { class: "row" }, make("button", { type: "button", class: "button primary", onclick: () => startDrawing(app) }, "Start a new mechanism")),
    figure);
  let drawn = "";
  return {
    element,
    show(isOther) {
      element.hidden = !isOther;
      const film = app.checked?.reply.film?.films[0];
      if (!isOther || !film || film.svg === drawn) return;
      drawn = film.svg;
      const picture = parsed(film.svg, "image/svg+xml");
      figure.replaceChildren(...(picture ? [picture] : []));
      if (!picture) return;
      // a still picture that is hidden from readers is no stop of the keyboard either
      picture.removeAttribute("tabindex");
      const scene = new CatenaScene.Scene(film, figure);
      scene.seek(0);
      scene.draw({ tail: 0 });
    },
  };
}
