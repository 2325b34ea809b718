//! Curves of motions at all tolerances, in the same colours everywhere.

use super::chain::{TOLERANCES, Trial};
use catena::figure::{Colour, Dash, Panel, Series};

/// The colour of the true motion: dark grey, and none of those of tolerances.
const TRUE_COLOUR: Colour = Colour::Number(6);

/// A panel with a curve for each tolerance; the true one, if there is one, is dotted and behind the others, and the loosest
/// tolerance, which strays farthest, is in front.
pub(super) fn with_curves(
    mut panel: Panel,
    truth: Option<&Trial>,
    trials: &[Trial],
    points: &dyn Fn(&Trial) -> [Vec<f64>; 2],
) -> Panel {
    if let Some(truth) = truth {
        let [x, y] = points(truth);
        panel = panel.with(Series::line("true", x, y).coloured(TRUE_COLOUR).dashed(Dash::Dotted));
    }
    for (at, (trial, tolerance)) in trials.iter().zip(TOLERANCES).enumerate().rev() {
        let [x, y] = points(trial);
        let series = Series::line(format!("tolerance {tolerance}"), x, y);
        panel = panel.with(series.coloured(Colour::Number(at)).dashed(Dash::Solid));
    }
    panel
}
