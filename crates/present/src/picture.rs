//! The formats of pictures: one row each.

use crate::WriteError;
use crate::destination::{ending, unknown_format};
use crate::file::write;
use catena_figure::Drawing;
use std::path::Path;

/// A format in which pictures are written.
pub struct PictureFormat {
    /// The ending of its files, without the dot.
    pub ending: &'static str,
    /// One line for lists of formats.
    pub summary: &'static str,
    /// The whole file.
    pub draw: fn(&dyn Drawing) -> Vec<u8>,
}

/// Every format. Whatever is drawn can be written in all of them.
pub static PICTURES: &[PictureFormat] = &[
    PictureFormat {
        ending: "svg",
        summary: "vector graphic, for pages and for drawing programs",
        draw: |drawing| drawing.to_svg().into_bytes(),
    },
    #[cfg(feature = "raster")]
    PictureFormat {
        ending: "png",
        summary: "pixels",
        draw: |drawing| {
            let scale = drawing.dots_per_inch() / f64::from(catena_figure::PIXELS_PER_INCH);
            catena_figure::png(&drawing.to_svg(), scale)
        },
    },
    #[cfg(feature = "raster")]
    PictureFormat {
        ending: "pdf",
        summary: "vector graphic with its font, for papers",
        draw: |drawing| catena_figure::pdf(&drawing.to_svg()),
    },
    PictureFormat {
        ending: "html",
        summary: "page in which one can zoom and read values",
        draw: |drawing| drawing.to_html().into_bytes(),
    },
];

/// The endings of [`PICTURES`], in their order.
pub static PICTURE_FORMATS: &[&str] = &{
    let mut endings = [""; PICTURES.len()];
    let mut at = 0;
    while at < PICTURES.len() {
        endings[at] = PICTURES[at].ending;
        at += 1;
    }
    endings
};

/// Draws into a file, in the format that its ending names.
pub fn write_picture(drawing: &dyn Drawing, path: &Path) -> Result<(), WriteError> {
    write(path, &picture_bytes(drawing, path)?)
}

/// A drawing as the contents of a file of this name.
pub fn picture_bytes(drawing: &dyn Drawing, path: &Path) -> Result<Vec<u8>, WriteError> {
    let format = PICTURES.iter().find(|format| format.ending == ending(path));
    let format = format.ok_or_else(|| unknown_format(path, PICTURE_FORMATS))?;
    Ok((format.draw)(drawing))
}
