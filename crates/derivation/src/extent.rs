//! How much of a large system is written out.

/// Systems of at most this many coordinates are written out in full, for people too.
const MAX_COORDINATES_IN_FULL: usize = 40;
/// How many coordinates stand for a larger system: enough to see how its equations go on.
const LEADING_COORDINATES: usize = 10;

/// How much of a large system is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Every entry, for programs.
    Everything,
    /// What can be read: of more than forty coordinates the first ten, with the leading blocks of the matrices. The
    /// equations of a hundred links would take 34,000 lines.
    Readable,
}

impl Extent {
    /// How many of these (coordinates, constraints) are written out.
    pub(crate) fn of(self, count: usize) -> usize {
        match self {
            Extent::Readable if count > MAX_COORDINATES_IN_FULL => LEADING_COORDINATES,
            _ => count,
        }
    }

    /// How many of the definitions of a system with so many coordinates are written out.
    pub(crate) fn of_definitions(self, definitions: usize, coordinates: usize) -> usize {
        match self.of(coordinates) {
            all if all == coordinates => definitions,
            // about as many for each coordinate as the whole has
            shown => (definitions * shown).div_ceil(coordinates),
        }
    }
}
