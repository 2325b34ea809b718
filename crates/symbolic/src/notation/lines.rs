//! Long equations broken into lines, before a sign or an equal sign.

use super::{Notation, display_width, signed_terms};

/// Lines may be this wide, measured as text.
const MAX_LINE_WIDTH: usize = 108;

/// How a piece is joined to what stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Joint {
    /// An equal sign stands before it.
    pub(super) equals: bool,
    /// It is the first term of its side.
    pub(super) first: bool,
    /// It is subtracted.
    pub(super) negative: bool,
}

impl Joint {
    /// The sign in front, from: plus inside a sum, minus inside a sum, minus at the beginning.
    pub(super) fn sign(self, [plus, minus, leading]: [&'static str; 3]) -> &'static str {
        match (self.first, self.negative) {
            (true, false) => "",
            (true, true) => leading,
            (false, false) => plus,
            (false, true) => minus,
        }
    }
}

/// The lines of an equation that is too wide for one; `None` if it fits or cannot be broken.
pub(super) fn lines(notation: &Notation) -> Option<Vec<Vec<(Joint, &Notation)>>> {
    let Notation::Equation(sides) = notation else { return None };
    if sides.iter().any(|side| matches!(side, Notation::Matrix(_))) {
        return None;
    }
    let mut lines: Vec<Vec<(Joint, &Notation)>> = vec![Vec::new()];
    let mut width = 0;
    for (position, side) in sides.iter().enumerate() {
        let terms = match side {
            Notation::Sum(terms) => terms.as_slice(),
            other => std::slice::from_ref(other),
        };
        for (at, (sign, term)) in signed_terms(terms, ["", "-", "", "-"]).enumerate() {
            let first = at == 0;
            let joint = Joint { equals: first && position > 0, first, negative: sign == "-" };
            let length = display_width(&term.to_text()) + 3;
            if width > 0 && width + length > MAX_LINE_WIDTH {
                lines.push(Vec::new());
                width = 0;
            }
            width += length;
            lines.last_mut()?.push((joint, term));
        }
    }
    (lines.len() > 1).then_some(lines)
}
