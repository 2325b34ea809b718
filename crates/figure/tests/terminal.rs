//! The panel as text: inside its size, with every series recognisable.

mod reading;

use catena_figure::{Axis, Panel, Series};
use reading::stripped;

fn waves() -> Panel {
    let time: Vec<f64> = (0..400).map(|index| 0.05 * f64::from(index)).collect();
    let mut panel =
        Panel::new("Three waves", Axis::linear("t, s"), Axis::linear("displacement, m"));
    for (index, name) in ["first", "second", "third"].into_iter().enumerate() {
        let wave: Vec<f64> =
            time.iter().map(|t| (t - index as f64).sin() / (1.0 + index as f64)).collect();
        panel = panel.with(Series::line(name, time.clone(), wave));
    }
    panel
}

#[test]
fn no_size_is_exceeded() {
    let mut crowded = waves();
    for index in 0..30 {
        crowded = crowded.with(Series::marks(
            format!("a rather long name, number {index}"),
            [1.0],
            [1e-9],
        ));
    }
    for panel in [waves(), crowded, Panel::default()] {
        for columns in 0..100 {
            for rows in 0..32 {
                let text = stripped(&panel.to_terminal(columns, rows));
                assert!(text.split('\n').count() <= rows.max(1), "{columns} × {rows}");
                for line in text.lines() {
                    assert!(line.chars().count() <= columns, "{columns} × {rows}: {line}");
                }
            }
        }
    }
}

#[test]
fn a_usual_size_shows_everything() {
    let text = waves().to_terminal(80, 24);
    let plain = stripped(&text);
    for expected in
        ["Three waves", "displacement, m", "t, s", "first", "second", "third", "−1.0 ┤", "┬", "20"]
    {
        assert!(plain.contains(expected), "{expected} is missing in\n{plain}");
    }
    assert_eq!(plain.lines().count(), 24);
    for colour in ["\u{1b}[38;5;33m━", "\u{1b}[38;5;202m━", "\u{1b}[38;5;36m━"] {
        assert!(text.contains(colour));
    }
}

#[test]
fn a_gap_in_the_data_is_a_gap_on_the_screen() {
    let y = [1.0, 1.0, f64::NAN, 1.0, 1.0];
    let panel = Panel::new("", Axis::linear(""), Axis::linear("")).with(Series::line(
        "",
        [0.0, 1.0, 5.0, 9.0, 10.0],
        y,
    ));
    let text = stripped(&panel.to_terminal(40, 3));
    let line = text
        .lines()
        .find(|line| line.contains(|c| ('\u{2801}'..='\u{28ff}').contains(&c)))
        .expect("a line");
    assert_eq!(line.split_whitespace().count(), 2, "{line}");
}

#[test]
fn a_power_law_is_straight_on_logarithmic_axes() {
    let x: Vec<f64> = (0..50).map(|index| 10f64.powf(-0.1 * f64::from(index))).collect();
    let y: Vec<f64> = x.iter().map(|x| x.powi(4)).collect();
    let axes = Panel::new("", Axis::logarithmic("h, s"), Axis::logarithmic("error"));
    let plain = stripped(&axes.with(Series::line("", x, y)).to_terminal(44, 16));
    assert!(plain.contains("10⁻¹⁰"), "{plain}");
    // Each row of a straight line holds about the same number of characters.
    let lengths: Vec<usize> = plain
        .lines()
        .map(|line| line.chars().filter(|c| ('\u{2801}'..='\u{28ff}').contains(c)).count())
        .filter(|count| *count > 0)
        .collect();
    let inner = &lengths[1..lengths.len() - 1];
    assert!(inner.iter().max().unwrap() - inner.iter().min().unwrap() <= 1, "{lengths:?}");
}
