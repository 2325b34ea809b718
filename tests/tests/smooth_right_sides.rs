//! Models whose mass matrix is singular everywhere, whose constraints follow from each other in every pose, or that
//! swing through singular poses: the right-hand side is a smooth function of the state all the same. A start that is
//! perturbed by rounding leads to the same motion in the same number of evaluations, whatever the formulation.

use catena::formulation::FORMULATIONS;
use catena::simulation::{Run, StopReason};
use catena::{Model, RunSettings};
use catena_tests::{difference, ready, written};

const EULER_PARAMETERS: &str = include_str!("smooth_right_sides/euler_parameters.toml");
const EULER_ANGLES: &str = include_str!("smooth_right_sides/euler_angles.toml");
const SPATIAL_LOOP: &str = include_str!("smooth_right_sides/spatial_loop.toml");
const PARALLEL_BARS: &str = include_str!("smooth_right_sides/parallel_bars.toml");
const MASSLESS_LINK: &str =
    "title = \"Chain\"\n[chain]\nlinks = 3\nmass = [1, 0, 1.5]\nstart = \"horizontal\"\n";

/// What rounding does to a number, and a little more.
const PERTURBATION: f64 = 1e-15;
/// What it may do to the number of evaluations.
const MAX_CHANGE_OF_EVALUATIONS: f64 = 0.05;

fn request(formulation: &str, tolerance: f64, t_end: f64) -> RunSettings {
    RunSettings {
        formulation: Some(formulation.into()),
        integrator: Some("dopri5".into()),
        rtol: Some(tolerance),
        atol: Some(tolerance),
        t_end: Some(t_end),
        every: Some(t_end / 50.0),
        no_certify: true,
        ..RunSettings::default()
    }
}

fn finished(model: &Model, request: &RunSettings) -> Run {
    let run = catena::run(model, request).unwrap_or_else(|error| panic!("{request:?}: {error}"));
    assert_eq!(run.certificate.stop, StopReason::Finished, "{request:?}");
    run
}

fn evaluations(run: &Run) -> f64 {
    run.certificate.statistics.evaluations as f64
}

fn column<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    run.table.column(name).unwrap_or_else(|| panic!("a column {name}"))
}

/// Runs a model from its start and from one that differs by rounding, by every formulation that takes it.
fn assert_smooth(
    model: impl Fn(f64) -> Model,
    column_name: &str,
    (tolerance, t_end): (f64, f64),
    leaves_out: &[&str],
) {
    let exact = model(0.0);
    let mut tried = 0;
    for entry in FORMULATIONS.iter().filter(|entry| (entry.refuses)(&exact).is_none()) {
        if leaves_out.contains(&entry.name) {
            continue;
        }
        tried += 1;
        let request = request(entry.name, tolerance, t_end);
        let plain = finished(&exact, &request);
        for perturbation in [PERTURBATION, -PERTURBATION] {
            let other = finished(&model(perturbation), &request);
            let change = evaluations(&other) / evaluations(&plain) - 1.0;
            println!("{}: {} evaluations, {change:+.2e}", entry.name, evaluations(&plain));
            assert!(change.abs() < MAX_CHANGE_OF_EVALUATIONS, "{}: {change:+.2e}", entry.name);
            let motion = difference(column(&other, column_name), column(&plain, column_name));
            assert!(motion < 1e4 * tolerance, "{}: {motion:.1e}", entry.name);
        }
    }
    assert!(tried >= 5, "{tried} formulations");
}

/// A model with a number of its start, as it is written there, changed by rounding.
fn perturbed(text: &str, line: &str, value: f64) -> impl Fn(f64) -> Model {
    assert!(text.contains(line), "{line}");
    let (name, _) = line.split_once(" = ").expect("a line of a start");
    let (text, line, name) = (text.to_owned(), line.to_owned(), name.to_owned());
    move |perturbation| {
        let changed = format!("{name} = {:?}", value * (1.0 + perturbation));
        written(&text.replacen(&line, &changed, 1))
    }
}

#[test]
fn a_rigid_body_in_euler_parameters_moves_smoothly() {
    let model = perturbed(EULER_PARAMETERS, "\"q1'\" = 0.25", 0.25);
    // springs in the place of the constraint leave a motion without inertia
    assert_smooth(model, "q1", (1e-10, 2.0), &["penalty"]);
    let refused = catena::run(&written(EULER_PARAMETERS), &request("penalty", 1e-6, 1.0));
    let message = refused.expect_err("it has no equation of motion").to_string();
    assert!(message.contains("the mass matrix is singular: `q"), "{message}");
}

#[test]
fn an_overconstrained_spatial_loop_moves_smoothly() {
    let model = perturbed(SPATIAL_LOOP, "g = 9.81  ", 9.81);
    assert_smooth(model, "x2", (1e-9, 2.0), &["penalty"]);
}

#[test]
fn three_parallel_bars_move_smoothly() {
    let model = perturbed(PARALLEL_BARS, "g = 9.81  ", 9.81);
    assert_smooth(model, "bar1_angle", (1e-9, 2.0), &["penalty"]);
}

/// Springs in the place of constraints ask for so many steps that a shorter time has to do.
#[test]
fn springs_in_the_place_of_redundant_constraints_move_smoothly() {
    let model = perturbed(PARALLEL_BARS, "g = 9.81  ", 9.81);
    let request = request("penalty", 1e-9, 0.2);
    let plain = finished(&model(0.0), &request);
    for perturbation in [PERTURBATION, -PERTURBATION] {
        let other = finished(&model(perturbation), &request);
        let change = evaluations(&other) / evaluations(&plain) - 1.0;
        println!("{} evaluations, {change:+.2e}", evaluations(&plain));
        assert!(change.abs() < MAX_CHANGE_OF_EVALUATIONS, "{change:+.2e}");
        let motion = difference(column(&other, "bar1_angle"), column(&plain, "bar1_angle"));
        assert!(motion < 1e-5, "{motion:.1e}");
    }
}

#[test]
fn a_link_without_mass_moves_smoothly() {
    let model = |perturbation: f64| {
        let start = format!("\n[initial]\n\"theta1'\" = {:?}\n", 0.3 * (1.0 + perturbation));
        written(&format!("{MASSLESS_LINK}{start}"))
    };
    assert_smooth(model, "theta1", (1e-9, 1.0), &["penalty"]);
}

/// Within 10⁻⁷, for at most twice the evaluations.
#[test]
fn euler_parameters_agree_with_euler_angles_at_no_more_than_twice_their_cost() {
    let angles = finished(&written(EULER_ANGLES), &request("minimal", 1e-12, 4.0));
    let parameters = finished(&written(EULER_PARAMETERS), &request("projection", 1e-12, 4.0));
    let (phi, theta, psi) =
        (column(&angles, "phi"), column(&angles, "theta"), column(&angles, "psi"));
    for (row, q0) in column(&parameters, "q0").iter().enumerate() {
        let expected = (theta[row] / 2.0).cos() * ((phi[row] + psi[row]) / 2.0).cos();
        assert!((q0 - expected).abs() < 1e-7, "row {row}: {q0} and {expected}");
    }
    let energies = [&angles, &parameters].map(|run| column(run, "energy")[0]);
    assert!((energies[0] - energies[1]).abs() < 1e-12, "{energies:?}");
    let (cost, reference) = (evaluations(&parameters), evaluations(&angles));
    println!("{cost} evaluations and {reference}");
    assert!(cost < 2.0 * reference, "{cost} and {reference}");
    let remarks = parameters.certificate.remarks.join("\n");
    assert!(remarks.contains("the mass matrix alone was singular in every state"), "{remarks}");
}

#[test]
fn an_overconstrained_spatial_loop_keeps_its_energy() {
    let run = finished(&written(SPATIAL_LOOP), &request("projection", 1e-10, 10.0));
    let certificate = &run.certificate;
    assert!(certificate.energy_residual < 1e-6, "{:.1e} J", certificate.energy_residual);
    let moved = column(&run, "x2").iter().fold(0.0_f64, |most, x| most.max((x - 1.0).abs()));
    assert!(moved > 0.3, "{moved}");
    let remarks = certificate.remarks.join("\n");
    assert!(remarks.contains("followed from other constraints in every pose"), "{remarks}");
    let steps = certificate.statistics.steps + certificate.statistics.rejected;
    assert!(steps < 3_000, "{steps}");
}

/// A row of windows at its start, the speed of which is off by a perturbation.
fn windows(count: usize, perturbation: f64) -> Model {
    let text = catena::systems::find("n-four-bar").expect("it is in the zoo").text;
    let (text, _) = text.split_once("[run]").expect("settings of a run");
    let (size, start) = ("n = 2", "\"upright1_angle'\" = \"-1/L\"");
    assert!(text.contains(size) && text.contains(start));
    let changed = format!("\"upright1_angle'\" = {:?}", -1.0 - perturbation);
    written(&text.replace(size, &format!("n = {count}")).replace(start, &changed))
}

/// Swings windows through their flat poses from starts that differ by multiples of rounding: they keep their energy, and
/// the numbers of evaluations differ by less than a part.
fn assert_windows_swing(
    count: usize,
    (formulation, integrator): (&str, &str),
    perturbations: &[f64],
    allowed: f64,
) {
    let request =
        RunSettings { integrator: Some(integrator.into()), ..request(formulation, 1e-10, 10.0) };
    let mut counts = Vec::new();
    for perturbation in perturbations {
        let run = finished(&windows(count, perturbation * PERTURBATION), &request);
        let residual = run.certificate.energy_residual;
        assert!(residual < 1e-6, "{count}, {perturbation:+}, {request:?}: {residual:.1e} J");
        counts.push(evaluations(&run));
    }
    println!("{count} windows, {formulation}, {integrator}: {counts:?}");
    let least = counts.iter().copied().fold(f64::INFINITY, f64::min);
    let most = counts.iter().copied().fold(0.0, f64::max);
    assert!(most < (1.0 + allowed) * least, "{count} windows, {request:?}: {counts:?}");
}

/// Flat poses are passed with every step that step control wishes, and with those that rounding makes of them.
#[test]
fn windows_swing_through_flat_poses_and_keep_their_energy() {
    for count in [1, 2, 10] {
        // of ten windows a stage of some step comes so near the flat pose that step control has to look closely
        let allowed = if count < 10 { MAX_CHANGE_OF_EVALUATIONS } else { 0.25 };
        assert_windows_swing(count, ("projection", "dopri5"), &[0.0, 1.0, -1.0], allowed);
    }
}

/// Joint coordinates, which windows are given where nobody says otherwise.
#[test]
fn windows_swing_through_flat_poses_in_joint_coordinates_by_the_same_steps() {
    for count in [1, 2, 10] {
        for integrator in ["dopri5", "dop853"] {
            let perturbations = [0.0, 1.0, -1.0, 2.0, -2.0, 5.0];
            let methods = ("recursive", integrator);
            assert_windows_swing(count, methods, &perturbations, MAX_CHANGE_OF_EVALUATIONS);
        }
    }
}

/// Multipliers return to the constraints from the first flat pose on.
#[test]
fn windows_swing_through_flat_poses_by_multipliers() {
    for count in [1, 2, 10] {
        let methods = ("multipliers", "dopri5");
        assert_windows_swing(count, methods, &[0.0, 1.0, -1.0], MAX_CHANGE_OF_EVALUATIONS);
    }
}

/// Nothing is lost where steps are as short as a tolerance near rounding makes them.
#[test]
fn windows_in_joint_coordinates_gain_by_a_tighter_tolerance() {
    for integrator in ["dopri5", "dop853"] {
        let [loose, tight] = [1e-10, 1e-12].map(|tolerance| {
            let request = RunSettings {
                integrator: Some(integrator.into()),
                ..request("recursive", tolerance, 10.0)
            };
            finished(&windows(3, 0.0), &request)
        });
        // dopri5's order asks for a hundred to the fifth part: 2.5
        assert!(evaluations(&tight) < 3.0 * evaluations(&loose), "{}", evaluations(&tight));
        let residual = tight.certificate.energy_residual;
        assert!(residual < 1e-7, "{integrator}: {residual:.1e} J");
    }
}

/// A mass that is a millionth of its neighbours' is no singular pose: with light bodies and without them the motion is
/// the same to that order.
#[test]
fn a_light_coupler_moves_as_one_without_mass() {
    let request = request("projection", 1e-10, 1.0);
    let massless = finished(&ready("four-bar-bodies", &["m3=0"]), &request);
    for mass in [1e-6, 1e-9, 1e-12] {
        let light = finished(&ready("four-bar-bodies", &[&format!("m3={mass:e}")]), &request);
        let error = difference(column(&light, "crank_angle"), column(&massless, "crank_angle"));
        assert!(error < 1e-7 + 10.0 * mass, "{mass:e}: {error:.1e}");
    }
}
