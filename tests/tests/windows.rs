//! A row of square windows falls over and swings through its flat poses, where the constraints lose rank
//! and other branches fork off: the parallelogram has to be kept.

use catena::RunSettings;
use catena::simulation::{Run, StopReason};
use catena_tests::ready;

fn run(windows: usize, formulation: Option<&str>, integrator: &str, step: f64) -> Run {
    run_with(windows, formulation, integrator, step, &[])
}

fn run_with(
    windows: usize,
    formulation: Option<&str>,
    integrator: &str,
    step: f64,
    with: &[&str],
) -> Run {
    let request = RunSettings {
        formulation: formulation.map(str::to_owned),
        integrator: Some(integrator.into()),
        step: Some(step),
        t_end: Some(10.0),
        with: with.iter().map(|text| (*text).to_owned()).collect(),
        ..RunSettings::default()
    };
    let model = ready("n-four-bar", &[&format!("n={windows}")]);
    let run = catena::run(&model, &request).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.certificate.stop, StopReason::Finished, "{windows} windows, {formulation:?}");
    run
}

/// The largest difference between the angles of two uprights.
fn split(run: &Run) -> f64 {
    let angle = |name: &&str| name.starts_with("upright") && name.ends_with("_angle");
    let angles: Vec<&[f64]> =
        run.table.names().filter(angle).filter_map(|name| run.table.column(name)).collect();
    assert!(angles.len() >= 2);
    let others = angles[1..].iter().flat_map(|other| other.iter().zip(angles[0]));
    others.fold(0.0, |split: f64, (a, b)| split.max((a - b).abs()))
}

#[test]
fn uprights_stay_parallel_through_flat_poses() {
    for windows in [1, 2, 10] {
        for formulation in ["projection", "coordinate-partitioning", "recursive"] {
            let run = run(windows, Some(formulation), "dopri5", 0.01);
            assert!(split(&run) < 1e-6, "{windows}, {formulation}: {:.1e}", split(&run));
            let residual = run.certificate.energy_residual;
            assert!(residual < 1e-4, "{windows}, {formulation}: {residual:.1e} J");
        }
    }
    for windows in [1, 2] {
        let reduced = run(windows, Some("null-space"), "dopri5", 0.01);
        assert!(split(&reduced) < 1e-6 && reduced.certificate.energy_residual < 1e-6);
        let damped = run(windows, None, "generalized-alpha", 0.002);
        assert!(split(&damped) < 1e-6 && damped.certificate.energy_residual < 1e-2);
        assert!(damped.certificate.constraint_error < 1e-9);
    }
}

/// A penalty gives way where constraints hardly hold: it gets through, and says so.
#[test]
fn the_augmented_lagrangian_passes_flat_poses_and_says_that_it_gave_way() {
    for windows in [1, 2] {
        let run = run(windows, Some("augmented-lagrangian"), "dopri5", 0.002);
        assert!(split(&run) < 1e-3, "{windows}: {:.1e}", split(&run));
    }
    let remarks = run(2, Some("augmented-lagrangian"), "dopri5", 0.002).certificate.remarks;
    assert!(remarks.iter().any(|remark| remark.contains("did not settle")), "{remarks:?}");
}

/// Back on the constraints after every step, what they ask for can be met in all directions: conjugate gradients find
/// it where the penalty's own rounds would give way.
#[test]
fn the_augmented_lagrangian_with_projection_keeps_windows_in_line_and_their_energy() {
    for windows in [1, 2, 10] {
        for step in [0.002, 0.005] {
            let run =
                run_with(windows, Some("augmented-lagrangian"), "dopri5", step, &["project=1"]);
            let (split, residual) = (split(&run), run.certificate.energy_residual);
            assert!(split < 1e-6, "{windows} windows, step {step}: {split:.1e}");
            assert!(residual < 1e-6, "{windows} windows, step {step}: {residual:.1e} J");
            assert!(run.certificate.constraint_error < 1e-11, "{windows} windows, step {step}");
        }
    }
}

/// A step that ends within 10⁻⁵ rad of the flat pose: there the constraints hardly say what they ask for, and a force
/// is wrong for a step. It costs energy, but never the branch.
#[test]
fn a_step_that_ends_in_the_flat_pose_itself_keeps_the_branch() {
    let step = 0.005_133_542_453;
    let run = run_with(5, Some("augmented-lagrangian"), "dopri5", step, &["project=1"]);
    assert!(split(&run) < 1e-6, "{:.1e}", split(&run));
    let residual = run.certificate.energy_residual;
    assert!(residual < 1e-2, "{residual:.1e} J");
    assert!(run.certificate.freedom.is_some_and(|freedom| freedom.approach.is_some()));
}

/// Methods of order 2 keep ten windows in line as well, and lose energy like the square of the step.
#[test]
fn structural_methods_keep_ten_windows_in_line() {
    for (integrator, with) in
        [("generalized-alpha", &[][..]), ("augmented-lagrangian-projected", &["alpha=1e9"][..])]
    {
        let [coarse, fine] = [0.005, 0.0025].map(|step| {
            let run = run_with(10, None, integrator, step, with);
            assert!(split(&run) < 1e-6, "{integrator}, step {step}: {:.1e}", split(&run));
            run.certificate.energy_residual
        });
        assert!(fine < 0.1 && fine < coarse / 3.0, "{integrator}: {coarse:.1e} J, {fine:.1e} J");
    }
}
