//! Many films on one page, each with a clock of its own.

use super::{PLAY_BUTTON, SCENE_SCRIPT, STYLE, THEME_BUTTON};
use crate::html::page_head;
use crate::scene::outline::px;
use crate::scene::{Pace, Scene};
use crate::svg::escaped;
use std::fmt::Write;

/// A page of films.
pub struct Gallery {
    /// The heading.
    pub title: String,
    /// A line below it.
    pub about: String,
    /// In their order.
    pub entries: Vec<GalleryEntry>,
}

/// One film of a gallery.
pub struct GalleryEntry {
    /// What moves.
    pub scene: Scene,
    /// What it is about; may be empty.
    pub text: String,
    /// How to get it, as a command.
    pub command: String,
}

/// How the page differs from that of one film.
const GALLERY_STYLE: &str = include_str!("gallery.css");
const GALLERY_SCRIPT: &str = include_str!("gallery.js");

impl Gallery {
    /// The page: one file that needs no network.
    pub fn to_html(&self) -> String {
        let (title, about) = (escaped(&self.title), escaped(&self.about));
        let mut page = page_head(&self.title, &format!("{STYLE}{GALLERY_STYLE}"));
        let _ = write!(
            page,
            "<body class=\"show-trails\">\n<main class=\"page\">\n<header><h1>{title}</h1><p class=\"about\">{about}</p>\
             <div class=\"controls\" role=\"group\" aria-label=\"Playback\">{PLAY_BUTTON}{THEME_BUTTON}</div></header>\n\
             <div class=\"cards\">\n"
        );
        for entry in &self.entries {
            entry.write(&mut page);
        }
        let films: Vec<String> = self.entries.iter().map(GalleryEntry::data).collect();
        let _ = writeln!(
            page,
            "</div>\n</main>\n<script type=\"application/json\" id=\"catena-data\">[{}]</script>\n\
             <script>\n{SCENE_SCRIPT}{GALLERY_SCRIPT}</script>\n</body>\n</html>",
            films.join(",").replace("</", "<\\/")
        );
        page
    }
}

impl GalleryEntry {
    fn write(&self, page: &mut String) {
        let (width, height) = (px(self.scene.view.width), px(self.scene.view.height));
        let title = escaped(&self.scene.title);
        let _ = write!(
            page,
            "<article><figure class=\"film\"><svg class=\"scene\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-label=\"{title}, moving\"><g class=\"stage\">"
        );
        for piece in &self.scene.pieces {
            page.push_str(&self.scene.element(piece));
        }
        let _ = writeln!(
            page,
            "</g></svg></figure><h2>{title}</h2><p>{}</p><p><code>{}</code></p></article>",
            escaped(&self.text),
            escaped(&self.command)
        );
    }

    fn data(&self) -> String {
        let film = &self.scene.film;
        let span = film.times.last().unwrap_or(&1.0) - film.times.first().unwrap_or(&0.0);
        let duration = (span / Pace::of(film).speed).max(1e-9);
        format!("{{\"film\":{},\"duration\":{duration}}}", self.scene.data(film.len()))
    }
}
