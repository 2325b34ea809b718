import assert from "node:assert/strict";
import { test } from "node:test";
import { forPage } from "../../../crates/page/src/script/prose.js";

test("advice for a terminal becomes advice for the page", () => {
  const said = [
    ["name at least one coordinate under [coordinates]; `catena new FILE` writes a model to start from", "name at least one coordinate under [coordinates]; the gallery has models to start from"],
    ["write links = 20, or --set links=20", "write links = 20, or move its slider"],
    ["a second, more exact run (`--certify`)", "a second, more exact run (`certify` under Methods)"],
    ["take a smaller `alpha` or a shorter step (`catena check --penalty` maps both)", "take a smaller `alpha` or a shorter step (the question `penalty` maps both)"],
    ["run longer with --t_end, or from --after", "run longer with t_end, or from after"],
    ["How time advances (see `catena list integrators`)", "How time advances"],
  ];
  for (const [terminal, page] of said) assert.equal(forPage(terminal), page);
});

test("what is no flag stays", () => {
  for (const text of ["x -- y", "2--3", "well-known", "t = -1"]) assert.equal(forPage(text), text);
});
