//! Films as one page that needs nothing but a browser: it plays, can be held anywhere, and shows plots beside it.

mod data;
mod gallery;
mod pace;

pub use gallery::{Gallery, GalleryEntry};
pub use pace::Pace;

pub(super) use pace::round_down;

use super::Scene;
use super::frames::CENTRE;
use super::outline::px;
use super::piece::Piece;
use super::still::{nice, scale_bar};
use crate::figure::Figure;
use crate::html::page_head;
use crate::svg::escaped;
use std::fmt::Write;

/// What moves scenes.
pub(crate) const SCENE_SCRIPT: &str = include_str!("scene.js");
/// What plays them.
const SCRIPT: &str = include_str!("player.js");
/// Its looks, in light and in dark.
pub(crate) const STYLE: &str =
    concat!(include_str!("colours.css"), include_str!("player.css"), include_str!("scene.css"));

/// What moves the pieces of a film; it defines `CatenaScene`. For pages that bring controls of their own.
pub fn scene_script() -> &'static str {
    SCENE_SCRIPT
}

/// Colours of films and the looks of their pieces, for pages that bring controls of their own.
pub fn scene_style() -> &'static str {
    concat!(include_str!("colours.css"), include_str!("scene.css"))
}

const PLAY_BUTTON: &str = "<button id=\"play\" type=\"button\" aria-label=\"Play\"><svg width=\"16\" height=\"16\" \
    viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path class=\"go\" d=\"M3 1l11 7-11 7z\"/>\
    <path class=\"pause\" d=\"M3 1h3.5v14H3zM9.5 1H13v14H9.5z\"/></svg></button>";
const THEME_BUTTON: &str =
    "<button id=\"theme\" type=\"button\" aria-label=\"Light or dark\">◐</button>";

/// One of several films side by side.
pub struct Filmed {
    /// Laid out.
    pub scene: Scene,
    /// What tells it from the others; may be empty.
    pub label: String,
    /// A word and what it rests on, as `good` and `its error is 0.1 % of the motion`, where that is known.
    pub verdict: Option<[String; 2]>,
}

/// Films with one clock, and plots of the same motion.
pub struct Player {
    /// The heading.
    pub title: String,
    /// A line below it; may be empty.
    pub about: String,
    /// Side by side; all have the same number of frames.
    pub films: Vec<Filmed>,
    /// What is plotted against time beside them, if anything.
    pub figure: Option<Figure>,
    /// What the times of frames are, in words and with their unit: `["", "s"]`; none for shapes of modes.
    pub clock: Option<[String; 2]>,
    /// Seconds that it takes to watch; none if the times of frames are seconds.
    pub duration: Option<f64>,
    /// How fast it is shown at first; none for a speed that the eye can follow.
    pub speed: Option<f64>,
}

impl Player {
    /// The style sheet, for pages of somebody else.
    pub fn style() -> String {
        format!("{}{STYLE}", crate::html::plot_style())
    }

    /// The page.
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        let mut page = page_head(&self.title, &Player::style());
        page += "<body>\n<main class=\"page\">\n";
        page += &format!("<header><h1>{title}</h1>");
        if !self.about.is_empty() {
            page += &format!("<p class=\"about\">{}</p>", escaped(&self.about));
        }
        page += "</header>\n";
        page += &self.body();
        page += "</main>\n";
        page += &self.scripts();
        page += "</body>\n</html>\n";
        page
    }

    /// The films, the plots and the controls, to stand in a page of somebody else with [`Player::scripts`] behind.
    pub fn body(&self) -> String {
        let with_plots = if self.figure.is_some() { " with-plots" } else { "" };
        let mut html = format!("<div class=\"player{with_plots}\">\n<div class=\"films\">\n");
        for film in &self.films {
            film.write(&mut html);
        }
        html += "</div>\n";
        if self.figure.is_some() {
            html += "<div id=\"plots\" aria-label=\"Plots\"></div>\n";
        }
        html += &self.controls();
        html += "<p class=\"keys\"><kbd>space</kbd> play or pause · <kbd>←</kbd> <kbd>→</kbd> one frame, with <kbd>shift</kbd> ten \
                 · <kbd>,</kbd> <kbd>.</kbd> slower, faster · <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom · drag moves, double \
                 click shows everything</p>\n</div>\n<p class=\"hidden-text\" id=\"said\" aria-live=\"polite\"></p>\n";
        html
    }

    /// The data and the programs.
    pub fn scripts(&self) -> String {
        format!(
            "<script type=\"application/json\" id=\"catena-data\">{}</script>\n<script>\n{}</script>\n<script>\n{SCENE_SCRIPT}{SCRIPT}</script>\n",
            self.data(),
            crate::html::plot_script()
        )
    }

    fn controls(&self) -> String {
        let has = |wanted: fn(&Piece) -> bool| {
            self.films.iter().any(|film| film.scene.pieces.iter().any(wanted))
        };
        let mut boxes = String::new();
        let mut add = |id: &str, text: &str, on: bool| {
            let checked = if on { " checked" } else { "" };
            let _ = write!(
                boxes,
                "<label><input type=\"checkbox\" id=\"{id}\"{checked}> {text}</label>"
            );
        };
        add("loop", "loop", true);
        if has(|piece| matches!(piece, Piece::Trail { .. })) {
            add("trails", "trails", true);
        }
        if has(|piece| matches!(piece, Piece::Arrow { applied: false, .. })) {
            add("forces", "forces", false);
        }
        if has(|piece| matches!(piece, Piece::Pin { ends: [a, b], .. } if a != b)) {
            add("gaps", "gaps", true);
        }
        if has(|piece| matches!(piece, Piece::Name { .. })) {
            add("names", "names", false);
        }
        if has(|piece| matches!(piece, Piece::Centre { .. })) {
            add("centres", "centres of mass", false);
        }
        let last = self.frames().saturating_sub(1);
        let speeds: String = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0]
            .map(|speed| format!("<option value=\"{speed}\">{speed}×</option>"))
            .concat();
        format!(
            "<div class=\"controls\" role=\"group\" aria-label=\"Playback\">\
             {PLAY_BUTTON}<button id=\"back\" type=\"button\" aria-label=\"One frame back\">‹</button>\
             <button id=\"next\" type=\"button\" aria-label=\"One frame on\">›</button>\
             <input id=\"scrub\" type=\"range\" min=\"0\" max=\"{last}\" step=\"any\" value=\"0\" aria-label=\"Time\">\
             <output id=\"time\"></output>\
             <label>speed <select id=\"speed\" aria-label=\"Speed\">{speeds}</select></label>\
             <fieldset aria-label=\"Show\">{boxes}</fieldset>\
             <button id=\"zoom-out\" type=\"button\" aria-label=\"Zoom out\">−</button>\
             <button id=\"zoom-all\" type=\"button\" aria-label=\"Show everything\">fit</button>\
             <button id=\"zoom-in\" type=\"button\" aria-label=\"Zoom in\">+</button>\
             {THEME_BUTTON}</div>\n"
        )
    }

    /// How fast it is shown at first: seconds of the motion, or of [`Player::duration`], in a second.
    pub fn first_speed(&self) -> f64 {
        let paces = self.films.iter().map(|film| Pace::of(&film.scene.film).speed);
        match (self.speed, self.duration) {
            (Some(speed), _) => speed,
            (None, Some(_)) => 1.0,
            (None, None) => paces.fold(f64::INFINITY, f64::min),
        }
    }

    /// Seconds that it takes to watch at a speed of 1.
    pub fn seconds(&self) -> f64 {
        let times = self.films.first().map_or(&[][..], |film| &film.scene.film.times);
        let span = (times.last().unwrap_or(&0.0) - times.first().unwrap_or(&0.0)).abs();
        self.duration.unwrap_or(span).max(1e-9)
    }

    /// The number of frames of every film.
    fn frames(&self) -> usize {
        self.films.iter().map(|film| film.scene.film.len()).min().unwrap_or(0)
    }
}

impl Filmed {
    /// The picture in its first frame; the program moves its pieces from there.
    pub fn svg(&self) -> String {
        let scene = &self.scene;
        let (width, height) = (px(scene.view.width), px(scene.view.height));
        let name = if self.label.is_empty() { &scene.title } else { &self.label };
        let mut html = format!(
            "<svg class=\"scene\" viewBox=\"0 0 {width} {height}\" role=\"img\" tabindex=\"0\" \
             aria-label=\"{}, moving\"><g class=\"stage\">",
            escaped(name)
        );
        for piece in &scene.pieces {
            html.push_str(&scene.element(piece));
        }
        html.push_str("</g>");
        scene.write_scales(&mut html);
        html.push_str("</svg>");
        html
    }

    fn write(&self, html: &mut String) {
        let scene = &self.scene;
        let _ = write!(html, "<figure class=\"film\">{}<figcaption>", self.svg());
        if !self.label.is_empty() {
            let _ = write!(html, "<strong>{}</strong>", escaped(&self.label));
        }
        for (class, text, known) in [
            ("energy", "energy off by", !scene.film.energy_error.is_empty()),
            ("constraint", "constraints open by", !scene.film.constraint_error.is_empty()),
        ] {
            if known {
                let unit = if class == "energy" { "J" } else { "" };
                let _ = write!(
                    html,
                    "<span class=\"meter {class}\"><span>{text}</span><span class=\"bar\"></span><span><span class=\"value\"></span> {unit}</span></span>"
                );
            }
        }
        if let Some([word, reason]) = &self.verdict {
            let (word, reason) = (escaped(word), escaped(reason));
            let _ = write!(
                html,
                "<span class=\"verdict {word}\" title=\"{reason}\">{word}</span><span>{reason}</span>"
            );
        }
        html.push_str("</figcaption></figure>\n");
    }
}

impl Scene {
    /// A piece as one element, where it is in the first frame; the program moves it from there.
    fn element(&self, piece: &Piece) -> String {
        let translated = |anchor, inner: &str, class: &str| {
            let [x, y] = self.at(anchor, 0);
            format!("<g{class} transform=\"translate({} {})\">{inner}</g>", px(x), px(y))
        };
        match piece {
            // one element for each piece: what is not known at first waits in an empty group, which the program fills
            Piece::Rigid { markup, .. } | Piece::Mark { markup, .. } => {
                let shown = self.markup(piece, 0, super::frames::Shown::default());
                if shown.is_empty() {
                    format!("<g visibility=\"hidden\">{markup}</g>")
                } else {
                    shown
                }
            }
            Piece::Span { span, .. } => {
                let shown = self.markup(piece, 0, super::frames::Shown::default());
                let (class, width) = (span.class(), px(span.stroke_width()));
                let waiting =
                    || format!("<path class=\"{class}\" stroke-width=\"{width}\" d=\"\"/>");
                if shown.is_empty() { waiting() } else { shown }
            }
            Piece::Line { .. } => self.markup(piece, 0, super::frames::Shown::default()),
            Piece::Pin { ends, radius, welded } => {
                let (r, side) = (px(*radius), px(2.0 * radius));
                let dot = match welded {
                    true => format!(
                        "<rect class=\"pin\" x=\"-{r}\" y=\"-{r}\" width=\"{side}\" height=\"{side}\"/>"
                    ),
                    false => format!("<circle class=\"pin\" r=\"{r}\"/>"),
                };
                translated(ends[1], &(dot + "<path class=\"gap\" d=\"\"/>"), "")
            }
            Piece::Trail { colour, .. } => {
                format!("<g class=\"trail t{colour}\"><path d=\"\"/><path d=\"\"/></g>")
            }
            Piece::Arrow { applied, .. } => {
                let class = if *applied { "arrow applied" } else { "arrow" };
                format!("<path class=\"{class}\" d=\"\"/>")
            }
            Piece::Name { at, text, offset: [x, y] } => {
                let (x, y, text) = (px(*x), px(*y), escaped(text));
                let text = format!("<text class=\"name\" x=\"{x}\" y=\"{y}\">{text}</text>");
                translated(*at, &text, "")
            }
            Piece::Centre { at } => translated(*at, CENTRE, " class=\"centre-mark\""),
        }
    }

    /// How long a metre and a newton are.
    fn write_scales(&self, html: &mut String) {
        let at = [12.0, self.view.height - 12.0];
        let (length, bar) = nice(90.0, self.view.scale);
        scale_bar(html, "rail", at, bar, &format!("{length} m"));
        if self.force_scale > 0.0 {
            let (force, arrow) = nice(60.0, self.force_scale);
            html.push_str("<g class=\"force-scale\">");
            let at = [at[0] + bar + 64.0, at[1]];
            scale_bar(html, "arrow", at, arrow, &format!("{force} N"));
            html.push_str("</g>");
        }
    }
}
