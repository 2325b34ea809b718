//! One JSON object. NaN and infinities, which JSON does not have, become `null`.

use crate::{Document, Format, Output};
use std::io;

pub(crate) static FORMAT: Format = Format {
    ending: "json",
    summary: "one JSON object with everything that was found",
    holds_all_sheets: true,
    write,
};

fn write(document: &Document<'_>, output: &mut dyn Output) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *output, &(document.object)()?)?;
    output.write_all(b"\n")
}
