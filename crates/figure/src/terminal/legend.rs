//! The legend: each name after a sample in its colour, as many to a line as fit.

use super::text::{RESET, colour, cut, width};
use crate::figure::Panel;
use crate::markup::unicode;
use crate::palette::Pen;
use crate::series::Series;

/// Distance between entries.
const ENTRY_DISTANCE: usize = 3;

/// How many of all rows the legend may take.
pub(super) fn most_lines(rows: usize) -> usize {
    if rows >= 6 { (rows / 5).max(1) } else { 0 }
}

/// The lines of the legend, `most` at most; none for a single series. Entries that do not fit are counted instead.
pub(super) fn lines(panel: &Panel, columns: usize, most: usize) -> Vec<String> {
    if !panel.needs_legend() || most == 0 {
        return Vec::new();
    }
    let mut lines = vec![LegendLine::new(columns)];
    let listed = panel.legend_entries();
    for (at, &index) in listed.iter().enumerate() {
        let entry = LegendEntry::of(&panel.series[index], Pen::in_legend(panel, index), columns);
        if lines.len() < most && !lines[lines.len() - 1].has_room(entry.width) {
            lines.push(LegendLine::new(columns));
        }
        let left = listed.len() - at;
        // The last line keeps room for the count, unless this entry is the last of all.
        let count = LegendEntry::plain(format!("… {left} more"));
        let reserved =
            if lines.len() == most && left > 1 { ENTRY_DISTANCE + count.width } else { 0 };
        let line = lines.last_mut().expect("there is always a last line");
        if !line.has_room(entry.width + reserved) {
            line.push(&count);
            break;
        }
        line.push(&entry);
    }
    lines.into_iter().map(|line| line.text).collect()
}

/// A text with escape codes, and the cells it takes without them.
struct LegendEntry {
    text: String,
    width: usize,
}

impl LegendEntry {
    fn of(series: &Series, pen: Pen, columns: usize) -> LegendEntry {
        let sample = sample(series, pen);
        let room = columns.saturating_sub(width(&sample) + 1);
        let name = cut(unicode(&series.name).trim(), room);
        let text = format!("{}{sample}{RESET} {name}", colour(pen.terminal_colour));
        LegendEntry { text, width: width(&sample) + 1 + width(&name) }
    }

    fn plain(text: String) -> LegendEntry {
        let width = width(&text);
        LegendEntry { text, width }
    }
}

/// A line being filled.
struct LegendLine {
    text: String,
    used: usize,
    columns: usize,
}

impl LegendLine {
    fn new(columns: usize) -> LegendLine {
        LegendLine { text: String::new(), used: 0, columns }
    }

    fn gap(&self) -> usize {
        if self.used > 0 { ENTRY_DISTANCE } else { 0 }
    }

    fn has_room(&self, width: usize) -> bool {
        self.used + self.gap() + width <= self.columns
    }

    /// Appends the entry where there is room for it.
    fn push(&mut self, entry: &LegendEntry) {
        if self.has_room(entry.width) {
            self.text.push_str(&" ".repeat(self.gap()));
            self.text.push_str(&entry.text);
            self.used += self.gap() + entry.width;
        }
    }
}

fn sample(series: &Series, pen: Pen) -> String {
    let mark = pen.mark.glyph();
    match (series.style.has_line(), series.style.has_marks()) {
        (true, false) => "━━".to_owned(),
        (true, true) => format!("━{mark}━"),
        _ => mark.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Axis;

    fn legend(names: &[&str], columns: usize, most: usize) -> Vec<String> {
        let panel = Panel {
            series: names.iter().map(|name| Series::line(*name, [0.0], [0.0])).collect(),
            ..Panel::new("", Axis::linear(""), Axis::linear(""))
        };
        let strip = |line: String| {
            line.split('\u{1b}').map(|part| part.split_once('m').map_or(part, |p| p.1)).collect()
        };
        lines(&panel, columns, most).into_iter().map(strip).collect()
    }

    #[test]
    fn entries_fill_lines() {
        assert_eq!(legend(&["one", "two", "red"], 15, 2), ["━━ one   ━━ two", "━━ red"]);
        assert_eq!(legend(&["one"], 15, 2), [""; 0]);
    }

    #[test]
    fn entries_without_room_are_counted() {
        assert_eq!(legend(&["one", "two", "red", "blue"], 20, 1), ["━━ one   … 3 more"]);
    }
}
