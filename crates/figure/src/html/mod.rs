//! Figures as pages: one file that opens without a network, with scripts and styles of our own.
//!
//! Another page, such as one that moves a mechanism, takes [`plot_script`], [`plot_style`] and the data of a figure
//! ([`Figure::data`](crate::Figure::data)) and calls `CatenaPlots.create(element, data)`, which gives back
//! `setCursor(x)` and `onCursor(callback)`.

mod data;
mod json;

pub(crate) use data::{figure_data, maps_data};

/// The scripts of a page with plots; they define `CatenaPlots`.
pub fn plot_script() -> &'static str {
    concat!(include_str!("axes.js"), include_str!("series.js"), include_str!("plot.js"))
}

/// The style sheet of a page with plots, for everything inside elements of the class `catena-plots`.
pub fn plot_style() -> &'static str {
    include_str!("plot.css")
}

/// How the page itself looks.
const PAGE_STYLE: &str = "\
body { margin: 0; background: #ffffff; }
@media (prefers-color-scheme: dark) { body { background: #16181c; } }
main { box-sizing: border-box; max-width: 1800px; margin: 0 auto; padding: clamp(8px, 2vw, 28px); }
";

/// What a reader can do, below the plots.
const HELP: &str = "Drag to zoom, double-click to see everything again. Ctrl and wheel zoom along the axis below, with \
                    shift along the other one. In a plot that was clicked, arrow keys move the cursor, + and − zoom.";

/// The beginning of a page that stands alone, up to its body.
pub fn page_head(title: &str, style: &str) -> String {
    let title = crate::svg::escaped(if title.is_empty() { "Catena" } else { title });
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{style}</style>\n</head>\n"
    )
}

/// A page with the plots of a figure.
pub(crate) fn page(title: &str, data: &str) -> String {
    let head = page_head(title, &format!("{PAGE_STYLE}{}", plot_style()));
    let script = plot_script();
    format!(
        "{head}<body>\n<main>\n<div id=\"plots\"></div>\n\
         <div class=\"catena-plots\"><p class=\"catena-help\">{HELP}</p></div>\n</main>\n\
         <script>\n{script}\nCatenaPlots.create(document.getElementById(\"plots\"), {data});\n</script>\n\
         </body>\n</html>\n"
    )
}
