//! The font: Noto Sans, which has Latin, Greek, Cyrillic and the signs of mathematics.

use super::PIXELS_PER_INCH;
use resvg::usvg::Options;
use resvg::usvg::fontdb::{Database, Source};
use std::sync::{Arc, OnceLock};

const FAMILY: &str = "Noto Sans";

/// How graphics are read. The fonts are parsed when they are first needed, once.
pub(super) fn options() -> &'static Options<'static> {
    static OPTIONS: OnceLock<Options<'static>> = OnceLock::new();
    OPTIONS.get_or_init(|| {
        let mut fonts = Database::new();
        for face in [notosans::REGULAR_TTF, notosans::BOLD_TTF, notosans::ITALIC_TTF] {
            fonts.load_font_source(Source::Binary(Arc::new(face)));
        }
        // Whatever family a page would take, there is one here.
        fonts.set_sans_serif_family(FAMILY);
        fonts.set_serif_family(FAMILY);
        fonts.set_monospace_family(FAMILY);
        Options {
            dpi: PIXELS_PER_INCH,
            font_family: FAMILY.to_owned(),
            fontdb: Arc::new(fonts),
            ..Options::default()
        }
    })
}
