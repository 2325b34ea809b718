//! A film as a GIF: for pages and slides that show pictures and nothing else.

use super::{Scene, StillOptions};
use crate::export::rgba;
use gif::{DisposalMethod, Encoder, Frame, Repeat};

/// Pixels in a row.
const WIDTH: u32 = 640;
/// Hundredths of a second that a frame is shown: the shortest that all browsers keep.
const DELAY: u16 = 4;
/// The most colours of a GIF, less one that is none: what stays as it was in the picture before.
const COLOURS: usize = 255;
const AS_BEFORE: u8 = 255;
/// Frames that say which colours there are.
const LOOKED_AT_FRAMES: usize = 5;

/// Films side by side as a GIF that repeats for ever, with the paths of points, at this speed, or at one that the eye can
/// follow. `watch` is told which part is done, from 0 to 1, and ends the work with `true`.
pub fn gif(
    scenes: &[&Scene],
    clock: &GifClock,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Option<Vec<u8>> {
    let frames = clock.frames(&scenes.first()?.film.times);
    let (width, height, _) = picture(scenes, clock, frames[0]);
    let (width, height) = (width as u16, height as u16);
    let looked_at =
        (0..LOOKED_AT_FRAMES).map(|at| frames[at * (frames.len() - 1) / (LOOKED_AT_FRAMES - 1)]);
    let palette = Palette::of(looked_at.map(|frame| picture(scenes, clock, frame).2));
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette.colours).ok()?;
    encoder.set_repeat(Repeat::Infinite).ok()?;
    let mut previous: Option<Vec<u8>> = None;
    for (number, frame) in frames.iter().enumerate() {
        if watch(number as f64 / frames.len() as f64) {
            return None;
        }
        let (_, _, pixels) = picture(scenes, clock, *frame);
        let indices: Vec<u8> = pixels.chunks_exact(4).map(|pixel| palette.index(pixel)).collect();
        encoder.write_frame(&changed(previous.as_deref(), &indices, width, height)).ok()?;
        previous = Some(indices);
    }
    drop(encoder);
    Some(bytes)
}

/// How fast a GIF is, and what its clock shows.
pub struct GifClock {
    /// What the times of frames are, in words and with their unit; none if they mean nothing.
    pub clock: Option<[String; 2]>,
    /// Seconds that it takes to watch.
    pub duration: f64,
    /// Seconds of the motion in a second of watching, where times are seconds.
    pub speed: Option<f64>,
}

impl GifClock {
    /// The frames that are shown.
    fn frames(&self, times: &[f64]) -> Vec<usize> {
        let last = times.len() - 1;
        let wanted = (100.0 * self.duration / f64::from(DELAY)).max(1.0);
        let count = (wanted as usize).min(last).max(1);
        (0..=count).map(|number| number * last / count).collect()
    }

    /// What stands below a frame.
    fn caption(&self, times: &[f64], frame: usize) -> String {
        let Some([name, unit]) = &self.clock else { return String::new() };
        let span = (times[times.len() - 1] - times[0]).abs().max(1e-9);
        let decimals = (2.0 - span.log10().floor()).clamp(1.0, 9.0) as usize;
        let name = if name.is_empty() { "t" } else { name };
        let speed = match self.speed {
            Some(speed) if speed != 1.0 => format!(", {speed}×"),
            _ => String::new(),
        };
        format!("{name} = {:.decimals$} {unit}{speed}", times[frame])
    }
}

/// All films at a frame: next to each other, two in a row or more.
fn picture(scenes: &[&Scene], clock: &GifClock, frame: usize) -> (u32, u32, Vec<u8>) {
    let still = |scene: &Scene| {
        let caption = clock.caption(&scene.film.times, frame);
        scene.still(&StillOptions {
            frames: vec![frame],
            trails: true,
            caption,
            ..StillOptions::default()
        })
    };
    let [only] = scenes else {
        let columns = (scenes.len() as f64).sqrt().ceil() as usize;
        let sizes = scenes.iter().map(|scene| scene.still_size());
        let cell =
            sizes.fold([0.0_f64; 2], |cell, size| [cell[0].max(size[0]), cell[1].max(size[1])]);
        let rows = scenes.len().div_ceil(columns);
        let (width, height) = (cell[0] * columns as f64, cell[1] * rows as f64);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
        );
        for (at, scene) in scenes.iter().enumerate() {
            let (x, y) = ((at % columns) as f64 * cell[0], (at / columns) as f64 * cell[1]);
            svg += &format!("<g transform=\"translate({x} {y})\">{}</g>", still(scene));
        }
        return rgba(&(svg + "</svg>"), WIDTH);
    };
    rgba(&still(only), WIDTH)
}

/// The part of a picture that differs from the one before.
fn changed(previous: Option<&[u8]>, indices: &[u8], width: u16, height: u16) -> Frame<'static> {
    let w = usize::from(width);
    let differs = |at: usize| previous.is_none_or(|previous| previous[at] != indices[at]);
    let (mut left, mut right, mut top, mut bottom) = (w, 0, usize::from(height), 0);
    for at in (0..indices.len()).filter(|at| differs(*at)) {
        let (x, y) = (at % w, at / w);
        (left, right) = (left.min(x), right.max(x));
        (top, bottom) = (top.min(y), bottom.max(y));
    }
    if left > right {
        (left, right, top, bottom) = (0, 0, 0, 0);
    }
    let rows = (top..=bottom).flat_map(|y| y * w + left..=y * w + right);
    let rows = rows.map(|at| if differs(at) { indices[at] } else { AS_BEFORE });
    Frame {
        delay: DELAY,
        transparent: Some(AS_BEFORE),
        dispose: DisposalMethod::Keep,
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        buffer: rows.collect::<Vec<u8>>().into(),
        ..Frame::default()
    }
}

/// The colours of a film.
struct Palette {
    /// Red, green and blue of each.
    colours: Vec<u8>,
    /// For each coarse colour the nearest one.
    nearest: Vec<u8>,
}

/// A colour with 5 bits for each of red, green and blue.
fn coarse(pixel: &[u8]) -> usize {
    let part = |at: usize| usize::from(pixel[at] >> 3);
    part(0) << 10 | part(1) << 5 | part(2)
}

impl Palette {
    /// The colours that these pictures have most of.
    fn of(pictures: impl Iterator<Item = Vec<u8>>) -> Palette {
        const COARSE: usize = 1 << 15;
        // of each coarse colour how often it comes, and the sum of the fine ones
        let mut seen = vec![[0_u64; 4]; COARSE];
        for picture in pictures {
            for pixel in picture.chunks_exact(4) {
                let entry = &mut seen[coarse(pixel)];
                entry[0] += 1;
                for (sum, part) in entry[1..].iter_mut().zip(pixel) {
                    *sum += u64::from(*part);
                }
            }
        }
        let mut common: Vec<&[u64; 4]> = seen.iter().filter(|entry| entry[0] > 0).collect();
        common.sort_by_key(|entry| std::cmp::Reverse(entry[0]));
        let mean = |entry: &&[u64; 4]| [1, 2, 3].map(|at| (entry[at] / entry[0]) as u8);
        let chosen: Vec<[u8; 3]> = common.iter().take(COLOURS).map(mean).collect();
        let nearest = |coarse: usize| {
            let middle =
                [coarse >> 10, coarse >> 5 & 31, coarse & 31].map(|part| (part * 8 + 4) as i32);
            let distance = |colour: &[u8; 3]| -> i32 {
                colour.iter().zip(middle).map(|(a, b)| (i32::from(*a) - b).pow(2)).sum()
            };
            let at = (0..chosen.len()).min_by_key(|at| distance(&chosen[*at]));
            at.unwrap_or(0) as u8
        };
        let mut colours = chosen.concat();
        colours.resize(3 * (COLOURS + 1), 0);
        Palette { nearest: (0..COARSE).map(nearest).collect(), colours }
    }

    fn index(&self, pixel: &[u8]) -> u8 {
        self.nearest[coarse(pixel)]
    }
}
