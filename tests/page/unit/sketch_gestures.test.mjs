// Gestures of the sketch, one after the other, as changes of the text.
import test from "node:test";
import assert from "node:assert/strict";
import { outlineOf } from "./toml_outline.mjs";
import { draftOf } from "../../../crates/page/src/script/sketch_gesture.js";
import { floating, mechanismOf, worldOf } from "../../../crates/page/src/script/sketch_model.js";
import { hitAt } from "../../../crates/page/src/script/sketch_spots.js";
import { toolNamed, useTool } from "../../../crates/page/src/script/sketch_tools.js";
import { moveSpots, movedMechanism, shiftedSpots, writePose } from "../../../crates/page/src/script/sketch_move.js";
import { removeItem } from "../../../crates/page/src/script/sketch_acts.js";
import { renameItem } from "../../../crates/page/src/script/sketch_rename.js";
import { fieldsOf } from "../../../crates/page/src/script/sketch_fields.js";
import { changeField } from "../../../crates/page/src/script/sketch_properties.js";
import { copyWords } from "../../../crates/page/src/script/sketch_bodies.js";
import { itemsAt } from "../../../crates/page/src/script/sketch_select.js";

const BLANK = 'title = "Drawn"\n';
const REACH = 0.02;

const draft = (text) => {
  const outline = outlineOf(text);
  return draftOf(text, outline, mechanismOf({ outline }, null));
};
const pick = (its, at) => {
  const hit = hitAt(its.mechanism, its.spots, at, REACH);
  return { ...hit, at: hit.spot?.at ?? at };
};
/** Uses a tool at places; the new text. */
const use = (text, tool, places, typed = null) => {
  const its = draft(text);
  const outcome = useTool(toolNamed(tool), its, places.map((at) => pick(its, at)), typed);
  assert.equal(outcome.refusal, undefined);
  return outcome.text;
};
const refusal = (text, tool, places) => {
  const its = draft(text);
  return useTool(toolNamed(tool), its, places.map((at) => pick(its, at)), null).refusal;
};
const fourBar = () => {
  let text = use(BLANK, "link", [[0, 0], [0, 0.4]]);
  text = use(text, "link", [[0, 0.4], [0.8, 0.8]]);
  text = use(text, "link", [[0.8, 0.8], [1, 0]]);
  text = use(text, "pin", [[0, 0]]);
  return use(text, "pin", [[1, 0]]);
};
const close = (a, b) => a.forEach((value, at) => assert.ok(Math.abs(value - b[at]) < 1e-5, `${a} is not ${b}`));

test("a link is a rod of one kilogram per metre with its place, until pins hold it", () => {
  const text = use(BLANK, "link", [[0, 0], [0.3, 0.4]]);
  assert.match(text, /name = "link1"\nmass = 0.5 +# kg, 1 kg\/m\nlength = 0.5\nangle = "53.1301 deg"\nx = 0.15\ny = 0.2\n/);
  const pinned = use(text, "pin", [[0, 0]]);
  assert.doesNotMatch(pinned, /^[xy] =/m);
  assert.match(pinned, /\[ground\]\npoints = { A = \[0, 0\] }/);
  assert.match(pinned, /name = "A"\ntype = "revolute"\nbetween = \["ground.A", "link1.A"\]/);
  assert.ok(pinned.indexOf("[ground]") < pinned.indexOf("[[body]]") && pinned.indexOf("[[body]]") < pinned.indexOf("[[joint]]"));
});

test("a four-bar by three links and two pins has four joints and no loose body", () => {
  const its = draft(fourBar());
  assert.equal(its.mechanism.bodies.length, 3);
  assert.equal(its.mechanism.joints.length, 4);
  assert.equal(floating(its.mechanism).size, 0);
  assert.doesNotMatch(its.text, /^[xy] =/m);
  for (const joint of its.mechanism.joints) close(worldOf(its.mechanism, joint.ends[0]), worldOf(its.mechanism, joint.ends[1]));
});

test("what the user wrote survives every gesture: comments, formulas, order", () => {
  const own = '# my own\ntitle = "Mine" # kept\n\n[parameters]\nL = 0.4   # crank, m\n\n[[body]]   # the crank\nname = "crank"\nmass = 2\nlength = "L" # as given\nangle = "90 deg"\n\n[run]\nt_end = 5 # s\n';
  let text = use(own, "pin", [[0, 0]]);
  text = use(text, "link", [[0, 0.4], [1, 0.4]]);
  for (const line of ["# my own", "L = 0.4   # crank, m", "[[body]]   # the crank", 'length = "L" # as given', "t_end = 5 # s"]) assert.ok(text.includes(line), line);
  assert.ok(text.indexOf("[[joint]]") < text.indexOf("[run]"));
});

test("a length that is a parameter changes the parameter, a formula is not overwritten", () => {
  const its = draft('[parameters]\nL = "400 mm" # crank\n\n[ground]\npoints = { O = [0, 0] }\n\n[[body]]\nname = "crank"\nmass = 2\nlength = "L"\nangle = 0\n\n[[joint]]\nname = "O"\ntype = "revolute"\nbetween = ["ground.O", "crank.A"]\n');
  const spot = its.spots.find(({ nodes }) => nodes.some((node) => node.point === "B"));
  const moved = moveSpots(its, [{ spot, to: [0, 0.5] }], "move");
  assert.match(moved.text, /L = "500 mm" # crank/);
  assert.match(moved.text, /length = "L"\nangle = "90 deg"/);
  assert.match(moved.text, /mass = 2/);
  assert.ok(moved.parameters.includes("L"));
  const formula = draft(its.text.replace('length = "L"', 'length = "L*2"'));
  formula.mechanism.bodies[0].points = [{ name: "A", at: [0, 0] }, { name: "B", at: [0.8, 0] }];
  const held = moveSpots(formula, [{ spot: { at: [0.8, 0], joints: [], nodes: [{ body: 0, point: "B", at: [0.8, 0] }] }, to: [0, 0.5] }], "move");
  assert.match(held.refusal, /the length of crank is a formula/);
});

test("moving a pin changes both links that share it, and the picture before is the text after", () => {
  const its = draft(fourBar());
  const spot = its.spots.find(({ nodes }) => nodes.length === 2 && nodes.every((node) => node.body !== null) && Math.abs(nodes[0].at[0]) < 1e-6);
  const moves = [{ spot, to: [0.1, 0.5] }];
  const preview = movedMechanism(its.mechanism, moves);
  const after = draft(moveSpots(its, moves, "move").text).mechanism;
  for (const mechanism of [preview, after]) {
    close(worldOf(mechanism, mechanism.joints[0].ends[0]), [0.1, 0.5]);
    close(worldOf(mechanism, mechanism.joints[0].ends[1]), [0.1, 0.5]);
    close(worldOf(mechanism, mechanism.joints[1].ends[0]), [0.8, 0.8]);
  }
  close([after.bodies[0].mass, after.bodies[1].mass], [Math.hypot(0.1, 0.5), Math.hypot(0.7, 0.3)]);
});

test("an end that is put on another one is pinned there", () => {
  let text = use(BLANK, "link", [[0, 0], [0, 0.5]]);
  text = use(text, "pin", [[0, 0]]);
  text = use(text, "link", [[0.3, 0.7], [1, 0.7]]);
  const its = draft(text);
  const [end, onto] = [[0.3, 0.7], [0, 0.5]].map((at) => pick(its, at).spot);
  const moved = moveSpots(its, [{ spot: end, to: onto.at }], "move", onto);
  assert.match(moved.text, /between = \["link1\.B", "link2\.A"\]/);
  assert.equal(floating(draft(moved.text).mechanism).size, 0);
  assert.doesNotMatch(moved.text, /^[xy] =/m);
});

test("what sliders have set is meant no longer where a gesture writes a value", () => {
  const its = draft(fourBar());
  const moved = moveSpots(its, [{ spot: pick(its, [0, 0.4]).spot, to: [0, 0.5] }], "move");
  for (const name of ["link1_length", "link1_angle", "guess.link2_angle", "link2_length"]) assert.ok(moved.parameters.includes(name), name);
});

test("a body that is moved takes the ends of its neighbours along and keeps its own length", () => {
  const its = draft(fourBar());
  const after = draft(moveSpots(its, shiftedSpots(its, 1, [0.1, 0.1]), "move a body").text).mechanism;
  close([after.bodies[1].points[1].at[0]], [its.mechanism.bodies[1].points[1].at[0]]);
  for (const joint of after.joints) close(worldOf(after, joint.ends[0]), worldOf(after, joint.ends[1]));
});

test("three places on one line make a rod with a third point, others a frame of rods", () => {
  const rod = draft(use(BLANK, "plate", [[0, 0], [2, 0], [0.5, 0]]));
  assert.match(rod.text, /length = 2\npoints = { P = \[0.5, 0\] }/);
  const plate = draft(use(BLANK, "plate", [[0, 0], [3, 0], [0, 4]])).mechanism.bodies[0];
  assert.equal(plate.mass, 12);
  // rods of 3, 5 and 4 m with their middles at (1.5, 0), (1.5, 2), (0, 2)
  close(plate.centre, [(3 * 1.5 + 5 * 1.5) / 12, (5 * 2 + 4 * 2) / 12]);
});

test("a point in the middle of a bar is made when something is fastened there", () => {
  const text = use(fourBar(), "link", [[0.4, 0.6], [0.4, 1.2]]);
  assert.match(text, /points = { P = \[0\.44721\d, 0\] }/);
  assert.match(text, /between = \["link2\.P", "link4\.A"\]/);
});

test("a slider at the end of a link is a block on a guide with a pin", () => {
  let text = use(BLANK, "link", [[0, 0], [1, 0]]);
  text = use(text, "slider", [[1, 0], [2, 0]]);
  assert.match(text, /type = "prismatic"\nbetween = \["ground\.A", "slider1"\]\naxis = \[1, 0\]/);
  assert.match(text, /type = "revolute"\nbetween = \["link1\.B", "slider1"\]/);
  assert.equal(floating(draft(text).mechanism).size, 0);
});

test("a pin that lies on another link runs in a slot of it", () => {
  let text = use(BLANK, "link", [[0.5, 0.3], [0, 0.3]]);
  text = use(text, "pin", [[0.5, 0.3]]);
  text = use(text, "link", [[0, -0.5], [0, 1]]);
  text = use(text, "pin", [[0, -0.5]]);
  const its = draft(text);
  assert.equal(toolNamed("slot").wants(its, [pick(its, [0, 0.3])]), 1);
  text = use(text, "slot", [[0, 0.3]]);
  assert.match(text, /type = "pin-in-slot"\nbetween = \["link2\.A", "link1\.B"\]\naxis = \[1, 0\]/);
  const block = use(its.text, "slider", [[0, 0.3]]);
  assert.match(block, /type = "prismatic"\nbetween = \["link2\.A", "slider1"\]\naxis = \[1, 0\]/);
  assert.match(block, /between = \["link1\.B", "slider1"\]/);
});

test("a link slides through a block that is pinned to the ground", () => {
  let text = use(BLANK, "pin", [[0.6, 0.2]]);
  text = use(text, "link", [[0, 0.2], [1, 0.2]]);
  const block = use(text, "slider", [[0.6, 0.2]]);
  assert.match(block, /type = "prismatic"\nbetween = \["link1\.A", "slider1"\]\naxis = \[1, 0\]/);
  assert.match(block, /type = "revolute"\nbetween = \["ground\.A", "slider1"\]/);
  assert.match(use(text, "slot", [[0.6, 0.2]]), /between = \["link1\.A", "ground\.A"\]/);
  assert.match(refusal(use(BLANK, "pin", [[0, 0]]), "slot", [[0, 0]]), /Click the point of a link/);
});

test("links that cross are pinned to each other, the first end of a link to the ground", () => {
  let text = use(BLANK, "link", [[0, 0], [1, 1]]);
  text = use(text, "link", [[0, 1], [1, 0]]);
  text = use(text, "pin", [[0.5, 0.5]]);
  assert.match(text, /between = \["link2\.P", "link1\.P"\]/);
  assert.doesNotMatch(text, /ground/);
  text = use(text, "pin", [[0, 0]]);
  assert.equal(floating(draft(text).mechanism).size, 0);
  assert.match(refusal(text, "pin", [[0, 0]]), /already/);
});

test("gears have the ratio of their sizes, and new wheels are pinned to the ground", () => {
  const its = draft(use(BLANK, "gears", [[0, 0], [0.3, 0]], 2));
  const mesh = its.mechanism.joints.find(({ type }) => type === "gear");
  assert.equal(mesh.values.ratio, -0.5);
  assert.equal(its.mechanism.joints.filter(({ type }) => type === "revolute").length, 2);
  assert.equal(floating(its.mechanism).size, 0);
});

test("what is half built is drawn where its guides are", () => {
  const its = draft(use(BLANK, "rack", [[1, 0.8], [1, 0.7]]));
  close(its.mechanism.bodies.find(({ name }) => name === "rack1").pose, [1, 0.7, 0]);
});

test("a motor begins where the joint stands, and a joint takes only one", () => {
  let text = use(fourBar(), "motor", [[0, 0]], 60);
  assert.match(text, /\[\[motor\]\]\nname = "motor1"\njoint = "C"\nangle = "90 deg \+ 60 rpm\*t"/);
  assert.match(refusal(text, "motor", [[0, 0]]), /has no motor yet/);
  assert.match(refusal(text, "motor", [[3, 3]]), /Click a pin/);
});

test("what cannot be without a body goes with it, ground points too", () => {
  const text = use(fourBar(), "motor", [[0, 0]]);
  const gone = removeItem(draft(text), { section: "body", name: "link1" });
  assert.doesNotMatch(gone.text, /link1|motor|A = /);
  assert.match(gone.text, /link2/);
  assert.equal(draft(gone.text).mechanism.joints.length, 2);
  let all = gone.text;
  for (const name of ["link2", "link3"]) all = removeItem(draft(all), { section: "body", name }).text;
  assert.equal(all.trim(), BLANK.trim());
});

test("what nothing holds any more stays where it is", () => {
  let text = fourBar();
  const before = draft(text).mechanism.bodies.map(({ pose }) => pose);
  for (const name of ["C", "D"]) text = removeItem(draft(text), { section: "joint", name }).text;
  assert.doesNotMatch(text, /ground/);
  const after = draft(text).mechanism;
  assert.equal(floating(after).size, 3);
  after.bodies.forEach(({ pose }, at) => close(pose, before[at]));
});

test("a name follows through joints, motors, formulas and starts", () => {
  const text = `${use(fourBar(), "motor", [[0, 0]])}\n[initial]\n"link1_angle'" = 0\n\n[outputs]\nv = "link1_B_x' + 2*link1_angle"\n\n[events]\nlink1_level = "link1_y - lambda_C_x"\n`;
  const renamed = renameItem(draft(text), { section: "body", name: "link1" }, "crank").text;
  assert.match(renamed, /link1_level = "crank_y - lambda_C_x"/);
  assert.doesNotMatch(renamed.replace("link1_level", ""), /link1/);
  assert.match(renamed, /"crank_angle'" = 0/);
  assert.match(renamed, /v = "crank_B_x' \+ 2\*crank_angle"/);
  assert.match(renameItem(draft(text), { section: "body", name: "link1" }, "link2").refusal, /already/);
  assert.match(renameItem(draft(text), { section: "body", name: "link1" }, "2 bars").refusal, /cannot be a name/);
  const odd = draft('[[body]]\nname = "a(b"\nmass = 1\nlength = 1\n');
  assert.match(renameItem(odd, { section: "body", name: "a(b" }, "ab").text, /name = "ab"/);
  const joint = renameItem(draft(text), { section: "joint", name: "C" }, "drive_pin").text;
  assert.match(joint, /name = "drive_pin"/);
  assert.match(joint, /joint = "drive_pin"/);
  assert.match(joint, /link1_y - lambda_drive_pin_x/);
});

test("fields write numbers, formulas and rates, and empty ones take the key out", () => {
  const its = draft(fourBar());
  const item = { section: "body", name: "link1" };
  const field = (name, of = its) => fieldsOf(of, item).find(({ label }) => label === name);
  assert.match(changeField(its, item, field("mass"), "2.5").text, /mass = 2.5 +# kg/);
  assert.match(changeField(its, item, field("mass"), "2*rho").text, /mass = "2\*rho"/);
  assert.match(changeField(its, item, field("start rate"), "30 rpm").text, /\[initial\]\n"link1_angle'" = "30 rpm"/);
  const named = draft(changeField(its, item, field("length"), ".5").text);
  assert.match(named.text, /length = 0\.5/);
  assert.doesNotMatch(changeField(its, item, field("start angle"), "").text, /90 deg/);
});

test("a pose is written as start angles", () => {
  const its = draft(fourBar());
  const q = its.mechanism.bodies.flatMap(({ pose }) => [pose[0], pose[1], pose[2] + 0.1]);
  const after = draft(writePose(its, q).text).mechanism;
  close(after.bodies.map(({ pose }) => pose[2]), its.mechanism.bodies.map(({ pose }) => pose[2] + 0.1));
});

test("springs are at ease as drawn, and what ends on its own body is refused", () => {
  const text = use(use(BLANK, "mass", [[0, -1]]), "spring", [[0, 0], [0, -1]], 40);
  assert.match(text, /between = \["ground\.A", "mass1"\]\nstiffness = 40 +# N\/m\nlength = 1 /);
  assert.match(text, /free = true\nx = 0\ny = -1/);
  assert.match(refusal(use(BLANK, "link", [[0, 0], [1, 0]]), "spring", [[0, 0], [1, 0]]), /same body/);
});

test("a force begins on a body, a torque acts on one", () => {
  const text = use(fourBar(), "force", [[0.8, 0.8], [0.8, 0.3]]);
  assert.match(text, /on = "link2\.B"\nx = 0 +# N\ny = -5/);
  assert.match(refusal(BLANK, "force", [[0, 0], [1, 1]]), /acts on a body/);
  assert.match(use(fourBar(), "torque", [[0, 0.2]]), /on = "link1"\nvalue = 1/);
});

test("a weld makes a pin stiff with the angle as it is", () => {
  const text = use(fourBar(), "weld", [[0, 0.4]]);
  assert.match(text, /name = "A"\ntype = "weld"\nbetween = \["link1\.B", "link2\.A"\]\nangle = "-63\.4349 deg"/);
  assert.equal(use(text, "weld", [[0, 0.4]]), fourBar());
});

test("a click finds joints before bodies, and everything at its place", () => {
  const its = draft(use(fourBar(), "motor", [[0, 0]]));
  const items = itemsAt(its, pick(its, [0, 0])).map(({ section, name }) => `${section} ${name}`);
  assert.deepEqual(items, ["joint C", "motor motor1", "body link1"]);
  assert.deepEqual(itemsAt(its, pick(its, [0, 0.2])).map(({ name }) => name), ["link1"]);
});

test("the mass of a link goes with its length, dragged or typed, until somebody weighs it", () => {
  const change = (text, key, value) => {
    const its = draft(text), item = { section: "body", name: "link1" };
    return changeField(its, item, fieldsOf(its, item).find((field) => field.key === key), value).text;
  };
  const massUnit = (text) => fieldsOf(draft(text), { section: "body", name: "link1" }).find(({ key }) => key === "mass").unit;
  const drawn = use(BLANK, "link", [[0, 0], [0, 0.4]]);
  assert.equal(massUnit(drawn), "kg, goes with the length");
  const longer = change(drawn, "length", "80 cm");
  assert.match(longer, /mass = 0\.8 +# kg, 1 kg\/m\nlength = "80 cm"/);
  const weighed = change(drawn, "mass", "3");
  assert.match(weighed, /mass = 3 +# kg\nlength = 0\.4/);
  assert.equal(massUnit(weighed), "kg");
  assert.match(change(weighed, "length", "1"), /mass = 3 +# kg\nlength = 1\n/);
  assert.match(use(drawn, "mass", [[0, 0.2]], 2), /mass = 2 +# kg\n/);
  for (const [key, value] of [["length", "0"], ["length", "-1"], ["mass", "-2"]]) assert.equal(change(drawn, key, value), undefined, `${key} ${value} is refused`);
  const its = draft('[[body]]\nname = "rod"\nmass = 1\nlength = 1\nangle = 0\nx = 0.5\ny = 0\n');
  const end = its.spots.find(({ nodes }) => nodes.some((node) => node.point === "B"));
  assert.match(moveSpots(its, [{ spot: end, to: [2, 0] }], "move").text, /mass = 1\nlength = 2\n/, "a mass that somebody has written stays");
});

test("of a copy it is said which line makes it", () => {
  const text = 'title = "Copies"\n\n[[body]]\nrepeat = 3\nname = "bar{i}_{i+1}"\nmass = 1\nlength = 1\n';
  const outline = outlineOf(text);
  const said = copyWords({ text, outline }, { section: "body", name: "bar2_3" });
  assert.match(said, /bar2_3 is one of several copies that the text makes with `repeat`, line 3/);
  for (const name of ["bar2_", "bar2_3x", "bar", "beam2_3"]) assert.doesNotMatch(copyWords({ text, outline }, { section: "body", name }), /line/);
});

test("a link that begins on a slider is pinned to the slider, not to its guide, and the slider can be dragged", () => {
  const text = use(use(BLANK, "slider", [[0.5, 0], [0.5, 0]]), "link", [[0.5, 0], [0.2, 0.3]]);
  assert.match(text, /between = \["slider1", "link1\.A"\]/);
  const its = draft(text);
  const { spot } = pick(its, [0.5, 0]);
  const moved = moveSpots(its, [{ spot, to: [0.6, 0] }], "move").text;
  assert.match(moved, /points = { A = \[0\.6, 0\] }/);
  assert.match(moved, /length = 0\.5\n/);
});
