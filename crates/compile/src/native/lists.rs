//! A short list for each value of a program, all of them one behind the other.

/// The lists of all values.
pub(super) struct Lists {
    /// Where the list of each value begins, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Sorts items to the lists of their values, each list in the order of the items.
    pub(super) fn new(values: usize, items: impl Iterator<Item = (u32, usize)> + Clone) -> Lists {
        // walks of iterators within iterators are much faster from inside
        let mut starts = vec![0; values + 1];
        items.clone().for_each(|(value, _)| starts[value as usize + 1] += 1);
        for value in 0..values {
            starts[value + 1] += starts[value];
        }
        let mut ends = starts.clone();
        let mut sorted = vec![0; starts[values] as usize];
        items.for_each(|(value, item)| {
            let end = &mut ends[value as usize];
            sorted[*end as usize] = item as u32;
            *end += 1;
        });
        Lists { starts, items: sorted }
    }

    /// The list of a value.
    pub(super) fn of(&self, value: u32) -> &[u32] {
        let [start, end] = [value as usize, value as usize + 1].map(|at| self.starts[at] as usize);
        &self.items[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_to_their_values_in_order() {
        let lists = Lists::new(4, [(2, 5), (0, 6), (2, 7), (3, 8)].into_iter());
        let all: Vec<&[u32]> = (0..4).map(|value| lists.of(value)).collect();
        assert_eq!(all, [&[6][..], &[], &[5, 7], &[8]]);
    }
}
