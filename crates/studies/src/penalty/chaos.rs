//! Whether the phase plots show chaos.

use crate::digits::digits;
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::RunSettings;
use catena::figure::{Axis, Figure, Panel, Series};

/// The same pendulum in angles; only the ratio of its masses matters.
const SYSTEM: &str = "double-pendulum";
/// Angles, rad, and their rates, rad/s.
const STATE: [&str; 4] = ["theta1", "theta2", "theta1'", "theta2'"];
/// How much the second start differs in one angle, rad.
const DIFFERENCE: f64 = 1e-7;
/// What the study shows, and what is looked at besides, s.
const SHOWN: f64 = 4.0;
const LONGER: f64 = 20.0;
/// A growth that can be seen in a plot: a ten-thousandth of the picture becomes a tenth.
const VISIBLE_GROWTH: f64 = 1e3;
/// A Lyapunov exponent that is chaos beyond doubt, 1/s.
const CHAOTIC: f64 = 0.1;

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let settings = RunSettings::new().tolerance(1e-13).t_end(LONGER).every(0.02).no_certify();
    let starts = [0.0, DIFFERENCE];
    let runs = lab.part(0.0..0.1).each(&starts, |lab, more| {
        let start = format!("theta1=pi/2 + {more}");
        let model = lab.model(SYSTEM, &[start, "m1=0.2".to_owned(), "m2=0.2".to_owned()])?;
        lab.run(&model, &settings)
    })?;
    let column = |at: usize, name: &str| runs[at].table.column(name).unwrap_or_default();
    let times = column(0, "t").to_vec();
    let growth: Vec<f64> = (0..times.len())
        .map(|row| {
            let apart = |name: &str| column(1, name)[row] - column(0, name)[row];
            let squares = STATE.map(|name| apart(name).powi(2));
            squares.iter().sum::<f64>().sqrt() / DIFFERENCE
        })
        .collect();
    let largest_until = |end: f64| {
        let rows = times.iter().zip(&growth).filter(|(time, _)| **time <= end);
        rows.fold(0.0_f64, |largest, (_, growth)| largest.max(*growth))
    };
    let (in_plot, later) = (largest_until(SHOWN), largest_until(LONGER));

    let model = lab.model(SYSTEM, &["m1=0.2".to_owned(), "m2=0.2".to_owned()])?;
    let end = lab.quick_or("400", "4000");
    let answer = lab.part(0.1..1.0).ask("lyapunov", &model, &[("t_end", end)])?;
    let exponent = answer.result["exponents"][0].as_f64().unwrap_or(f64::NAN);

    let mut section = Section::default();
    section.text(format!(
        "Two pendulums with rigid rods start {} rad apart in one angle. Until {SHOWN} s, the end of the study's plots, their \
         distance has grown {} times at most; a picture cannot show that. Over {end} s the largest Lyapunov exponent is {} 1/s: the \
         motion is chaotic, but what the plots of the study show is the instability of its method.",
        digits(DIFFERENCE, 1),
        digits(in_plot, 2),
        digits(exponent, 2)
    ));
    let panel = Panel::new(
        "",
        Axis::linear("$t$, s"),
        Axis::logarithmic("distance of both, relative to the start"),
    )
    .with(Series::line("growth", times.clone(), growth));
    section.figure("growth", "How fast neighbouring motions part", Figure::from(panel));
    let is_shown = in_plot > VISIBLE_GROWTH && exponent > CHAOTIC;
    section.claim(
        Claim::new("P9", "the phase plots show chaos, sensitive to the start")
            .published("Figures 7 and 8, 4 s")
            .measured(
                format!(
                    "a change of {} rad grows {} times in {SHOWN} s and {} times in {LONGER} s; largest exponent {} 1/s over {end} s",
                    digits(DIFFERENCE, 1),
                    digits(in_plot, 2),
                    digits(later, 2),
                    digits(exponent, 2)
                ),
                Verdict::of(is_shown),
            )
            .because(
                "The motion is chaotic, but 4 s are too short to show it: the erratic plots are the numerical instability.",
            ),
    );
    Ok(section)
}
