//! A row of square windows falls over and swings through its flat poses, where the constraints lose rank
//! and other branches fork off: the parallelogram has to be kept.

use catena::RunRequest;
use catena::simulation::{Run, StopReason};
use catena_tests::ready;

fn run(windows: usize, formulation: Option<&str>, integrator: &str, step: f64) -> Run {
    let request = RunRequest {
        formulation: formulation.map(str::to_owned),
        integrator: Some(integrator.into()),
        step: Some(step),
        t_end: Some(10.0),
        ..RunRequest::default()
    };
    let model = ready("n-four-bar", &[&format!("n={windows}")]);
    let run = catena::run(&model, &request).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.certificate.stop, StopReason::Finished, "{windows} windows, {formulation:?}");
    run
}

/// The largest difference between the angles of two uprights.
fn split(run: &Run) -> f64 {
    let angle = |name: &&String| name.starts_with("upright") && name.ends_with("_angle");
    let angles: Vec<&[f64]> =
        run.table.names.iter().filter(angle).filter_map(|name| run.table.column(name)).collect();
    assert!(angles.len() >= 2);
    let others = angles[1..].iter().flat_map(|other| other.iter().zip(angles[0]));
    others.fold(0.0, |split: f64, (a, b)| split.max((a - b).abs()))
}

#[test]
fn uprights_stay_parallel_through_flat_poses() {
    for windows in [1, 2, 10] {
        for formulation in ["projection", "coordinate-partitioning"] {
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
