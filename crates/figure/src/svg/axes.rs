//! The two axes of a panel: grid, ticks and what is written beside them.

use super::layout::{MAX_TURNED_NAME, PanelLayout, TICK_SIZE};
use super::text::{Anchor, Text, number, shortened, text_width};
use crate::axis::Scale;
use std::fmt::Write;

const GRID_COLOUR: &str = "#e4e4e4";
const FAINT_GRID_COLOUR: &str = "#f3f3f3";
const ZERO_LINE_COLOUR: &str = "#bdbdbd";
const AXIS_COLOUR: &str = "#555555";
const TICK_LABEL_COLOUR: &str = "#444444";

/// How far ticks reach out of the plotted area.
const MAJOR_TICK_LENGTH: f64 = 5.0;
const MINOR_TICK_LENGTH: f64 = 3.0;

pub(super) fn draw(svg: &mut String, panel: &PanelLayout) {
    draw_grid(svg, panel);
    draw_ticks(svg, panel);
    draw_labels(svg, panel);
}

/// The vertical or horizontal lines, through the whole area, as one path: data come on top of it.
fn draw_grid(svg: &mut String, panel: &PanelLayout) {
    let frame = panel.frame;
    let upright = |place: &f64| {
        let x = number(frame.at([panel.traces.x.fraction(*place), 0.0]).0);
        format!("M{x} {}V{}", number(frame.bottom), number(frame.top))
    };
    let level = |place: &f64| {
        let y = number(frame.at([0.0, panel.traces.y.fraction(*place)]).1);
        format!("M{} {y}H{}", number(frame.left), number(frame.right))
    };
    let minor = panel.x.minor.iter().map(upright).chain(panel.y.minor.iter().map(level));
    path(svg, FAINT_GRID_COLOUR, 1.0, minor);
    let x_major = panel.x.major.iter().map(|tick| upright(&tick.place));
    let y_major = panel.y.major.iter().map(|tick| level(&tick.place));
    path(svg, GRID_COLOUR, 1.0, x_major.chain(y_major));
    let zero =
        (panel.panel.y.scale == Scale::Linear && panel.traces.y.contains(0.0)).then(|| level(&0.0));
    path(svg, ZERO_LINE_COLOUR, 1.0, zero.into_iter());
}

/// The two axes with their ticks, pointing outwards so as not to cover data.
fn draw_ticks(svg: &mut String, panel: &PanelLayout) {
    let frame = panel.frame;
    let (left, bottom) = (number(frame.left), number(frame.bottom));
    let axes = format!("M{left} {}V{bottom}H{}", number(frame.top), number(frame.right));
    let below = |place: f64, length: f64| {
        format!("M{} {bottom}v{length}", number(frame.at([panel.traces.x.fraction(place), 0.0]).0))
    };
    let left_of_axis = |place: f64, length: f64| {
        format!("M{left} {}h-{length}", number(frame.at([0.0, panel.traces.y.fraction(place)]).1))
    };
    let ticks = [axes]
        .into_iter()
        .chain(panel.x.major.iter().map(|tick| below(tick.place, MAJOR_TICK_LENGTH)))
        .chain(panel.x.minor.iter().map(|place| below(*place, MINOR_TICK_LENGTH)))
        .chain(panel.y.major.iter().map(|tick| left_of_axis(tick.place, MAJOR_TICK_LENGTH)))
        .chain(panel.y.minor.iter().map(|place| left_of_axis(*place, MINOR_TICK_LENGTH)));
    path(svg, AXIS_COLOUR, 1.0, ticks);
}

fn path(svg: &mut String, colour: &str, width: f64, parts: impl Iterator<Item = String>) {
    let outline: String = parts.collect();
    if !outline.is_empty() {
        let width = number(width);
        let _ = writeln!(
            svg,
            "<path d=\"{outline}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"
        );
    }
}

fn draw_labels(svg: &mut String, panel: &PanelLayout) {
    let frame = panel.frame;
    let label = |x, baseline, anchor| Text {
        size: TICK_SIZE,
        colour: TICK_LABEL_COLOUR,
        ..Text::at(x, baseline, anchor)
    };
    for tick in &panel.y.major {
        let y = frame.at([0.0, panel.traces.y.fraction(tick.place)]).1;
        label(frame.left - 8.0, y + 4.0, Anchor::End).write_label(svg, &tick.label);
    }
    if !panel.y.note.is_empty() {
        label(frame.left, frame.top - 8.0, Anchor::Start).write_label(svg, &panel.y.note);
    }
    if panel.shows_x {
        draw_labels_below(svg, panel, &label);
    }
    let vertical = panel.panel.vertical_label();
    if !vertical.is_empty() {
        let middle = 0.5 * (frame.top + frame.bottom);
        let text = shortened(vertical, 12.0, frame.height() + 20.0);
        Text { upright: true, ..Text::at(panel.sheet.margin() + 10.0, middle, Anchor::Middle) }
            .write_label(svg, &text);
    }
}

/// Numbers or names below the panel, and the label of the axis.
fn draw_labels_below(
    svg: &mut String,
    panel: &PanelLayout,
    label: &dyn Fn(f64, f64, Anchor) -> Text,
) {
    let frame = panel.frame;
    for tick in &panel.x.major {
        let x = frame.at([panel.traces.x.fraction(tick.place), 0.0]).0;
        if panel.turned {
            let name = shortened(&tick.label, TICK_SIZE, MAX_TURNED_NAME);
            let text = label(x + 4.0, frame.bottom + 9.0, Anchor::End);
            Text { upright: true, ..text }.write_label(svg, &name);
            continue;
        }
        // a number at the end of the axis moves inwards rather than off the sheet
        let half = 0.5 * text_width(&tick.label, TICK_SIZE);
        let x = x.min(panel.sheet.width - half - 1.0);
        label(x, frame.bottom + 18.0, Anchor::Middle).write_label(svg, &tick.label);
    }
    let below = frame.bottom + panel.tick_label_room() + 14.0;
    let note = &panel.x.note;
    let note_width = if note.is_empty() { 0.0 } else { text_width(note, TICK_SIZE) + 12.0 };
    if !note.is_empty() {
        label(frame.right, below, Anchor::End).write_label(svg, note);
    }
    if !panel.panel.x.label.is_empty() {
        // The note stands at the right end, so a centred label keeps clear of it on both sides.
        let text = shortened(&panel.panel.x.label, 12.0, frame.width() - 2.0 * note_width);
        Text::at(0.5 * (frame.left + frame.right), below, Anchor::Middle).write_label(svg, &text);
    }
}
