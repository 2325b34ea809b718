import { make } from "./dom.js";
export function questionsView(app) { return { element: make("section"), show() {}, hide() {} }; }
