//! ZIP archives of files as they are, not compressed. Entries and bytes are counted with 64 bits where 16 and 32 are not
//! enough (ZIP64). The same files give the same archive: all of them are from 1 January 1980.
//!
//! Source: PKWARE, "APPNOTE.TXT, .ZIP File Format Specification" 6.3.

use crate::Output;
use std::io::{self, Write};

/// Versions of the format that a reader must know: plain files, and 64-bit sizes.
const PLAIN: u16 = 10;
const ZIP64: u16 = 45;
/// Names are UTF-8.
const UTF8_NAMES: u16 = 1 << 11;
/// 1 January 1980.
const DATE: u16 = (1 << 5) | 1;
/// The extra field with 64-bit sizes.
const ZIP64_FIELD: u16 = 1;

/// An archive as it is written.
pub(crate) struct Archive<'a> {
    output: &'a mut dyn Output,
    /// Where the next byte goes.
    offset: u64,
    entries: Vec<Entry>,
}

struct Entry {
    name: String,
    checksum: u32,
    size: u64,
    /// Where it begins.
    offset: u64,
}

impl<'a> Archive<'a> {
    /// An archive that begins where the output stands.
    pub(crate) fn new(output: &'a mut dyn Output) -> io::Result<Archive<'a>> {
        let offset = output.stream_position()?;
        Ok(Archive { output, offset, entries: Vec::new() })
    }

    /// Adds a file. Its content is asked for twice, since its checksum stands before it.
    pub(crate) fn add(
        &mut self,
        name: String,
        content: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut sum = Checksum::default();
        content(&mut sum)?;
        let entry =
            Entry { name, checksum: sum.hasher.finalize(), size: sum.size, offset: self.offset };
        let sizes = if short(entry.size) == u32::MAX { vec![entry.size; 2] } else { Vec::new() };
        let mut header = b"PK\x03\x04".to_vec();
        entry.describe(&mut header, &sizes);
        header.extend(entry.name.as_bytes());
        zip64_field(&mut header, &sizes);
        self.output.write_all(&header)?;
        content(self.output)?;
        self.offset += header.len() as u64 + entry.size;
        self.entries.push(entry);
        Ok(())
    }

    /// Writes the directory, without which it is no archive.
    pub(crate) fn finish(self) -> io::Result<()> {
        let mut directory = Vec::new();
        for entry in &self.entries {
            let long = [entry.size, entry.size, entry.offset].into_iter();
            let long: Vec<u64> = long.filter(|&number| short(number) == u32::MAX).collect();
            directory.extend(b"PK\x01\x02");
            directory.extend(ZIP64.to_le_bytes());
            entry.describe(&mut directory, &long);
            // no comment, first disk, no attributes
            directory.extend([0; 10]);
            directory.extend(short(entry.offset).to_le_bytes());
            directory.extend(entry.name.as_bytes());
            zip64_field(&mut directory, &long);
        }
        let (count, size) = (self.entries.len() as u64, directory.len() as u64);
        let few = u16::try_from(count).unwrap_or(u16::MAX);
        if few == u16::MAX || short(size) == u32::MAX || short(self.offset) == u32::MAX {
            directory.extend(b"PK\x06\x06");
            // the length of what follows, then versions and disks
            directory.extend(44_u64.to_le_bytes());
            directory.extend([ZIP64, ZIP64].map(u16::to_le_bytes).as_flattened());
            directory.extend([0; 8]);
            let long = [count, count, size, self.offset];
            directory.extend(long.map(u64::to_le_bytes).as_flattened());
            directory.extend(b"PK\x06\x07\0\0\0\0");
            directory.extend((self.offset + size).to_le_bytes());
            directory.extend(1_u32.to_le_bytes());
        }
        directory.extend(b"PK\x05\x06\0\0\0\0");
        directory.extend([few, few].map(u16::to_le_bytes).as_flattened());
        directory.extend([short(size), short(self.offset)].map(u32::to_le_bytes).as_flattened());
        directory.extend([0; 2]);
        self.output.write_all(&directory)
    }
}

impl Entry {
    /// What both headers of a file say, up to the lengths of its name and of its extra field.
    fn describe(&self, header: &mut Vec<u8>, long: &[u64]) {
        let version = if long.is_empty() { PLAIN } else { ZIP64 };
        // method 0: stored; midnight
        let start = [version, UTF8_NAMES, 0, 0, DATE];
        header.extend(start.map(u16::to_le_bytes).as_flattened());
        let size = short(self.size);
        header.extend([self.checksum, size, size].map(u32::to_le_bytes).as_flattened());
        let extra = if long.is_empty() { 0 } else { 4 + 8 * long.len() };
        header.extend((self.name.len() as u16).to_le_bytes());
        header.extend((extra as u16).to_le_bytes());
    }
}

/// A number in 32 bits; all of them set say that it stands elsewhere.
fn short(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Numbers that are too long for their places.
fn zip64_field(header: &mut Vec<u8>, long: &[u64]) {
    if !long.is_empty() {
        header.extend(ZIP64_FIELD.to_le_bytes());
        header.extend((8 * long.len() as u16).to_le_bytes());
        header.extend(long.iter().flat_map(|number| number.to_le_bytes()));
    }
}

/// Counts and sums what is written.
#[derive(Default)]
struct Checksum {
    hasher: crc32fast::Hasher,
    size: u64,
}

impl Write for Checksum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hasher.update(bytes);
        self.size += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, SeekFrom};
    use std::process::Command;

    /// What Python's `zipfile` says about an archive that begins at a place of a file: names and contents.
    fn read_by_python(name: &str, begin: u64, files: usize) -> String {
        let path = std::env::temp_dir().join(format!("catena-{}-{name}.zip", std::process::id()));
        let mut file = std::fs::File::create(&path).unwrap();
        file.seek(SeekFrom::Start(begin)).unwrap();
        let mut archive = Archive::new(&mut file).unwrap();
        for number in 0..files {
            let content = format!("content {number}");
            let content = |output: &mut dyn Write| output.write_all(content.as_bytes());
            archive.add(format!("θ{number}.txt"), content).unwrap();
        }
        archive.finish().unwrap();
        let script = "import sys, zipfile\narchive = zipfile.ZipFile(sys.argv[1])\n\
                      names = archive.namelist()\n\
                      print(len(names), names[-1], archive.read(names[-1]).decode(), archive.testzip())";
        let told = Command::new("python3").args(["-c", script]).arg(&path).output().unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
        String::from_utf8(told.stdout).unwrap().trim().to_owned()
    }

    #[test]
    fn archives_are_read_by_others() {
        assert_eq!(read_by_python("short", 0, 3), "3 θ2.txt content 2 None");
    }

    #[test]
    fn an_archive_may_lie_beyond_four_gigabytes() {
        assert_eq!(read_by_python("far", 5 << 30, 2), "2 θ1.txt content 1 None");
    }

    #[test]
    fn an_archive_may_have_more_files_than_16_bits_count() {
        let told = read_by_python("many", 0, 70_000);
        assert_eq!(told, "70000 θ69999.txt content 69999 None");
    }

    #[test]
    fn sizes_of_four_gigabytes_move_into_a_field_of_their_own() {
        let entry = |size| Entry { name: "a".into(), checksum: 7, size, offset: 0 };
        let mut header = Vec::new();
        entry(u64::from(u32::MAX)).describe(&mut header, &[u64::from(u32::MAX); 2]);
        assert_eq!(header[..2], ZIP64.to_le_bytes());
        assert_eq!(header[14..22], [0xff; 8]);
        assert_eq!(header[24..], [20, 0]);
        zip64_field(&mut header, &[1 << 40, 1 << 40]);
        assert_eq!(header[26..38], [1, 0, 16, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    }
}
