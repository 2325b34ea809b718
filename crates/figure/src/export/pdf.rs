//! Pages.

use super::{Metadata, PIXELS_PER_INCH, parsed};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, TextStr};
use std::collections::HashMap;
use svg2pdf::ConversionOptions;

const POINTS_PER_INCH: f32 = 72.0;

/// One of our graphics as a PDF file of one page that has its size. Text stays text, in a font that the file brings
/// along; the title and the description of the graphic are in the document's information.
///
/// # Panics
/// If the text is no SVG document.
pub fn pdf(svg: &str) -> Vec<u8> {
    let (tree, metadata) = parsed(svg);
    let points = |pixels: f32| pixels * POINTS_PER_INCH / PIXELS_PER_INCH;
    let (width, height) = (points(tree.size().width()), points(tree.size().height()));
    let (graphic, graphic_id) = svg2pdf::to_chunk(&tree, ConversionOptions::default())
        .expect("our graphics are nested less deeply than pages may be");

    let mut next = 1;
    let mut id = || {
        next += 1;
        Ref::new(next - 1)
    };
    let [catalogue, pages, page, content, information] = [(); 5].map(|()| id());
    // The graphic counts its parts from 1 as well.
    let mut renumbered = HashMap::new();
    let graphic = graphic.renumber(|old| *renumbered.entry(old).or_insert_with(&mut id));
    let graphic_id = renumbered[&graphic_id];

    let mut file = Pdf::new();
    file.catalog(catalogue).pages(pages);
    file.pages(pages).kids([page]).count(1);
    let name = Name(b"G");
    let mut sheet = file.page(page);
    sheet.media_box(Rect::new(0.0, 0.0, width, height)).parent(pages).contents(content);
    sheet.resources().x_objects().pair(name, graphic_id);
    sheet.finish();
    let mut drawing = Content::new();
    // A graphic fills the unit square until it is told its size.
    drawing.transform([width, 0.0, 0.0, height, 0.0, 0.0]).x_object(name);
    file.stream(content, &drawing.finish());
    inform(&mut file, information, &metadata);
    file.extend(&graphic);
    file.finish()
}

fn inform(file: &mut Pdf, id: Ref, metadata: &Metadata) {
    let mut information = file.document_info(id);
    information.creator(TextStr("Catena"));
    if !metadata.title.is_empty() {
        information.title(TextStr(&metadata.title));
    }
    if !metadata.description.is_empty() {
        information.subject(TextStr(&metadata.description));
    }
}
