//! Our own vector graphics as pixels and as pages, with a font that is built in: what is drawn looks the same on every
//! machine, and none has to be installed.

mod dots;
mod fonts;
mod pdf;
mod png;

pub use pdf::pdf;
pub use png::{png, rgba};

use fonts::options;
use resvg::usvg::Tree;
use resvg::usvg::roxmltree::Document;

/// Pixels of an inch at scale 1, as in style sheets; lengths in millimetres or points become pixels by it.
pub const PIXELS_PER_INCH: f32 = 96.0;

/// What a graphic says about itself in its `title` and `desc`.
struct Metadata {
    title: String,
    description: String,
}

/// The graphic with its text laid out, and its metadata.
///
/// # Panics
/// If the text is no SVG document: only what this program wrote is drawn.
fn parsed(svg: &str) -> (Tree, Metadata) {
    let svg = dots::placed(svg);
    let document = Document::parse(&svg).expect("our graphics are well-formed");
    let said = |name: &str| {
        let found = document.root_element().children().find(|child| child.has_tag_name(name));
        found.and_then(|element| element.text()).unwrap_or("").trim().to_owned()
    };
    let metadata = Metadata { title: said("title"), description: said("desc") };
    let tree = Tree::from_xmltree(&document, options()).expect("our graphics have a size");
    (tree, metadata)
}
