//! Text in cells of equal width.

pub(super) const BOLD: &str = "\u{1b}[1m";
pub(super) const RESET: &str = "\u{1b}[0m";

/// The escape code of a colour from the usual table of 256.
pub(super) fn colour(index: u8) -> String {
    format!("\u{1b}[38;5;{index}m")
}

/// How many cells a text takes, on the wide side: ideographs count twice.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(character_width).sum()
}

fn character_width(character: char) -> usize {
    match character {
        _ if crate::markup::is_combining(character) => 0,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' => 2,
        '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{1f300}'.. => 2,
        _ => 1,
    }
}

/// The text on one line of at most `cells`, without characters that would move the cursor.
pub(super) fn cut(text: &str, cells: usize) -> String {
    let clean: String = text
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect();
    if width(&clean) <= cells {
        return clean;
    }
    let mut used = 0;
    let kept = clean.chars().take_while(|character| {
        used += character_width(*character);
        used < cells
    });
    let ellipsis = if cells > 0 { "…" } else { "" };
    kept.collect::<String>() + ellipsis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_to_its_cells() {
        assert_eq!(cut("energy", 6), "energy");
        assert_eq!(cut("energy", 5), "ener…");
        assert_eq!(cut("energy", 1), "…");
        assert_eq!(cut("energy", 0), "");
        assert_eq!(cut("振り子", 5), "振り…");
    }

    #[test]
    fn escape_codes_in_names_lose_their_power() {
        assert_eq!(cut("a\u{1b}[2Jb\nc", 20), "a [2Jb c");
    }
}
