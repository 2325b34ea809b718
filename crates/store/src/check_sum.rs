//! Check sums of what is written: CRC-32 (ISO-HDLC), which no burst of up to 32 wrong bits leaves as it was.

use crc32fast::Hasher;

/// Of some pieces of bytes, one behind the other.
pub(crate) fn check_sum<T: AsRef<[u8]>>(pieces: impl IntoIterator<Item = T>) -> u32 {
    let mut hasher = Hasher::new();
    pieces.into_iter().for_each(|piece| hasher.update(piece.as_ref()));
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_sum_is_that_of_the_standard() {
        assert_eq!(check_sum(["1234", "56789"]), 0xcbf4_3926);
    }
}
