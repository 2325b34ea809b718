//! Pixels and pages: made without a font of the system, true to the graphic they are made of.

use catena_figure::{Axis, Figure, Panel, Series, pdf, png, rgba};

fn graphic(label: &str) -> String {
    let panel = Panel::new("", Axis::linear(label), Axis::linear(""));
    Figure::from(panel.with(Series::line("", [0.0, 1.0], [0.0, 1.0]))).to_svg()
}

/// The pixels of a graphic that are darker than its grid.
fn dark_pixels(svg: &str, width: u32) -> usize {
    let (_, _, bytes) = rgba(svg, width);
    bytes.chunks(4).filter(|pixel| pixel[..3].iter().all(|part| *part < 100)).count()
}

#[test]
fn pixels_have_the_width_that_was_asked_for_and_the_shape_of_the_graphic() {
    let svg = graphic("t, s");
    let (width, height, bytes) = rgba(&svg, 400);
    assert_eq!(bytes.len(), 4 * (width * height) as usize);
    assert_eq!(width, 400);
    let (twice, twice_as_high, _) = rgba(&svg, 800);
    assert_eq!(twice, 800);
    assert!(twice_as_high.abs_diff(2 * height) <= 1);
}

#[test]
fn text_is_drawn_by_a_font_that_is_built_in() {
    for text in ["angular velocity", "θωφ", "−×·", "Ж"] {
        let without = dark_pixels(&graphic(""), 2400);
        let with = dark_pixels(&graphic(text), 2400);
        assert!(with > without + 20, "`{text}` adds {with} − {without} dark pixels");
    }
}

#[test]
fn a_picture_says_what_it_is_and_how_large() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"25.4mm\" height=\"12.7mm\">\
               <title>Pendulum θ</title><desc>rk4, step 0.1 s</desc><rect width=\"9\" height=\"9\"/></svg>";
    let picture = png(svg, 2.0);
    assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"));
    let has = |part: &[u8]| picture.windows(part.len()).any(|window| window == part);
    assert!(has("Title\0\0\0\0\0Pendulum θ".as_bytes()) && has(b"rk4, step 0.1 s"));
    // 192 dots in 0.0254 m, as the chunk of physical sizes counts
    let per_metre = 7559_u32.to_be_bytes();
    assert!(has(&[&b"pHYs"[..], &per_metre, &per_metre, &[1]].concat()));
    assert!(has(&[&b"IHDR"[..], &192_u32.to_be_bytes(), &96_u32.to_be_bytes()].concat()));
}

#[test]
fn a_page_has_the_size_of_the_graphic_and_brings_its_font() {
    let svg = graphic("t, s").replacen("<rect", "<title>Pendulum</title><desc>rk4</desc><rect", 1);
    let page = pdf(&svg);
    assert!(page.starts_with(b"%PDF-") && page.trim_ascii_end().ends_with(b"%%EOF"));
    let text = String::from_utf8_lossy(&page);
    // 800 pixels at 96 to the inch, in points
    assert!(text.contains("/MediaBox [0 0 600 "), "{text}");
    assert!(text.contains("/Title (Pendulum)") && text.contains("/Subject (rk4)"));
    assert!(text.contains("+NotoSans") && text.contains("/FontFile"));
}

#[test]
fn a_picture_of_a_plot_takes_less_than_a_page_of_text_in_pixels() {
    let picture = png(&graphic("t, s"), 2.0);
    assert!(picture.len() < 60_000, "{} bytes", picture.len());
}
