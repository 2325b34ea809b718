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
    with.extend(proposal.omega.map(|omega| format!("omega={omega}")));
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
    let found = run(proposal.formulation, "implicit-midpoint", Some(proposal.cell.step), with);
    for name in ["x1'", "y1'", "x2'", "y2'"] {
        let pairs = found.table.column(name).into_iter().zip(exact.table.column(name));
        for (a, b) in pairs.flat_map(|(a, b)| a.iter().zip(b)) {
            assert!((a - b).abs() < 0.05, "{name}: {a} and {b}");
        }
    }
}

#[test]
fn a_model_without_constraints_has_no_map() {
    let error = catena::ask("penalty", &ready("double-pendulum", &[]), &[("integrator", "rk4")]);
    assert!(error.is_err_and(|error| error.to_string().contains("no constraints")));
}
