// placeholder
import { make } from "./dom.js";
export function equationsView(app) { return { element: make("section"), show() {}, hide() {} }; }
