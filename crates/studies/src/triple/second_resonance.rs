//! Figure 8: where the second resonance is against friction.

use super::angles::{COLUMNS, NAMES, listed, verdict};
use super::response_curve::{frequency_range, list, number, transfer_function};
use super::{amplitude, friction, frictions, pendulum, said};
use crate::{Claim, Laboratory, Section, StudyError};
use catena::figure::{Axis, Colour, Dash, Figure, Panel, Series};
use catena::simulation::Table;

/// N m s; the law of the study changes at the two of [`BENDS`].
const FRICTIONS: [f64; 11] = [0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5];
const QUICK_FRICTIONS: [f64; 6] = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5];
const BENDS: [f64; 2] = [0.1, 0.3];
/// Where the peak is looked for, Hz.
const RANGE: [f64; 2] = [0.6, 0.95];
const POINTS: usize = 71;
const QUICK_POINTS: usize = 36;
/// The slope of the study between its bends, Hz/(N m s).
const PUBLISHED_SLOPE: f64 = 0.25;
/// How far a slope may be from it, relative to it.
const MAX_SLOPE_DIFFERENCE: f64 = 0.25;
/// The largest slope of a peak that does not move, Hz/(N m s).
const MAX_SLOPE_AT_REST: f64 = 0.1;
/// Where the study has the peak, Hz.
const PUBLISHED_RANGE: [f64; 2] = [0.63, 0.75];

/// The place of the peak of each angle against friction.
struct Track {
    friction: Vec<f64>,
    /// Hz; not a number where there is no peak.
    places: [Vec<f64>; 3],
    /// The same in the linear model.
    linear: [Vec<f64>; 3],
    /// N m s: where the law of the study changes.
    bends: [f64; 2],
}

impl Track {
    fn new(lab: &Laboratory<'_>) -> Result<Track, StudyError> {
        let published: &[f64] = if lab.quick { &QUICK_FRICTIONS } else { &FRICTIONS };
        let all = frictions(lab, published);
        let model = pendulum(lab, &[("eta0", amplitude(lab))])?;
        let frequencies = frequency_range(RANGE[0], RANGE[1], lab.quick_or(QUICK_POINTS, POINTS));
        let values: Vec<String> = all.iter().map(f64::to_string).collect();
        let values = format!("R={}", values.join(","));
        let answer = lab.ask("resonance", &model, &[("over", &frequencies), ("over", &values)])?;
        let mut places: [Vec<f64>; 3] = Default::default();
        for track in list(&answer.result["tracks"]) {
            let angle =
                COLUMNS.iter().position(|name| track["output"] == *name).unwrap_or_default();
            let rows = list(&track["rows"]).iter();
            places[angle] = rows.map(|row| number(&row["peak"]["frequency"])).collect();
        }
        let transfer = transfer_function(lab, &model, &frequencies, &all, amplitude(lab))?;
        let linear = std::array::from_fn(|angle| {
            let first = |peaks: &[Vec<_>; 3]| -> f64 {
                peaks[angle]
                    .first()
                    .map_or(f64::NAN, |peak: &super::response_curve::Peak| peak.frequency)
            };
            transfer.iter().map(|curve| first(&curve.peaks)).collect()
        });
        let bends = BENDS.map(|bend| friction(lab, bend));
        Ok(Track { friction: all, places, linear, bends })
    }

    /// The row of the friction nearest to this one.
    fn row(&self, friction: f64) -> usize {
        let distance = |row: &usize| (self.friction[*row] - friction).abs();
        (0..self.friction.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
    }

    /// Slopes of all angles between two rows, Hz/(N m s).
    fn slopes(&self, from: usize, to: usize) -> [f64; 3] {
        std::array::from_fn(|angle| {
            let places = &self.places[angle];
            (places[to] - places[from]) / (self.friction[to] - self.friction[from])
        })
    }

    /// Slopes below the first bend, between the bends, and above the second.
    fn three_slopes(&self) -> [[f64; 3]; 3] {
        let [low, high] = self.bends.map(|bend| self.row(bend));
        let last = self.friction.len() - 1;
        [self.slopes(0, low), self.slopes(low, high), self.slopes(high, last)]
    }

    /// Lowest and highest place of an angle, Hz.
    fn range(&self, angle: usize) -> [f64; 2] {
        let known = || self.places[angle].iter().copied().filter(|place| place.is_finite());
        [known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max)]
    }
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let track = Track::new(lab)?;
    let mut section = Section::default();
    section.text(format!(
        "The study follows the second peak of the response as friction grows, and finds that it stays below {} N m s, moves by \
         Δf = {PUBLISHED_SLOPE} R between {} and {} N m s, and stays again. Here each point is the peak of settled motions from \
         rest, found between {} and {} Hz on a grid that is made denser around it.",
        said(track.bends[0]),
        said(track.bends[0]),
        said(track.bends[1]),
        RANGE[0],
        RANGE[1]
    ));
    section.figure(
        "figure-8",
        "Figure 8 of the study: frequency of the second peak against friction; full model with marks, linear model dashed, and \
         the law of the study, drawn through our θ₃ at its first bend, dotted.",
        figure(&track),
    );
    section.table("second-peak", "Frequency of the second peak", table(&track));
    for claim in claims(&track) {
        section.claim(claim);
    }
    Ok(section)
}

fn figure(track: &Track) -> Figure {
    let mut panel =
        Panel::new("", Axis::linear("R, N m s"), Axis::linear("frequency of the second peak, Hz"));
    for (angle, name) in NAMES.iter().enumerate() {
        let places = track.places[angle].clone();
        let series = Series::line_and_marks(*name, track.friction.clone(), places);
        panel = panel.with(series.coloured(Colour::Number(angle)));
    }
    for (angle, name) in NAMES.iter().enumerate() {
        let places = track.linear[angle].clone();
        let series = Series::line(format!("{name}, linear"), track.friction.clone(), places);
        panel = panel.with(series.coloured(Colour::Number(angle)).dashed(Dash::Dashed));
    }
    let [low, high] = track.bends;
    let base = track.places[2][track.row(low)];
    let (Some(&first), Some(&last)) = (track.friction.first(), track.friction.last()) else {
        return Figure::from(panel);
    };
    let x = vec![first, low, high, last];
    let y: Vec<f64> =
        x.iter().map(|r| base + PUBLISHED_SLOPE * (r.clamp(low, high) - low)).collect();
    let law = Series::line("law of the study", x, y).coloured(Colour::Number(3));
    Figure::from(panel.with(law.dashed(Dash::Dotted)))
}

fn table(track: &Track) -> Table {
    let mut table = Table::default().with_numbers("R", "N m s", track.friction.clone());
    for (angle, name) in NAMES.iter().enumerate() {
        table = table.with_numbers(*name, "Hz", track.places[angle].clone());
    }
    for (angle, name) in NAMES.iter().enumerate() {
        table = table.with_numbers(format!("{name}, linear"), "Hz", track.linear[angle].clone());
    }
    table
}

fn claims(track: &Track) -> Vec<Claim> {
    let [below, between, above] = track.three_slopes();
    let two = |numbers: [f64; 3]| listed(&numbers.map(|number| format!("{number:.2}")));
    let still = |slope: f64| slope.abs() < MAX_SLOPE_AT_REST;
    let as_published = |slope: f64| (slope / PUBLISHED_SLOPE - 1.0).abs() < MAX_SLOPE_DIFFERENCE;
    let ranges: [[f64; 2]; 3] = std::array::from_fn(|angle| track.range(angle));
    let inside = |[low, high]: [f64; 2]| low >= PUBLISHED_RANGE[0] && high <= PUBLISHED_RANGE[1];
    let [low, high] = track.bends.map(said);
    vec![
        Claim::new("T11", format!("the second peak does not move for R below {low} nor above {high} N m s"))
            .measured(
                format!("slopes in Hz/(N m s) below {low}: {}; above {high}: {}", two(below), two(above)),
                verdict(std::array::from_fn(|angle| still(below[angle]) && still(above[angle]))),
            )
            .because(
                "The shift is softening that fades as friction lowers the peak: it has no threshold. Above, only θ₃ comes near \
                 the place that it has in the linear model and stays there.",
            ),
        Claim::new("T12", "in between it moves by Δf = 0.25 R")
            .published("slope 0.25 Hz/(N m s)")
            .measured(
                format!("slopes in Hz/(N m s) from {low} to {high}: {}", two(between)),
                verdict(between.map(as_published)),
            )
            .because(
                "Each angle has its own slope: the links share the resonance, but friction moves their peaks in the linear model \
                 too, that of θ₂ most.",
            ),
        Claim::new("T13", "the second peak lies between 0.63 and 0.75 Hz")
            .published("0.63 to 0.75 Hz")
            .measured(
                listed(&ranges.map(|[low, high]| format!("{low:.3} to {high:.3} Hz"))),
                verdict(ranges.map(inside)),
            )
            .because(
                "With much friction the peaks of θ₁ and θ₂ go beyond the natural frequency of small swings, as they do in the \
                 linear model; that of θ₃ stays below it.",
            ),
    ]
}
