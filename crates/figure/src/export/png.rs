//! Pixels.

use super::{Metadata, PIXELS_PER_INCH, parsed};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::Tree;

/// The longest side of a picture, in pixels: beyond it programs refuse to open it.
const MAX_SIDE: f32 = 16_384.0;

const METRES_PER_INCH: f64 = 0.0254;

/// One of our graphics as a PNG file; at a `scale` of 1 an inch has 96 pixels.
///
/// The file says how large it is in print, and carries the title and the description of the graphic as text.
///
/// # Panics
/// If the text is no SVG document.
pub fn png(svg: &str, scale: f64) -> Vec<u8> {
    let (tree, metadata) = parsed(svg);
    let pixels = pixels(&tree, scale as f32);
    let mut file = Vec::new();
    encode(&mut file, &pixels, &metadata, scale).expect("writing to memory does not fail");
    file
}

/// One of our graphics as pixels, `width` of them in a row: width, height and the bytes for red, green, blue and
/// opacity, row by row from the top.
///
/// # Panics
/// If the text is no SVG document.
pub fn rgba(svg: &str, width: u32) -> (u32, u32, Vec<u8>) {
    let (tree, _) = parsed(svg);
    let pixels = pixels(&tree, width as f32 / tree.size().width());
    (pixels.width(), pixels.height(), plain(&pixels))
}

fn pixels(tree: &Tree, scale: f32) -> Pixmap {
    let size = tree.size();
    let scale = scale.min(MAX_SIDE / size.width().max(size.height()));
    let side = |length: f32| ((scale * length).round() as u32).max(1);
    let mut pixels = Pixmap::new(side(size.width()), side(size.height())).expect("it has pixels");
    resvg::render(tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels
}

/// Colours that are not yet multiplied by their opacity, as files hold them.
fn plain(pixels: &Pixmap) -> Vec<u8> {
    let colours = pixels.pixels().iter().map(|pixel| pixel.demultiply());
    colours.flat_map(|it| [it.red(), it.green(), it.blue(), it.alpha()]).collect()
}

fn encode(
    file: &mut Vec<u8>,
    pixels: &Pixmap,
    metadata: &Metadata,
    scale: f64,
) -> Result<(), png::EncodingError> {
    let opaque: Vec<u8> =
        plain(pixels).chunks(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let mut encoder = png::Encoder::new(file, pixels.width(), pixels.height());
    // Every drawing of ours has a ground, so opacity would only make the file larger.
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Best);
    encoder.set_filter(png::FilterType::Up);
    let density = (f64::from(PIXELS_PER_INCH) * scale / METRES_PER_INCH).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: density,
        yppu: density,
        unit: png::Unit::Meter,
    }));
    let said = [("Title", &metadata.title), ("Description", &metadata.description)];
    for (keyword, text) in said.into_iter().filter(|(_, text)| !text.is_empty()) {
        encoder.add_itxt_chunk(keyword.to_owned(), text.clone())?;
    }
    encoder.add_text_chunk("Software".to_owned(), "Catena".to_owned())?;
    encoder.write_header()?.write_image_data(&opaque)
}
