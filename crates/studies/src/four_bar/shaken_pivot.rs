//! The scripts' γ on a constraint that moves: the mixed term without its factor of 2.

use super::conditions::{LINKAGE_ROWS, column, largest_difference, reference_method};
use super::models::{SHAKEN_PIVOT, SHAKEN_PIVOT_BY_HAND, model};
use crate::digits::digits;
use crate::{Laboratory, Section, StudyError};
use catena::figure::{Axis, Figure, Panel, Series};
use catena::{Run, Setting};

/// How long the pendulum is shaken, s.
const SHAKEN_TIME: f64 = 5.0;

/// The factor of the mixed term: as derived, and as in the scripts.
const FACTORS: [f64; 2] = [2.0, 1.0];

pub(super) fn show(lab: &Laboratory<'_>, section: &mut Section) -> Result<(), StudyError> {
    let derived = model("shaken-pivot", SHAKEN_PIVOT, &[])?;
    let settings = |formulation: &str| {
        let method = reference_method(formulation).t_end(SHAKEN_TIME).every(LINKAGE_ROWS);
        method.columns(&["x", "y", "eta"])
    };
    let exact = lab.run(&derived, &settings("multipliers"))?;
    let by_hand = lab.each(&FACTORS, |lab, factor| {
        let setting = Setting::new("mixed", *factor);
        let model = model("shaken-pivot-by-hand", SHAKEN_PIVOT_BY_HAND, &[setting])?;
        lab.run(&model, &settings("minimal"))
    })?;
    let [right, wrong] = [0, 1].map(|at| {
        let apart = |name| largest_difference(column(&exact, name), column(&by_hand[at], name));
        f64::max(apart("x"), apart("y"))
    });
    let stretch = rod_lengths(&by_hand[1]).into_iter().map(|length| (length - 1.0).abs());
    section.text(format!(
        "A constraint that moves. In the scripts γ has −Φqt v where −2 Φqt v is right. The two systems of the study have constraints without time, \
         and a moving pin written as in the study, x − η(t) − (l/2) sin θ, has no mixed term either. Written as a distance it has one: a bob of \
         1 kg on a rod of 1 m whose pivot is shaken by η = 0.1 m sin(6 t/s), with Φ = (x − η)² + y² − l² and Φqt v = −2 η̇ ẋ. With the multiplier \
         solved for by hand and a factor of 2 the motion is what Catena derives, to {} m. With the scripts' factor of 1 the bob is up to {} m away \
         within {} s and the rod changes its length by up to {} m, at any tolerance: the equations are wrong, not the integrator.",
        digits(right, 2),
        digits(wrong, 2),
        digits(SHAKEN_TIME, 2),
        digits(stretch.fold(0.0, f64::max), 2)
    ));
    section.figure(
        "shaken-pivot",
        "A pendulum on a shaken pivot, with γ as derived and with γ as in the scripts: where the bob is, and how long the rod",
        figure(&by_hand),
    );
    Ok(())
}

/// The distance from the pivot to the bob on each row, m.
fn rod_lengths(run: &Run) -> Vec<f64> {
    let [x, y, pivot] = ["x", "y", "eta"].map(|name| column(run, name));
    let rows = x.iter().zip(y).zip(pivot);
    rows.map(|((x, y), pivot)| (x - pivot).hypot(*y)).collect()
}

fn figure(runs: &[Run]) -> Figure {
    let names = ["factor 2, as derived", "factor 1, as in the scripts"];
    let axis = || Axis::linear("$t$, s");
    let mut place = Panel::new("", axis(), Axis::linear("$x$ of the bob, m"));
    let mut length = Panel::new("", axis(), Axis::linear("length of the rod, m"));
    for (name, run) in names.into_iter().zip(runs) {
        let time = column(run, "t");
        place = place.with(Series::line(name, time, column(run, "x")));
        length = length.with(Series::line(name, time, rod_lengths(run)));
    }
    Figure::default().with(place).with(length)
}
