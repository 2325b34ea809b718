//! A table as NumPy's NPZ: a ZIP archive, stored, of one array for each column.
//!
//! Sources: NumPy, "NPY format" 1.0; PKWARE, "APPNOTE.TXT – .ZIP File Format Specification" 6.3.

use crate::Table;

impl Table {
    /// The bytes of an NPZ file; `numpy.load` gives the columns by name.
    pub fn to_npz(&self) -> Vec<u8> {
        let mut archive = Vec::new();
        let mut directory = Vec::new();
        for column in &self.columns {
            let name = format!("{}.npy", column.name);
            let contents = npy(column.numbers());
            let offset = archive.len() as u32;
            let description = description(&name, &contents);
            archive.extend(b"PK\x03\x04");
            archive.extend(&description);
            archive.extend(name.as_bytes());
            archive.extend(&contents);
            directory.extend(b"PK\x01\x02\x14\x00");
            directory.extend(&description);
            // no comment, first disk, no attributes
            directory.extend([0; 10]);
            directory.extend(offset.to_le_bytes());
            directory.extend(name.as_bytes());
        }
        let (entries, start) = (self.columns.len() as u16, archive.len() as u32);
        archive.extend(&directory);
        archive.extend(b"PK\x05\x06\0\0\0\0");
        archive.extend(entries.to_le_bytes());
        archive.extend(entries.to_le_bytes());
        archive.extend((directory.len() as u32).to_le_bytes());
        archive.extend(start.to_le_bytes());
        archive.extend([0, 0]);
        archive
    }
}

/// What both headers of a ZIP entry share: version, flags, method, time, check sum, sizes, name.
fn description(name: &str, contents: &[u8]) -> Vec<u8> {
    let size = (contents.len() as u32).to_le_bytes();
    let mut bytes = Vec::with_capacity(26);
    bytes.extend([20, 0]);
    bytes.extend([0, 8]); // names are UTF-8
    bytes.extend([0, 0]); // stored
    bytes.extend([0, 0, 0x21, 0]); // 1 January 1980: the same run gives the same file
    bytes.extend(check_sum(contents).to_le_bytes());
    bytes.extend(size);
    bytes.extend(size);
    bytes.extend((name.len() as u16).to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

fn npy(column: &[f64]) -> Vec<u8> {
    let mut header =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}", column.len());
    // the array begins at a multiple of 64 bytes
    let padding = 63 - (10 + header.len()) % 64;
    header += &" ".repeat(padding);
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(column.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// CRC-32 as ZIP uses it.
fn check_sum(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for &byte in bytes {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_sum_is_that_of_the_standard() {
        assert_eq!(check_sum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn arrays_begin_at_multiples_of_64_bytes() {
        for length in [0, 1, 10, 12345] {
            let bytes = npy(&vec![1.5; length]);
            assert_eq!((bytes.len() - 8 * length) % 64, 0);
        }
    }
}
