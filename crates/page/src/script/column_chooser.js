// Which columns of a run are plotted: whole groups at a press, single columns below.

import { make, roving } from "./dom.js";
import { symbolElement, symbolText } from "./symbol.js";

/** @typedef {import("./plots.js").ColumnGroup} ColumnGroup */

/** A group that is larger is not drawn at one press, only its first columns. */
const MAX_AT_ONCE = 12;
const MANY = 24;

/**
 * The choice after a press on a group: all of it, or none of it.
 * @param {string[]} chosen
 * @param {ColumnGroup} group
 */
export function toggledGroup(chosen, { names }) {
  const isOn = names.some((name) => chosen.includes(name));
  const others = chosen.filter((name) => !names.includes(name));
  return isOn ? others : [...others, ...names.slice(0, MAX_AT_ONCE)];
}

/**
 * @param {(names: string[]) => void} onChoose
 */
export function makeChooser(onChoose) {
  /** @type {ColumnGroup[]} */
  let groups = [];
  /** @type {string[]} */
  let chosen = [];
  const buttons = make("div", { class: "row chooser-groups", role: "toolbar", "aria-label": "Groups of columns" });
  const rebuilt = roving(buttons);
  const find = make("input", { class: "field", type: "search", placeholder: "Find a column", "aria-label": "Find a column by its name", oninput: () => filter() });
  const body = make("div", { class: "stack chooser-body" });
  const details = make("details", { class: "chooser-single", ontoggle: () => fill() }, make("summary", {}, "Choose columns"), find, body);
  const element = make("div", { class: "chooser stack" }, buttons, details);

  /** @param {string} name @param {boolean} on */
  const choose = (name, on) => onChoose(on ? [...chosen, name] : chosen.filter((other) => other !== name));
  function fill() {
    if (!details.open) return;
    find.hidden = groups.reduce((sum, group) => sum + group.names.length, 0) <= MANY;
    body.replaceChildren(...groups.map(({ label, names }) => make("fieldset", { class: "chooser-set" }, make("legend", {}, label),
      ...names.map((name) => make("label", { class: "check", title: name, "data-name": `${name} ${symbolText(name)}`.toLowerCase() },
        make("input", { type: "checkbox", checked: chosen.includes(name), onchange: (/** @type {Event} */ event) => choose(name, /** @type {HTMLInputElement} */ (event.target).checked) }),
        " ", symbolElement(name))))));
    filter();
  }
  function filter() {
    const wanted = find.value.trim().toLowerCase();
    for (const label of body.querySelectorAll("label")) label.hidden = wanted !== "" && !label.dataset.name?.includes(wanted);
  }

  return {
    element,
    /** @param {ColumnGroup[]} nextGroups @param {string[]} nextChosen */
    show(nextGroups, nextChosen) {
      const sameGroups = JSON.stringify(nextGroups) === JSON.stringify(groups);
      const same = sameGroups && JSON.stringify(nextChosen) === JSON.stringify(chosen);
      groups = nextGroups;
      chosen = nextChosen;
      if (same) return;
      if (!sameGroups) {
        buttons.replaceChildren(...groups.map((group) => make("button", {
          class: "button small", type: "button", "data-group": group.label, onclick: () => onChoose(toggledGroup(chosen, group)),
        }, group.label)));
        rebuilt();
      }
      groups.forEach((group, at) => buttons.children[at].setAttribute("aria-pressed", String(group.names.some((name) => chosen.includes(name)))));
      if (!body.contains(document.activeElement)) fill();
    },
  };
}
