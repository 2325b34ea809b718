//! Crossings of sections: found where closed forms have them, in lanes as one by one, whoever runs beside.

use catena::ensemble::{
    Axis, Crossing, DeviceChoice, Engine, Grid, Measure, PoincareSection, Schedule, Statistic,
    Sweep, SweepOptions, Task, Workload,
};
use catena::formulation::OptionValues;
use catena::integrator::Options;
use catena::model::{Model, Source};
use catena_compile::InstructionSet;
use catena_tests::ready;
use std::f64::consts::PI;

fn options(formulation: &str, t_end: f64, rtol: f64) -> SweepOptions {
    SweepOptions {
        formulation: catena::formulation::find(formulation).unwrap(),
        formulation_options: OptionValues::default(),
        integrator: catena::integrator::find("dop853").unwrap(),
        integration: Options { rtol, atol: 1e-3 * rtol, ..Options::default() },
        schedule: Schedule::of_numbers(t_end, None, None),
        instruction_set: InstructionSet::best(),
        device: DeviceChoice::Processor,
    }
}

fn model(text: &str) -> Model {
    Model::read(Source::new("test", text), &[]).unwrap()
}

fn time(model: &Model, over: Axis, section: &str, options: SweepOptions) -> (usize, Vec<f64>) {
    let measure = Measure { statistic: Statistic::Time, column: section.to_owned() };
    let sweep = Sweep::new(model, Grid { axes: vec![over] }, vec![measure], options).unwrap();
    let block = sweep.worker().run(0..sweep.len(), &|| false).unwrap();
    assert!(block.failures.is_empty(), "{:?}", block.failures);
    (sweep.lanes(), block.values)
}

/// All crossings of trajectories that begin at these values.
struct Recorded {
    waiting: Vec<f64>,
    places: Vec<usize>,
    /// For each trajectory the crossings with the first column there.
    found: Vec<Vec<(Crossing, f64)>>,
    most: usize,
    rows_behind_end: usize,
}

impl Recorded {
    fn of(engine: &Engine, starts: &[f64], most: usize) -> Recorded {
        let mut recorded = Recorded {
            waiting: starts.iter().rev().copied().collect(),
            places: vec![0; engine.lanes()],
            found: Vec::new(),
            most,
            rows_behind_end: 0,
        };
        assert!(engine.runner().run(&mut recorded, &|| false));
        recorded
    }
}

impl Workload for Recorded {
    fn next(&mut self, place: usize, task: &mut Task) -> bool {
        let Some(value) = self.waiting.pop() else { return false };
        task.values = vec![value];
        self.places[place] = self.found.len();
        self.found.push(Vec::new());
        true
    }

    fn row(&mut self, place: usize, t: f64, _columns: &[f64]) {
        let crossings = &self.found[self.places[place]];
        let last = crossings.last().map_or(f64::INFINITY, |(crossing, _)| crossing.time);
        self.rows_behind_end += usize::from(crossings.len() == self.most && t > last);
    }

    fn crossing(&mut self, place: usize, crossing: Crossing, columns: &[f64]) -> bool {
        let crossings = &mut self.found[self.places[place]];
        crossings.push((crossing, columns[0]));
        crossings.len() < self.most
    }

    fn end(&mut self, _place: usize, outcome: Result<(), String>) {
        assert_eq!(outcome, Ok(()));
    }
}

fn engine(model: &Model, varied: &str, section: &str, options: SweepOptions) -> Engine {
    let set = options.formulation.coordinates;
    let column = model.system(set).coordinates[0].name.clone();
    let section = PoincareSection::read(model, set, section, None).unwrap();
    let first = Task { values: vec![0.3], ..Task::default() };
    let names = (vec![varied.to_owned()], vec![column]);
    Engine::with_sections(model, names, options, &[section], &first).unwrap()
}

const OSCILLATOR: &str = "[coordinates]\nx = \"\"\n[energy]\nkinetic = \"1/2*x'^2\"\n\
                          potential = \"1/2*x^2\"\n[initial]\nx = 1\n\"x'\" = 0\n";

#[test]
fn an_oscillator_crosses_zero_at_quarter_turns_whatever_its_amplitude() {
    let engine = engine(&model(OSCILLATOR), "x", "x = 0", options("minimal", 30.0, 1e-12));
    assert!(engine.lanes() > 1);
    let starts: Vec<f64> = (1..=19).map(|at| 0.3 * f64::from(at)).collect();
    let recorded = Recorded::of(&engine, &starts, usize::MAX);
    for (start, crossings) in starts.iter().zip(&recorded.found) {
        assert_eq!(crossings.len(), 10, "{start}");
        for (at, (crossing, x)) in crossings.iter().enumerate() {
            assert!((crossing.time - PI * (at as f64 + 0.5)).abs() < 1e-10, "{crossing:?}");
            assert_eq!(crossing.direction, if at % 2 == 0 { -1 } else { 1 });
            assert!(x.abs() < 1e-13 * start, "{x}: the column is that of the crossing");
        }
    }
}

#[test]
fn a_trajectory_ends_at_the_crossing_it_is_told_to_and_has_no_later_rows() {
    let mut options = options("minimal", 30.0, 1e-9);
    options.schedule = Schedule::of_numbers(30.0, Some(0.01), None);
    let engine = engine(&model(OSCILLATOR), "x", "x = 0", options);
    let recorded = Recorded::of(&engine, &[0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5], 3);
    assert!(recorded.found.iter().all(|crossings| crossings.len() == 3));
    assert_eq!(recorded.rows_behind_end, 0);
}

/// A stone is a parabola: one step goes all the way, up through the section and down again.
#[test]
fn both_crossings_of_one_long_step_are_found() {
    let stone = model(
        "[coordinates]\ny = \"\"\n[energy]\nkinetic = \"1/2*y'^2\"\npotential = \"10*y\"\n\
         [initial]\ny = 0\n\"y'\" = 20\n",
    );
    let engine = engine(&stone, "y'", "y = 20", options("minimal", 4.0, 1e-6));
    // just above, far above, and not at all
    let speeds = [20.0 + 1e-7, 22.0, 20.0 - 1e-7];
    let recorded = Recorded::of(&engine, &speeds, usize::MAX);
    for (v, crossings) in speeds.iter().zip(&recorded.found) {
        let root = v * v - 2.0 * 10.0 * 20.0;
        let expected = [(v - root.sqrt()) / 10.0, (v + root.sqrt()) / 10.0];
        let times: Vec<f64> = crossings.iter().map(|(crossing, _)| crossing.time).collect();
        match root > 0.0 {
            true => {
                assert_eq!(times.len(), 2, "{v}: {times:?}");
                let off = times.iter().zip(expected).map(|(t, e)| (t - e).abs());
                assert!(off.fold(0.0, f64::max) < 1e-9, "{v}: {times:?}, {expected:?}");
            }
            false => assert_eq!(times, [0.0; 0], "{v}"),
        }
    }
}

const ROTOR: &str = "[coordinates]\nq = { text = \"\", angle = true }\n[energy]\n\
                     kinetic = \"1/2*q'^2\"\n[initial]\nq = 0\n\"q'\" = 1\n";

/// q = q₀ + t passes π + 2πk: an angle is meant on the circle, in both directions.
#[test]
fn an_angle_passes_a_place_on_the_circle_wherever_it_began() {
    let over = Axis::linear("q", -10.0, 10.0, 23);
    let starts = over.values.clone();
    let (_, times) = time(&model(ROTOR), over, "q = pi", options("minimal", 10.0, 1e-10));
    for (start, time) in starts.iter().zip(times) {
        let expected = (PI - start).rem_euclid(2.0 * PI);
        assert!((time - expected).abs() < 1e-9, "{start}: {time}, {expected}");
    }
    let over = || Axis::linear("q'", -2.0, 2.0, 4);
    let (_, never) = time(&model(ROTOR), over(), "q = pi:down", options("minimal", 10.0, 1e-10));
    assert!(never[2].is_nan() && never[3].is_nan(), "{never:?}");
    assert!((never[0] - PI / 2.0).abs() < 1e-9, "{never:?}");
}

/// Where an angle begins opposite to the place, its tangent has a pole and its sine an extreme value.
#[test]
fn a_start_opposite_to_a_place_on_the_circle_is_no_crossing() {
    let pendulum = ready("double-pendulum", &["theta2=0"]);
    let axis = || Axis { name: "theta1".into(), values: vec![2.538, 2.54, 2.9] };
    for integrator in ["dop853", "radau5"] {
        let integrator = catena::integrator::find(integrator).unwrap();
        let options = || SweepOptions { integrator, ..options("minimal", 10.0, 1e-8) };
        let times = |section: &str| time(&pendulum, axis(), section, options()).1;
        let [both, up, down] = ["theta2 = pi", "theta2 = pi:up", "theta2 = pi:down"].map(times);
        for (cell, expected) in times("cos(theta2/2)").iter().enumerate() {
            assert!(*expected > 1.0, "{expected}");
            for first in [both[cell], up[cell].min(down[cell])] {
                assert!((first - expected).abs() < 1e-7, "{cell}: {first}, {expected}");
            }
        }
    }
}

#[test]
fn starts_on_a_section_and_those_that_never_reach_it_have_no_time() {
    let pendulum = ready("double-pendulum", &[]);
    let over = Axis { name: "theta1".into(), values: vec![PI, 0.1, 2.5] };
    let (_, times) = time(&pendulum, over, "turnover", options("minimal", 3.0, 1e-8));
    assert!(
        times[0].is_nan() || times[0] > 0.1,
        "π is rounded, and the start on the section: {times:?}"
    );
    assert!(times[1].is_nan(), "too little energy: {times:?}");
    assert!(times[2] > 0.1, "{times:?}");
}

#[test]
fn neighbours_change_no_bit_of_a_crossing() {
    let pendulum = ready("double-pendulum", &[]);
    let axis = |values: &[f64]| Axis { name: "theta1".into(), values: values.to_vec() };
    let starts = Axis::linear("theta1", 1.0, 3.0, 13).values;
    let options = || options("minimal", 20.0, 1e-7);
    let (lanes, together) = time(&pendulum, axis(&starts), "turnover", options());
    assert!(lanes > 1);
    for (start, time_together) in starts.iter().zip(together) {
        let (_, alone) = time(&pendulum, axis(&[*start]), "turnover", options());
        assert_eq!(alone[0].to_bits(), time_together.to_bits(), "{start}");
    }
}

/// The same mechanism with constraints, by a formulation that lanes do not have.
#[test]
fn constrained_models_cross_one_by_one_where_minimal_ones_cross_in_lanes() {
    let cartesian = ready("double-pendulum-cartesian", &[]);
    let minimal = ready("double-pendulum", &[]);
    let set = |value: f64| Axis { name: "l2".into(), values: vec![value, 1.1 * value] };
    let found = [
        time(&cartesian, set(1.0), "x2 - x1:down", options("projection", 3.0, 1e-9)),
        time(&minimal, set(1.0), "sin(theta2):down", options("minimal", 3.0, 1e-9)),
    ];
    assert_eq!(found[0].0, 1);
    assert!(found[1].0 > 1);
    let off = found[0].1.iter().zip(&found[1].1).map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f64::max) < 1e-6, "{found:?}");
}
