//! What kind of motion models come to, against exponents of a reference, closed forms and longer runs.

use catena::analysis::{
    Classified, ClassifiedMotion, ClassifyRequest, DrivePeriod, MotionClass, Watch, classify,
    classify_some,
};
use catena::ensemble::Axis;
use catena::model::Options;
use catena::{Model, RunSettings};
use catena_tests::{Random, ready, written};
use serde_json::Value;

fn axis(name: &str, values: &[f64]) -> Axis {
    Axis { name: name.to_owned(), values: values.to_vec() }
}

fn request(model: &Model, over: Vec<Axis>) -> ClassifyRequest {
    ClassifyRequest {
        threads: 2,
        ..ClassifyRequest::new(model, over, DrivePeriod::find(model).ok())
    }
}

fn classified(model: &Model, request: &ClassifyRequest) -> Vec<ClassifiedMotion> {
    let found: Classified = classify(model, request, &|_| false).expect("motions");
    found.cells.into_iter().map(|motion| motion.expect("it was not stopped")).collect()
}

fn alone(name: &str, settings: &[&str]) -> ClassifiedMotion {
    let model = ready(name, settings);
    classified(&model, &request(&model, Vec::new())).remove(0)
}

/// `tests/reference/triple_exponents.json` says where it comes from.
fn reference() -> Vec<Value> {
    let text = include_str!("../reference/triple_exponents.json");
    let value: Value = serde_json::from_str(text).expect("the reference is JSON");
    value["rows"].as_array().expect("rows").clone()
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("{key} of {row}"))
}

/// Rows of the reference with this friction and frequency, classified side by side.
fn against_reference(friction: &str, frequency: &str, amplitudes: &[f64], periods: u64) {
    let settings = [format!("R={friction}"), format!("f={frequency}")];
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let model = ready("triple-pendulum", &settings);
    let same = |row: &Value, key: &str, text: &str| {
        (number(row, key) - text.parse::<f64>().expect("a number")).abs() < 1e-12
    };
    let rows: Vec<Value> = reference()
        .into_iter()
        .filter(|row| same(row, "R", friction) && same(row, "f", frequency))
        .filter(|row| amplitudes.contains(&number(row, "eta0")))
        .collect();
    assert_eq!(rows.len(), amplitudes.len());
    let amplitudes: Vec<f64> = rows.iter().map(|row| number(row, "eta0")).collect();
    let request = ClassifyRequest {
        max_periods: periods,
        ..request(&model, vec![axis("eta0", &amplitudes)])
    };
    for (row, motion) in rows.iter().zip(classified(&model, &request)) {
        let expected = row["class"].as_str().expect("a class");
        assert_eq!(motion.class.name(), expected, "{row}: {motion:?}");
        if expected == "periodic" {
            assert_eq!(motion.multiple, 1, "{row}: {motion:?}");
        }
        if let Some(exponent) = row["exponent"].as_f64() {
            let error = (motion.exponent - exponent).abs();
            let bound = 4.0 * motion.exponent_error + 0.1 * exponent.abs();
            assert!(error <= bound, "{row}: {} ± {}", motion.exponent, motion.exponent_error);
        }
    }
}

#[test]
fn strongly_damped_swings_are_periodic_with_the_exponents_of_the_reference() {
    against_reference("1", "0.3", &[0.05, 0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.7, 1.0], 4096);
}

#[test]
fn weakly_damped_swings_tori_and_tumbling_are_told_apart() {
    against_reference("0.1", "0.5", &[0.35, 0.4, 0.45, 0.7], 4096);
}

#[test]
#[ignore = "takes long"]
fn every_row_of_the_reference_is_right() {
    for (friction, frequency) in [
        ("1", "0.3"),
        ("0.1", "0.5"),
        ("0.1", "1.5"),
        ("0.01", "0.3"),
        ("0.01", "0.5"),
        ("0.01", "1.5"),
    ] {
        let near = |row: &Value, key: &str, text: &str| {
            (number(row, key) - text.parse::<f64>().expect("a number")).abs() < 1e-12
        };
        let rows = reference().into_iter();
        let own = rows.filter(|row| near(row, "R", friction) && near(row, "f", frequency));
        let amplitudes: Vec<f64> = own.map(|row| number(&row, "eta0")).collect();
        assert!(!amplitudes.is_empty());
        against_reference(friction, frequency, &amplitudes, 65536);
    }
}

/// Exponents of motions that turn with the pivot, by two trajectories 1e-6 apart whose angles are kept on the circle
/// (Runge–Kutta of order 4, step 0.01 s, 6000 s after 9000 s): without that, rounding of angles of 1e5 rad looks like growth.
#[test]
#[ignore = "takes long"]
fn motions_that_turn_with_the_pivot_are_rotations_and_not_chaos() {
    let model = ready("triple-pendulum", &["R=0.1", "f=1.5"]);
    let known = [(0.4, -0.0168), (0.45, -0.0274), (0.5, -0.0113), (1.0, -0.0223)];
    let amplitudes = known.map(|(amplitude, _)| amplitude);
    let request =
        ClassifyRequest { max_periods: 32768, ..request(&model, vec![axis("eta0", &amplitudes)]) };
    for ((amplitude, exponent), motion) in known.iter().zip(classified(&model, &request)) {
        assert_eq!(motion.class, MotionClass::Rotating, "{amplitude}: {motion:?}");
        let error = (motion.exponent - exponent).abs();
        assert!(error < 4.0 * motion.exponent_error, "{amplitude}: {motion:?}");
    }
}

#[test]
fn the_driven_pendulum_does_what_its_file_says() {
    let model = ready("driven-pendulum", &[]);
    let drives = [0.9, 1.07, 1.15, 1.35, 1.5];
    let request =
        ClassifyRequest { max_periods: 2048, ..request(&model, vec![axis("drive", &drives)]) };
    let found = classified(&model, &request);
    let seen: Vec<(MotionClass, u32, i64)> =
        found.iter().map(|motion| (motion.class, motion.multiple, motion.turns.abs())).collect();
    assert_eq!(
        seen,
        [
            (MotionClass::Periodic, 1, 0),
            (MotionClass::Periodic, 2, 0),
            (MotionClass::Chaotic, 0, 0),
            (MotionClass::Rotating, 1, 1),
            (MotionClass::Chaotic, 0, 0),
        ]
    );
}

#[test]
fn systems_without_a_drive_rest_swing_or_wander() {
    let small = alone("elastic-pendulum", &["x=0.02", "y=-1.36"]);
    assert_eq!(small.class, MotionClass::QuasiPeriodic, "{small:?}");
    let model = ready("double-pendulum-cartesian", &[]);
    let few = ClassifyRequest { max_periods: 1024, ..request(&model, Vec::new()) };
    let constrained = classified(&model, &few).remove(0);
    assert_eq!(constrained.class, MotionClass::Chaotic, "{constrained:?}");
    let swing = alone("single-pendulum", &[]);
    assert_eq!((swing.class, swing.multiple), (MotionClass::Periodic, 1), "{swing:?}");
    let resting = alone("lorenz", &["rho=15"]);
    assert_eq!(resting.class, MotionClass::AtRest, "{resting:?}");
    let model = ready("lorenz", &[]);
    let request = ClassifyRequest { max_periods: 1024, ..request(&model, Vec::new()) };
    let butterfly = classified(&model, &request).remove(0);
    assert_eq!(butterfly.class, MotionClass::Chaotic, "{butterfly:?}");
    assert!((butterfly.exponent - 0.9056).abs() < 4.0 * butterfly.exponent_error, "{butterfly:?}");
}

#[test]
fn a_limit_cycle_is_periodic_with_its_period() {
    let model = written(
        r#"
        parameters = { mu = 1 }
        states = { x = "y", y = "mu*(1 - x^2)*y - x" }
        initial = { x = 0.1, y = 0 }
        "#,
    );
    let motion = classified(&model, &request(&model, Vec::new())).remove(0);
    assert_eq!((motion.class, motion.multiple), (MotionClass::Periodic, 1), "{motion:?}");
    assert!((motion.period - 6.663_286_859).abs() < 1e-5, "{} s", motion.period);
}

#[test]
fn a_pendulum_on_a_crank_that_a_motor_turns_rotates_with_it() {
    let model = written(
        r#"
        parameters = { w = 3 }
        [[body]]
        name = "crank"
        mass = 1
        length = 0.1
        [[body]]
        name = "arm"
        mass = 1
        length = 0.5
        angle = "-90 deg"
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0, 0], "crank.A"]
        [[joint]]
        name = "B"
        type = "revolute"
        between = ["crank.B", "arm.A"]
        friction = 0.3
        [[motor]]
        name = "drive"
        joint = "O"
        angle = "-w*t"
        "#,
    );
    let motion = classified(&model, &request(&model, Vec::new())).remove(0);
    assert_eq!(
        (motion.class, motion.multiple, motion.turns),
        (MotionClass::Rotating, 1, -1),
        "{motion:?}"
    );
    let prescribed = ready("quick-return", &[]);
    let refused = classify(&prescribed, &request(&prescribed, Vec::new()), &|_| false);
    assert_eq!(
        refused.expect_err("nothing is free").to_string(),
        "nothing moves by itself: motors and constraints prescribe the whole motion"
    );
}

#[test]
fn random_cells_agree_with_runs_ten_times_as_long() {
    let [decided, agree] = agreement(40);
    assert!(decided >= 34, "{decided} of 40 decided");
    assert!(agree + 1 >= decided, "{agree} of {decided} agree");
}

#[test]
#[ignore = "takes long"]
fn two_hundred_random_cells_agree_with_runs_ten_times_as_long() {
    let [decided, agree] = agreement(200);
    assert!(decided >= 170, "{decided} of 200 decided");
    assert!(agree as f64 >= 0.98 * decided as f64, "{agree} of {decided} agree");
}

/// Of so many random cells of a map how many are decided, and how many of those stay what they are in longer runs.
fn agreement(count: usize) -> [usize; 2] {
    let model = ready("driven-pendulum", &[]);
    let values = |low: f64, high: f64| -> Vec<f64> {
        (0..40).map(|at| low + (high - low) * f64::from(at) / 39.0).collect()
    };
    let over = vec![axis("drive", &values(0.9, 1.5)), axis("tune", &values(0.4, 0.9))];
    let short = request(&model, over);
    let long = ClassifyRequest { max_periods: 10 * short.max_periods, ..short.clone() };
    let mut random = Random::new(15);
    let cells: Vec<usize> = (0..count).map(|_| random.between(0.0, 1600.0) as usize).collect();
    let of = |request: &ClassifyRequest| {
        classify_some(&model, request, &cells, &|_| false).expect("cells")
    };
    let (short, long) = (of(&short), of(&long));
    let class = |found: &Classified, cell: usize| found.cells[cell].as_ref().map(|it| it.class);
    let decided: Vec<usize> = cells
        .into_iter()
        .filter(|&cell| class(&short, cell) != Some(MotionClass::Undecided))
        .collect();
    let agree = decided.iter().filter(|&&cell| class(&short, cell) == class(&long, cell)).count();
    [decided.len(), agree]
}

fn asked(name: &str, options: &[(&str, &str)], settings: &[&str]) -> Result<String, String> {
    let analysis = catena::analysis::find("classify").expect("it is in the catalogue");
    let model = ready(name, settings);
    let mut values = Options::new(analysis.options);
    for (key, text) in options {
        values.set_text(key, text).unwrap_or_else(|error| panic!("{error}"));
    }
    let question = catena::analysis::Question {
        model: &model,
        run: &RunSettings::new(),
        options: &values,
        is_filmed: false,
    };
    match (analysis.ask)(&question, &Watch::UNSEEN) {
        Ok(answer) => Ok(answer.words.to_text()),
        Err(refusal) => Err(format!("{refusal}; {}", refusal.help.as_deref().unwrap_or_default())),
    }
}

#[test]
fn bad_questions_are_refused_in_a_sentence() {
    let refused = |name: &str, options: &[(&str, &str)], settings: &[&str]| {
        asked(name, options, settings).expect_err("no answer")
    };
    assert_eq!(
        refused("driven-pendulum", &[("period", "3")], &[]),
        "the equations are not the same again after 3 s; leave out {period} and it is found from the equations, or give \
         one after which they repeat"
    );
    assert_eq!(
        refused("desk-lamp", &[], &[]),
        "the drive never repeats: time enters other than by sines, cosines and motors of constant rate; ask about a motion \
         that does not need a period"
    );
    assert_eq!(
        refused("driven-pendulum", &[("over", "drive=1,2"), ("over", "drive=1,2")], &[]),
        "`drive` is varied twice; give {over} once for each name"
    );
    assert_eq!(
        refused("driven-pendulum", &[("over", "drivee=1,2")], &[]),
        "`drivee` is neither a parameter nor an initial value of this model, so it cannot be varied; did you \
         mean `drive`?"
    );
}

#[test]
fn undecided_cells_say_why() {
    let said =
        asked("triple-pendulum", &[("over", "eta0=0.05,0.06"), ("periods", "64")], &["R=0.01"]);
    let said = said.expect("a map");
    assert!(said.contains("undecided: 2 of 2 because "), "{said}");
    assert!(said.contains("most cells are undecided"), "{said}");
}
