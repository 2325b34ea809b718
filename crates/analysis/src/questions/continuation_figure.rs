//! The figure of a continuation: amplitudes over what is varied, solid where motions are stable, with special points.

use super::continuation::value_of;
use crate::{FollowedKind, FollowedQuantity, SolutionBranch, SolutionCurves, SpecialKind};
use catena_figure::{Axis, Colour, Dash, Figure, Panel, Series};
use catena_symbolic::figure_label;

/// Panels of one figure.
const MAX_PANELS: usize = 6;
/// More branches than this are not listed one by one.
const MAX_LISTED_BRANCHES: usize = 6;
/// Special points have colours of their own, behind those of branches.
const SPECIAL_COLOUR: usize = 5;
/// Every kind of special point, in the order of the legend.
const KINDS: [SpecialKind; 6] = [
    SpecialKind::Fold,
    SpecialKind::BranchPoint,
    SpecialKind::Pitchfork,
    SpecialKind::Hopf,
    SpecialKind::PeriodDoubling,
    SpecialKind::NeimarkSacker,
];

/// A panel for each column.
pub(super) fn figure(title: &str, found: &SolutionCurves) -> Figure {
    let columns = 0..found.columns.len().min(MAX_PANELS);
    // the panels stand below one another: one title is enough
    let panels = columns.map(|column| panel(if column == 0 { title } else { "" }, found, column));
    panels.fold(Figure::new(""), Figure::with)
}

fn panel(title: &str, found: &SolutionCurves, column: usize) -> Panel {
    let has_motions = found.branches.iter().any(|branch| branch.kind == FollowedKind::Motions);
    let name = figure_label(&found.columns[column]);
    let height = if has_motions { format!("amplitude of {name}") } else { name };
    let over = match &found.followed {
        FollowedQuantity::Parameter(name) => figure_label(name),
        FollowedQuantity::Period => "period, s".to_owned(),
        // over its own amplitude a family is shown by its period
        FollowedQuantity::Amplitude => format!("amplitude of {}", figure_label(&found.columns[0])),
    };
    let over_itself = found.followed == FollowedQuantity::Amplitude && column == 0;
    let height = if over_itself { "period, s".to_owned() } else { height };
    let y_of = |branch: &SolutionBranch, at: usize| {
        if over_itself { branch.points[at].period } else { branch.points[at].amplitudes[column] }
    };
    let mut panel = Panel::new(title, Axis::linear(over), Axis::linear(height));
    for (number, branch) in found.branches.iter().enumerate() {
        let name = match found.branches.len() <= MAX_LISTED_BRANCHES {
            true => branch_name(number, branch),
            false => String::new(),
        };
        for (range, is_stable) in stretches(branch) {
            // from the special point where it begins
            let parent = branch.origin.filter(|_| range.start == 0);
            let parent = parent.map(|(number, at)| (&found.branches[number], at));
            let begin = parent.filter(|(parent, _)| parent.kind == branch.kind);
            let places: Vec<(&SolutionBranch, usize)> =
                begin.into_iter().chain(range.map(|at| (branch, at))).collect();
            let x: Vec<f64> =
                places.iter().map(|(of, at)| value_of(found, &of.points[*at])).collect();
            let y: Vec<f64> = places.iter().map(|(of, at)| y_of(of, *at)).collect();
            let dash = if is_stable { Dash::Solid } else { Dash::Dashed };
            let series = Series::line(name.as_str(), x, y);
            panel =
                panel.with(series.coloured(Colour::Number(number % SPECIAL_COLOUR)).dashed(dash));
        }
    }
    let unstable =
        found.branches.iter().flat_map(|branch| &branch.points).any(|one| !one.is_stable());
    if unstable {
        // a line without points, in no colour of a branch
        let entry = Series::line("unstable", [], []).coloured(Colour::Value(0.0));
        panel = panel.with(entry.dashed(Dash::Dashed));
    }
    for (at, kind) in KINDS.iter().enumerate() {
        let places = found.branches.iter().flat_map(|branch| {
            let special = (0..branch.points.len()).filter(|&at| {
                branch.points[at].special.is_some_and(|special| special.kind == *kind)
            });
            special.map(move |at| (branch, at))
        });
        let (x, y): (Vec<f64>, Vec<f64>) = places
            .map(|(branch, at)| (value_of(found, &branch.points[at]), y_of(branch, at)))
            .unzip();
        if !x.is_empty() {
            let marks = Series::marks(kind.name(), x, y);
            panel = panel.with(marks.coloured(Colour::Number(SPECIAL_COLOUR + at)));
        }
    }
    panel
}

fn branch_name(number: usize, branch: &SolutionBranch) -> String {
    match (branch.kind, branch.multiple) {
        (FollowedKind::Equilibria, _) => format!("branch {}, at rest", number + 1),
        (_, Some(multiple)) if multiple > 1 => format!("branch {}, period {multiple}", number + 1),
        _ => format!("branch {}", number + 1),
    }
}

/// Ranges of points that are all stable or all unstable; neighbours share the point between them.
fn stretches(branch: &SolutionBranch) -> Vec<(std::ops::Range<usize>, bool)> {
    let count = branch.points.len();
    let is_stable = |at: usize| branch.points[at].is_stable();
    let mut found = Vec::new();
    let mut first = 0;
    // special points lie on the border: what follows them decides
    let side = |at: usize| {
        is_stable(if at + 1 < count && branch.points[at].special.is_some() { at + 1 } else { at })
    };
    for at in 1..count {
        if side(at) != side(first) {
            found.push((first..at + 1, side(first)));
            first = at;
        }
    }
    if count > 0 {
        found.push((first..count, side(first)));
    }
    found
}
