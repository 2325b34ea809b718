//! The reported reactions are all that holds a body: with them, gravity and what else acts, Newton's
//! and Euler's laws hold for every body by itself.

use crate::{column, run};
use catena::model::End;
use catena::simulation::Run;
use catena_tests::written;

/// A load beside joints and gravity: force components and moment about the centre, as columns.
type Load<'a> = (&'a str, [&'a str; 3]);

/// Forces and moments about the centres of all bodies at one row.
struct Balance<'a> {
    run: &'a Run,
    row: usize,
    model: &'a catena::Model,
    loads: Vec<[f64; 3]>,
    /// The largest single part of what is summed.
    size: f64,
}

impl Balance<'_> {
    fn at(&self, name: &str) -> f64 {
        column(self.run, name)[self.row]
    }

    fn pose(&self, body: usize) -> [f64; 3] {
        let name = &self.model.mechanism.as_ref().expect("a mechanism").bodies[body].name;
        ["x", "y", "angle"].map(|ending| self.at(&format!("{name}_{ending}")))
    }

    /// Where an end is in the world.
    fn point(&self, end: &End) -> [f64; 2] {
        let [p, q] = end
            .position
            .each_ref()
            .map(|position| position.value(|name| self.model.parameter(name)));
        let Some(body) = end.body else { return [p, q] };
        let [x, y, angle] = self.pose(body);
        let (sine, cosine) = angle.sin_cos();
        [x + p * cosine - q * sine, y + p * sine + q * cosine]
    }

    fn add(&mut self, body: Option<usize>, at: [f64; 2], [fx, fy, moment]: [f64; 3]) {
        let Some(body) = body else { return };
        let [x, y, _] = self.pose(body);
        let turn = (at[0] - x) * fy - (at[1] - y) * fx + moment;
        for (sum, part) in self.loads[body].iter_mut().zip([fx, fy, turn]) {
            *sum += part;
            self.size = self.size.max(part.abs());
        }
    }
}

/// Sums up all forces on each body of the model at every row; returns the largest violation of
/// m a = F and J α = M, relative to the largest force.
fn violation(text: &str, t_end: f64, loads: &[Load]) -> f64 {
    // accelerations as outputs
    let bodies: Vec<String> = {
        let model = written(text);
        model.mechanism.expect("a mechanism").bodies.into_iter().map(|body| body.name).collect()
    };
    let accelerations: String = bodies
        .iter()
        .flat_map(|body| ["x", "y", "angle"].map(|ending| (body, ending)))
        .map(|(body, ending)| format!("acc_{body}_{ending} = \"{body}_{ending}''\"\n"))
        .collect();
    let section = if text.contains("[outputs]") { "" } else { "\n[outputs]\n" };
    let model = match section {
        "" => written(&text.replace("[outputs]\n", &format!("[outputs]\n{accelerations}"))),
        section => written(&format!("{text}{section}{accelerations}")),
    };
    let run = run(&model, t_end, t_end / 20.0);
    let mechanism = model.mechanism.as_ref().expect("a mechanism");
    let parameter = |name: &str| model.parameter(name).expect("a parameter");
    let mut worst = 0.0_f64;
    for row in 0..column(&run, "t").len() {
        let zero = vec![[0.0; 3]; bodies.len()];
        let mut balance = Balance { run: &run, row, model: &model, loads: zero, size: 0.0 };
        for joint in &mechanism.joints {
            let [first, second] = &joint.ends;
            let reaction = |ending: &str| {
                run.table.column(&format!("{}_{ending}", joint.name)).map_or(0.0, |c| c[row])
            };
            let force = [reaction("fx"), reaction("fy"), reaction("m")];
            let at = balance.point(second);
            balance.add(second.body, at, force);
            let back = force.map(|part| -part);
            let quantity = |key: &str| {
                let quantity = joint.quantity(key).expect("a key of the type");
                quantity.value(|name| model.parameter(name))
            };
            // a force between flanks acts on a line: what one body gets the other one gets back
            let has_flanks = run.table.column(&format!("{}_fx", joint.name)).is_some()
                && run.table.column(&format!("{}_m", joint.name)).is_some();
            match joint.kind.name {
                "gear" | "rack" if has_flanks => balance.add(first.body, at, back),
                // the moments of a gear differ by its ratio
                "gear" => {
                    balance.add(first.body, at, [0.0, 0.0, quantity("ratio") * back[2]]);
                }
                // a tooth pushes at the rim of the pinion
                "rack" => {
                    let axis = joint.direction("axis").expect("a rack has an axis");
                    let [a_x, a_y] = axis.each_ref().map(|a| a.value(|name| model.parameter(name)));
                    let along = (back[0] * a_x + back[1] * a_y) / a_x.hypot(a_y);
                    let at = balance.point(first);
                    balance.add(first.body, at, [back[0], back[1], quantity("radius") * along]);
                }
                _ => balance.add(first.body, at, back),
            }
        }
        for (body, columns) in loads {
            let at = bodies.iter().position(|name| name == body).expect("a body");
            let value = |name: &&str| if name.is_empty() { 0.0 } else { balance.at(name) };
            let load = columns.each_ref().map(value);
            let [x, y, _] = balance.pose(at);
            balance.add(Some(at), [x, y], load);
        }
        for (at, body) in mechanism.bodies.iter().enumerate() {
            let (mass, inertia) = (parameter(&body.mass), parameter(&body.inertia));
            let [x, y, _] = balance.pose(at);
            balance.add(Some(at), [x, y], [0.0, -mass * parameter("g"), 0.0]);
            let accelerated = [("x", mass), ("y", mass), ("angle", inertia)];
            for (part, (ending, factor)) in accelerated.into_iter().enumerate() {
                let name = format!("acc_{}_{ending}", body.name);
                let gap = (balance.loads[at][part] - factor * balance.at(&name)).abs();
                assert!(gap.is_finite());
                worst = worst.max(gap / balance.size.max(1.0));
            }
        }
    }
    worst
}

pub(crate) fn assert_balanced(name: &str, text: &str, t_end: f64, loads: &[Load]) {
    let worst = violation(text, t_end, loads);
    println!("{name}: {worst:.1e}");
    assert!(worst <= 1e-10, "{name}: {worst:.1e}");
}

fn zoo(name: &str) -> &'static str {
    catena::systems::find(name).expect("in the zoo").text
}

#[test]
fn pins_and_guides_hold_the_linkages_of_the_zoo() {
    assert_balanced("four-bar-bodies", zoo("four-bar-bodies"), 2.0, &[]);
    assert_balanced("slider-crank-bodies", zoo("slider-crank-bodies"), 1.0, &[]);
    let drive = [("crank", ["", "", "drive_torque"])];
    assert_balanced("dwell-linkage", zoo("dwell-linkage"), 1.0, &drive);
    let short = zoo("n-four-bar");
    assert_balanced("n-four-bar", short, 0.6, &[]);
}

#[test]
fn slots_springs_and_forces_hold_the_machines_of_the_zoo() {
    // what springs and forces do to a body, as columns: the force at the foot turns the bar, too
    let lift = format!(
        "{}\n[outputs]\npull_x = \"-foot_spring_force*right1_A_x/foot_spring_length\"\n\
         pull_y = \"-foot_spring_force*right1_A_y/foot_spring_length\"\n\
         pull_m = \"-foot_spring_force*((right1_A_x - right1_x)*right1_A_y - (right1_A_y - right1_y)*right1_A_x)/foot_spring_length\"\n",
        zoo("scissor-lift")
    );
    assert_balanced("scissor-lift", &lift, 1.0, &[("right1", ["pull_x", "pull_y", "pull_m"])]);
    let shaper = format!("{}\n[outputs]\ncutting = \"cutting_x\"\n", zoo("quick-return"));
    let loads = [("crank", ["", "", "drive_torque"]), ("ram", ["cutting", "", ""])];
    assert_balanced("quick-return", &shaper, 1.0, &loads);
}

/// Weld and distance, which the zoo does not have.
#[test]
fn welds_and_massless_rods_hold_a_crane() {
    let crane = r#"
        [[body]]
        name = "boom"
        mass = 5
        length = 2
        angle = "30 deg"
        [[body]]
        name = "jib"
        mass = 1
        length = 0.7
        [[body]]
        name = "load"
        mass = 3
        inertia = 0.2
        points = { H = [0.1, 0.2] }
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0, 0], "boom.A"]
        [[joint]]
        name = "W"
        type = "weld"
        between = ["boom.B", "jib.A"]
        angle = "-50 deg"
        [[joint]]
        name = "rope"
        type = "distance"
        between = ["jib.B", "load.H"]
        length = 0.8
        [initial]
        boom_angle = "30 deg"
        load_angle = 0
        load_x = 2.2
        "boom_angle'" = 0.7
        "#;
    assert_balanced("crane", crane, 1.5, &[]);
}

/// A pinion between a second gear and a rack that slides in a turned guide.
pub(crate) const TRAIN: &str = r#"
        [[body]]
        name = "pinion"
        mass = 1
        inertia = 0.02
        centre = [0.01, 0.02]
        points = { C = [0, 0] }
        [[body]]
        name = "gear"
        mass = 2
        inertia = 0.05
        centre = [0, 0.03]
        points = { C = [0, 0] }
        [[body]]
        name = "rack"
        mass = 3
        inertia = 0.1
        points = { T = [0.1, 0.05] }
        [[joint]]
        name = "A"
        type = "revolute"
        between = [[0, 0.1], "pinion.C"]
        [[joint]]
        name = "B"
        type = "revolute"
        between = [[0.3, 0.1], "gear.C"]
        [[joint]]
        name = "teeth"
        type = "gear"
        between = ["pinion", "gear"]
        ratio = -0.5
        [[joint]]
        name = "rail"
        type = "prismatic"
        between = [[0, 0], "rack"]
        axis = [3, -1]
        [[joint]]
        name = "drive"
        type = "rack"
        between = ["pinion.C", "rack.T"]
        axis = [3, -1]
        radius = 0.1
        [initial]
        pinion_angle = 0
        "pinion_angle'" = 2
        "#;

#[test]
fn gears_and_racks_hold_a_train() {
    assert_balanced("train", TRAIN, 1.0, &[]);
}
