// Every view of the page, in the order of its tabs. A view is one file and one row here.

import { galleryView } from "./gallery.js";
import { motionView } from "./motion.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").ViewName} ViewName */

/** @type {{ name: ViewName, label: string, icon: string, make: (app: App) => View }[]} */
export const VIEWS = [
  { name: "gallery", label: "Gallery", icon: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z", make: galleryView },
  { name: "motion", label: "Motion", icon: "M7 4v16l13-8z", make: motionView },
];
