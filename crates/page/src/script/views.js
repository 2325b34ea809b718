// Every view of the page, in the order of its tabs. A view is one file and one row here.

import { buildView } from "./build.js";
import { equationsView } from "./equations.js";
import { galleryView } from "./gallery.js";
import { motionView } from "./motion.js";
import { compareView } from "./compare.js";
import { questionsView } from "./questions.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").ViewName} ViewName */

/** @type {{ name: ViewName, label: string, icon: string, make: (app: App) => View }[]} */
export const VIEWS = [
  { name: "gallery", label: "Gallery", icon: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z", make: galleryView },
  { name: "build", label: "Build", icon: "M5.5 16a2.500 2.500 0 1 0 .1 0zM18.500 10a2.500 2.500 0 1 0-.1 0zM7.500 16.500l9-8", make: buildView },
  { name: "equations", label: "Equations", icon: "M17 5H7l6 7-6 7h10", make: equationsView },
  { name: "motion", label: "Motion", icon: "M7 4v16l13-8z", make: motionView },
  { name: "compare", label: "Compare", icon: "M4 5h7v14H4zM13 5h7v14h-7z", make: compareView },
  { name: "questions", label: "Questions", icon: "M8.500 9a3.500 3.500 0 1 1 5.500 2.900c-1.300.9-2 1.600-2 3.100M12 19v.5", make: questionsView },
];
