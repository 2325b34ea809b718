//! Numbers as colours: from a dark violet through blue and green to a light yellow.
//!
//! # Equations
//! With s from 0 to 1, in Oklch (Ottosson 2020): lightness 0.25 + 0.65 s, hue 300° − 195° s, chroma
//! 0.09 + 0.04 (2 s − 1)² + 0.05 s⁴. Lightness, which the eye reads as size, grows evenly; so the scale also works
//! without colour. The chroma stays inside sRGB.

use std::sync::OnceLock;

/// How many colours are told apart.
pub(crate) const COLOUR_COUNT: usize = 64;

/// The part of the scale that lines take: lighter ones could not be seen on white.
pub(crate) const LINE_COLOURS: f64 = 0.82;

/// Where there is no number.
pub(crate) const MISSING_COLOUR: &str = "#c9c9c9";

/// The level of a part of the scale from 0 to 1.
pub(crate) fn level(part: f64) -> usize {
    // the conversion saturates
    ((part * COLOUR_COUNT as f64) as usize).min(COLOUR_COUNT - 1)
}

/// The colour of a level, as `#rrggbb`.
pub(crate) fn colour(level: usize) -> String {
    let channel = |linear: f64| (255.0 * companded(linear.clamp(0.0, 1.0))).round() as u8;
    let [red, green, blue] = linear_rgb(level as f64 / (COLOUR_COUNT - 1) as f64).map(channel);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The same, made once.
pub(crate) fn shared(level: usize) -> &'static str {
    static COLOURS: OnceLock<Vec<String>> = OnceLock::new();
    &COLOURS.get_or_init(|| (0..COLOUR_COUNT).map(colour).collect())[level]
}

fn linear_rgb(s: f64) -> [f64; 3] {
    let lightness = 0.25 + 0.65 * s;
    let chroma = 0.09 + 0.04 * (2.0 * s - 1.0).powi(2) + 0.05 * s.powi(4);
    let (sine, cosine) = (300.0 - 195.0 * s).to_radians().sin_cos();
    let (a, b) = (chroma * cosine, chroma * sine);
    // Ottosson's matrices from Oklab to the cones and on to linear sRGB
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ]
}

/// The curve of sRGB.
fn companded(linear: f64) -> f64 {
    match linear {
        linear if linear <= 0.003_130_8 => 12.92 * linear,
        linear => 1.055 * linear.powf(1.0 / 2.4) - 0.055,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_can_be_shown_as_it_is() {
        for level in 0..COLOUR_COUNT {
            let channels = linear_rgb(level as f64 / (COLOUR_COUNT - 1) as f64);
            assert!(channels.iter().all(|c| (-1e-3..=1.001).contains(c)), "{level}: {channels:?}");
        }
    }

    #[test]
    fn colours_become_lighter_all_the_way() {
        // luminance after Rec. 709, another measure than the one the scale was made with
        let luminance = |level: usize| {
            let [red, green, blue] = linear_rgb(level as f64 / (COLOUR_COUNT - 1) as f64);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        assert!((1..COLOUR_COUNT).all(|level| luminance(level) > luminance(level - 1)));
    }

    #[test]
    fn parts_beyond_the_scale_take_its_ends() {
        assert_eq!([-1.0, 0.0, 1.0, 2.0].map(level), [0, 0, COLOUR_COUNT - 1, COLOUR_COUNT - 1]);
    }
}
