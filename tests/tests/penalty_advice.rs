//! The advisor of penalties: its map knows the published instability, its proposal cures it.

use catena::RunSettings;
use catena::analysis::penalty_map;
use catena_tests::ready;

#[test]
fn the_map_marks_the_published_instability_and_the_proposal_runs() {
    let model = ready("double-pendulum-cartesian", &[]);
    let midpoint = catena::integrator::find("implicit-midpoint").expect("the catalogue has it");
    let map = penalty_map(&model, midpoint, 10.0, &|_| false).expect("it maps");
    let cell = |alpha: f64, step: f64| {
        let found = map.cells.iter().find(|cell| cell.alpha == alpha && cell.step == step);
        *found.expect("the pair is on the map")
    };
    // largest velocity errors at α = 10⁷ were published as > 10, 0.063, 0.010 and 4.3e-4 m/s
    assert!(cell(1e7, 0.02).unstable);
    for (step, published) in [(0.01, 0.063), (0.005, 0.010), (0.001, 4.3e-4)] {
        let found = cell(1e7, step).velocity_error;
        assert!(found > 0.5 * published && found < 1.2 * published, "{step}: {found}");
    }
    let proposal = map.proposal.expect("there is a proposal");
    let mut with = vec![format!("alpha={:e}", proposal.cell.alpha)];
    with.extend(proposal.cell.omega.map(|omega| format!("omega={omega}")));
    let run = |formulation: &str, integrator: &str, step: Option<f64>, with: Vec<String>| {
        let request = RunSettings {
            formulation: Some(formulation.into()),
            integrator: Some(integrator.into()),
            step,
            rtol: Some(1e-10),
            atol: Some(1e-10),
            t_end: Some(4.0),
            every: Some(0.02),
            with,
            ..RunSettings::default()
        };
        catena::run(&model, &request).expect("it runs")
    };
    let exact = run("projection", "dop853", None, vec![]);
    let found =
        run(proposal.cell.formulation(), "implicit-midpoint", Some(proposal.cell.step), with);
    for name in ["x1'", "y1'", "x2'", "y2'"] {
        let pairs = found.table.column(name).into_iter().zip(exact.table.column(name));
        for (a, b) in pairs.flat_map(|(a, b)| a.iter().zip(b)) {
            assert!((a - b).abs() < 0.05, "{name}: {a} and {b}");
        }
    }
}

/// Whatever the units of the velocities: a proposal is a cell of the table, near its best one, with the longest step
/// of those.
#[test]
fn the_proposal_is_the_longest_step_near_the_best_cell_of_the_table() {
    for (name, settings) in [
        ("double-pendulum-cartesian", &[][..]),
        ("four-bar", &["theta2'=6"]),
        ("single-pendulum", &["theta=0.1"]),
        ("slider-crank", &[]),
    ] {
        let model = ready(name, settings);
        let midpoint = catena::integrator::find("implicit-midpoint").expect("the catalogue has it");
        let map = penalty_map(&model, midpoint, 1.0, &|_| false).expect("it maps");
        let smallest = map.cells.iter().map(|cell| cell.velocity_error).fold(f64::MAX, f64::min);
        let Some(proposal) = map.proposal else {
            assert!(smallest > 0.005 * map.largest_velocity, "{name} has a good cell");
            continue;
        };
        let cell = proposal.cell;
        assert!(map.cells.contains(&cell), "{name}: {cell:?} is not in the table");
        assert_eq!(proposal.best.velocity_error, smallest);
        assert!(cell.velocity_error <= 10.0 * smallest, "{name}: {cell:?}, the best {smallest}");
        let is_better = |other: &&catena::analysis::Cell| {
            other.velocity_error <= 10.0 * smallest && other.step > cell.step
        };
        let better = map.cells.iter().find(is_better);
        assert!(better.is_none_or(|other| other.velocity_error > 0.005 * map.largest_velocity));
        let answer = catena::ask("penalty", &model, &[("t_end", "1")]).expect("it answers");
        let words = answer.words.write(&|_, text| text.to_owned(), &|text| text.to_owned());
        assert!(words.contains("the smallest error of the table"), "{words}");
    }
}

#[test]
fn a_model_without_constraints_has_no_map() {
    let error = catena::ask("penalty", &ready("double-pendulum", &[]), &[("integrator", "rk4")]);
    assert!(error.is_err_and(|error| error.to_string().contains("no constraints")));
}
