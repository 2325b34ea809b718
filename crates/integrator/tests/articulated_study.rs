//! The articulated study's recursive runs, repeated by `ode45` step for step.
//!
//! Twenty uniform rods of 1 kg and 1 m fall from the horizontal for 5 s, in relative joint angles. The numbers are those
//! of `reference/articulated/al_vs_recursive.json`, from another code (see `studies.md`, 1.2 and 1.4).

mod problems;

use catena_integrator::{Breakdown, Options, find};
use problems::{Plain, begin, run};

const RODS: usize = 20;
const GRAVITY: f64 = 9.81;

/// (q̇, q̈) of the chain; q are relative angles, θ their sums.
fn chain(_: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
    let sums = |values: &[f64]| {
        let mut sum = 0.0;
        let mut all = [0.0; RODS];
        for (total, value) in all.iter_mut().zip(values) {
            sum += value;
            *total = sum;
        }
        all
    };
    let (theta, omega) = (sums(&y[..RODS]), sums(&y[RODS..]));
    let mut matrix = [[0.0; RODS + 1]; RODS];
    for i in 0..RODS {
        let beyond = |i: usize| (RODS - 1 - i) as f64;
        matrix[i][RODS] = -GRAVITY * (beyond(i) + 0.5) * theta[i].cos();
        for j in 0..RODS {
            let weight = if i == j { beyond(i) + 1.0 / 3.0 } else { beyond(i.max(j)) + 0.5 };
            let (sine, cosine) = (theta[i] - theta[j]).sin_cos();
            matrix[i][j] = weight * cosine;
            matrix[i][RODS] -= weight * sine * omega[j] * omega[j];
        }
    }
    // Gauss without pivoting: the mass matrix is positive definite.
    for k in 0..RODS {
        let pivot = matrix[k];
        for row in &mut matrix[k + 1..] {
            let factor = row[k] / pivot[k];
            for column in k..=RODS {
                row[column] -= factor * pivot[column];
            }
        }
    }
    let mut acceleration = [0.0; RODS];
    for k in (0..RODS).rev() {
        let known: f64 = (k + 1..RODS).map(|j| matrix[k][j] * acceleration[j]).sum();
        acceleration[k] = (matrix[k][RODS] - known) / matrix[k][k];
    }
    rate[..RODS].copy_from_slice(&y[RODS..]);
    for k in 0..RODS {
        rate[RODS + k] = acceleration[k] - if k == 0 { 0.0 } else { acceleration[k - 1] };
    }
    Ok(())
}

#[test]
fn ode45_repeats_the_recursive_runs_step_for_step() {
    // Tolerance, grid, steps, evaluations, rejected steps, tip. (At tolerance 0.1 the chain's whip makes the number of
    // steps, 102 to 111, a matter of rounding: a start changed by 1e-16 changes it.)
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
        let options = Options {
            rtol: tolerance,
            atol: tolerance,
            first_step: Some(grid),
            ..Options::default()
        };
        let mut system = Plain { len: 2 * RODS, rate: chain };
        let start = [0.0; 2 * RODS];
        let mut integrator = begin(find("ode45").unwrap(), &options, &mut system, &start, 5.0);
        run(&mut *integrator, &mut system, 5.0, |_| {}).unwrap();
        let statistics = integrator.statistics();
        let counts = (statistics.steps, statistics.evaluations, statistics.rejected);
        assert_eq!(counts, (steps, evaluations, rejected), "tolerance {tolerance}, grid {grid}");
        let (mut angle, mut end) = (0.0, [0.0; 2]);
        for q in &integrator.state()[..RODS] {
            angle += q;
            end[0] += f64::cos(angle);
            end[1] += f64::sin(angle);
        }
        let distance = (end[0] - tip[0]).hypot(end[1] - tip[1]);
        assert!(distance < 1e-6, "tolerance {tolerance}, grid {grid}: {distance:e}");
    }
}
