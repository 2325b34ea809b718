//! The articulated study: twenty rods fall from the horizontal for 5 s, by augmented Lagrangian and by
//! recursive formulation, with `ode45` at loose tolerances.
//!
//! The numbers are those of an independent code in another language, which calls the "step size" of the
//! study the grid: it bounds only the first step. Runs at tolerance 0.1 depend on rounding (the chain
//! cracks like a whip at 2 s), so that only their size is compared.

use catena::RunSettings;
use catena::simulation::Run;
use catena_tests::ready;

const TIP: [f64; 2] = [-17.157310, -4.537404];
const GRIDS: [f64; 4] = [0.1, 0.01, 0.001, 0.0001];

fn run(formulation: &str, tolerance: f64, grid: f64, with: &[&str]) -> Run {
    let request = RunSettings {
        formulation: Some(formulation.into()),
        integrator: Some("ode45".into()),
        rtol: Some(tolerance),
        atol: Some(tolerance),
        first_step: Some(grid),
        t_end: Some(5.0),
        every: Some(0.01),
        with: with.iter().map(|text| (*text).to_owned()).collect(),
        ..RunSettings::default()
    };
    catena::run(&ready("chain", &["links=20"]), &request).expect("it runs")
}

fn last(run: &Run, column: &str) -> f64 {
    *run.table.column(column).and_then(<[f64]>::last).expect("a column with rows")
}

fn tip_error(run: &Run) -> f64 {
    (last(run, "tip_x") - TIP[0]).hypot(last(run, "tip_y") - TIP[1])
}

/// Largest distance between the two points of a joint, over all rows.
fn gap(run: &Run) -> f64 {
    let column = |name: String| run.table.column(&name).expect("a column");
    let mut largest = 0.0_f64;
    for row in 0..run.table.len() {
        let [mut x, mut y] = [0.0; 2];
        for i in 1..=20 {
            let [cx, cy, angle] = ["x", "y", "theta"].map(|name| column(format!("{name}{i}"))[row]);
            let (sine, cosine) = angle.sin_cos();
            largest = largest.max((cx - sine / 2.0 - x).hypot(cy + cosine / 2.0 - y));
            (x, y) = (cx + sine / 2.0, cy - cosine / 2.0);
        }
    }
    largest
}

#[test]
fn recursive_runs_repeat_those_of_an_independent_code_step_for_step() {
    // tolerance, grid, steps, evaluations, rejected steps, tip
    let runs = [
        (1e-2, 1e-1, 140, 949, 18, [-17.092014947032652, -4.665887357699994]),
        (1e-2, 1e-2, 141, 967, 20, [-17.09165879169658, -4.611330278772764]),
        (1e-2, 1e-3, 143, 955, 16, [-17.122636388317435, -4.676319640368723]),
        (1e-2, 1e-4, 144, 985, 20, [-17.12496655172979, -4.656278268020885]),
        (1e-3, 1e-1, 208, 1351, 17, [-17.154376044748854, -4.540902596397224]),
        (1e-3, 1e-2, 208, 1351, 17, [-17.154348066851473, -4.540782780971741]),
        (1e-3, 1e-3, 210, 1369, 18, [-17.152023758987248, -4.540425570548899]),
        (1e-3, 1e-4, 211, 1369, 17, [-17.154428981035977, -4.540983977554526]),
        (1e-4, 1e-1, 330, 2089, 18, [-17.157276001148812, -4.5373432229107475]),
        (1e-4, 1e-2, 330, 2089, 18, [-17.157276001148812, -4.5373432229107475]),
        (1e-4, 1e-3, 331, 2095, 18, [-17.15728282878576, -4.537367616198119]),
        (1e-4, 1e-4, 332, 2095, 17, [-17.15724606685314, -4.53736295840977]),
    ];
    for (tolerance, grid, steps, evaluations, rejected, tip) in runs {
        let run = run("recursive", tolerance, grid, &[]);
        let s = run.certificate.statistics;
        let counts = (s.steps, s.evaluations, s.rejected);
        assert_eq!(counts, (steps, evaluations, rejected), "{tolerance:e}, {grid:e}");
        let error = (last(&run, "tip_x") - tip[0]).hypot(last(&run, "tip_y") - tip[1]);
        assert!(error < 1e-6, "{tolerance:e}, {grid:e}: {error:.1e}");
    }
}

/// 102 to 111 steps, 751 to 841 evaluations and tip errors of 0.48 to 0.72 m are those of the independent code. Errors are
/// draws: the ninth digit of the tolerance moves the tip by a metre, so that the middle one of several counts.
#[test]
fn recursive_runs_at_the_loosest_tolerance_are_about_as_long_as_independent_ones() {
    const DRAWS: usize = 15;
    for grid in GRIDS {
        let mut errors = Vec::with_capacity(DRAWS);
        for draw in 0..DRAWS {
            let run = run("recursive", 0.1 * (1.0 + 1e-9 * draw as f64), grid, &[]);
            let s = run.certificate.statistics;
            assert!((95..=120).contains(&s.steps), "{grid}: {} steps", s.steps);
            assert!((690..=920).contains(&s.evaluations), "{grid}: {} evaluations", s.evaluations);
            errors.push(tip_error(&run));
        }
        errors.sort_by(f64::total_cmp);
        assert!(errors[DRAWS / 2] < 0.9, "{grid}: {errors:?}");
    }
}

#[test]
fn without_stabilisation_the_augmented_lagrangian_opens_its_joints_at_every_grid() {
    for grid in GRIDS {
        let run = run("augmented-lagrangian", 0.1, grid, &["alpha=1e3", "omega=0"]);
        assert!(gap(&run) > 1.0, "{grid}: {} m", gap(&run));
    }
}

#[test]
fn with_stabilisation_the_joints_stay_closed() {
    for grid in GRIDS {
        for alpha in ["alpha=1e3", "alpha=1e7"] {
            let run = run("augmented-lagrangian", 0.1, grid, &[alpha, "omega=10", "xi=1"]);
            assert!(gap(&run) < 0.05, "{grid}, {alpha}: {} m", gap(&run));
        }
    }
}

/// The plain index-1 form and the augmented Lagrangian drift alike: the iteration is not the cause.
#[test]
fn gaps_and_errors_shrink_with_the_tolerance_as_those_of_an_independent_code() {
    // tolerance, evaluations, gap and tip error without stabilisation, the same with ω = 10
    let independent = [
        (1e-2, 931, 0.05118, 0.39559, 1015, 1.0035e-3, 0.015602),
        (1e-3, 1279, 8.2803e-3, 0.030239, 1279, 1.4361e-4, 5.4435e-4),
        (1e-4, 1909, 3.3788e-4, 1.2267e-3, 1921, 4.9414e-6, 6.789e-5),
    ];
    let near = |found: f64, expected: f64, what: &str| {
        assert!(found < 2.0 * expected && found > 0.4 * expected, "{what}: {found} and {expected}");
    };
    for (tolerance, plain, plain_gap, plain_error, damped, damped_gap, damped_error) in independent
    {
        for formulation in ["augmented-lagrangian", "multipliers"] {
            let with: &[&str] =
                if formulation == "multipliers" { &[] } else { &["alpha=1e3", "omega=0"] };
            let run = run(formulation, tolerance, 0.1, with);
            let label = format!("{formulation} at {tolerance:e}");
            near(run.certificate.statistics.evaluations as f64, plain as f64, &label);
            near(gap(&run), plain_gap, &format!("gap of {label}"));
            near(tip_error(&run), plain_error, &format!("tip error of {label}"));
        }
        for formulation in ["augmented-lagrangian", "baumgarte"] {
            let run = run(formulation, tolerance, 0.1, &["omega=10", "xi=1"]);
            let label = format!("{formulation} at {tolerance:e}");
            near(run.certificate.statistics.evaluations as f64, damped as f64, &label);
            near(gap(&run), damped_gap, &format!("gap of {label}"));
            near(tip_error(&run), damped_error, &format!("tip error of {label}"));
        }
    }
}
