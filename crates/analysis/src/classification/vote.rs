//! The vote: what kind of motion the indicators agree on.
//!
//! # Rule
//! Each indicator says what it sees, or nothing. A kind of motion is decided where two indicators that know nothing of each
//! other agree on it and none contradicts:
//! - *periodic* (or *rotating*, where angles have made whole turns): the section repeats, and the exponent is not positive; a
//!   section that only approaches an orbit needs a negative exponent of the same rate;
//! - *chaotic*: the exponent is positive, the section does not repeat, and of the 0–1 test, the spectrum and, in conservative
//!   systems, GALI₂ at least one says chaos and none says order;
//! - *quasi-periodic*: the exponent is zero, the section neither repeats nor drifts, and at least one of the same indicators
//!   says order and none chaos;
//! - *at rest*: nothing moves any more, or all exponents of a system without a drive are negative.
//!
//! Everything else is undecided, with the reason.

use super::growth::GrowthRate;
use super::recurrence::Recurrence;
use super::spectral_lines::SpectralLines;

/// Standard errors that a positive exponent must be away from 0, and a negative one, which the section has to confirm.
const ERRORS_FROM_ZERO: f64 = 3.0;
const ERRORS_BELOW_ZERO: f64 = 2.0;
/// The growth in a period, with so many standard errors, that an exponent of 0 may still have.
const MAX_ZERO_GROWTH: f64 = 1e-2;
const ERRORS_OF_ZERO: f64 = 2.0;
/// The least logarithm by which a vector must have shrunk where an exponent is negative.
const MIN_SHRINKING: f64 = 1.0;
/// Powers of time with which vectors of regular motions may grow: linearly, with a factor of the first blocks.
const REGULAR_POWER: f64 = 2.0;
/// The logarithm by which vectors of regular motions may grow in addition.
const REGULAR_GROWTH: f64 = 3.0;
/// The 0–1 test says order below the first and chaos above the second.
const ZERO_ONE_BOUNDS: [f64; 2] = [0.3, 0.7];
/// Up to this many lines a spectrum is one of lines.
const MOST_LINES: usize = 8;
/// A broadband spectrum has at least this many, and they cover this part of it.
const BROADBAND: (usize, f64) = (14, 0.3);
/// How far the rate of an approach and the exponent may be apart, as a factor.
const MAX_RATE_RATIO: f64 = 3.0;
/// How much the section may drift between two blocks, relative to its size.
pub(super) const MAX_DRIFT: f64 = 0.03;
/// Fewer periods cannot tell an orbit that never closes from one of many periods.
const MIN_QUASI_PERIODIC_PERIODS: u64 = 256;

/// A kind of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MotionClass {
    /// Nothing moves any more.
    AtRest,
    /// The same again after whole periods.
    Periodic,
    /// The same again up to whole turns of angles.
    Rotating,
    /// Several frequencies without a common period.
    QuasiPeriodic,
    /// Nearby motions part exponentially.
    Chaotic,
    /// The indicators do not agree, or it takes longer to tell.
    Undecided,
}

impl MotionClass {
    /// All kinds, in the order of legends.
    pub const ALL: [MotionClass; 6] = [
        MotionClass::AtRest,
        MotionClass::Periodic,
        MotionClass::Rotating,
        MotionClass::QuasiPeriodic,
        MotionClass::Chaotic,
        MotionClass::Undecided,
    ];

    /// Its name in tables and legends.
    pub fn name(self) -> &'static str {
        match self {
            MotionClass::AtRest => "at rest",
            MotionClass::Periodic => "periodic",
            MotionClass::Rotating => "rotating",
            MotionClass::QuasiPeriodic => "quasi-periodic",
            MotionClass::Chaotic => "chaotic",
            MotionClass::Undecided => "undecided",
        }
    }
}

/// Why a motion is undecided.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Doubt {
    /// The sign of the exponent is not known yet, and the section does not repeat.
    ExponentOpen,
    /// The section approaches an orbit, and too little of the approach was seen.
    StillApproaching,
    /// The section repeats, and the exponent is positive.
    RepeatsAndGrows,
    /// The exponent is negative, and the section does not repeat.
    ShrinksWithoutRepeating,
    /// The exponent is positive, and no other indicator sees chaos.
    GrowthAlone,
    /// The exponent is positive, and another indicator sees order.
    GrowthAgainstOrder,
    /// The exponent is zero, and other indicators see chaos, or nothing.
    NeitherOrderNorChaos,
    /// The section drifts: a transient is not over.
    Drifts,
    /// A section that is never crossed.
    NeverCrossed,
    /// The motion could not be computed, or has no period: why.
    Failed(String),
}

impl Doubt {
    /// In words, behind "because".
    pub fn words(&self) -> String {
        let words = match self {
            Doubt::ExponentOpen => "the sign of the exponent is still open",
            Doubt::StillApproaching => "it still approaches an orbit",
            Doubt::RepeatsAndGrows => "the section repeats though the exponent is positive",
            Doubt::ShrinksWithoutRepeating => {
                "the exponent is negative though the section does not repeat"
            }
            Doubt::GrowthAlone => "the exponent alone says chaos",
            Doubt::GrowthAgainstOrder => "the exponent says chaos and other indicators say order",
            Doubt::NeitherOrderNorChaos => "the exponent is zero and the other indicators disagree",
            Doubt::Drifts => "the section still drifts",
            Doubt::NeverCrossed => "the section is never crossed",
            Doubt::Failed(reason) => reason,
        };
        words.to_owned()
    }
}

/// What the indicators saw.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    pub(crate) recurrence: Recurrence,
    /// The largest exponent.
    pub(crate) exponent: Option<GrowthRate>,
    /// K of the 0–1 test.
    pub(crate) zero_one: Option<f64>,
    pub(crate) lines: Option<SpectralLines>,
    /// Whether GALI₂ falls exponentially; none in dissipative systems, where it tells nothing.
    pub(crate) aligns: Option<bool>,
    /// How much the size of the section differs from that of the block before, relative to it.
    pub(crate) drift: f64,
    /// States of the section in this block.
    pub(crate) periods: u64,
    /// Mean time between them, s.
    pub(crate) period: f64,
    /// Whether volumes of phase space are kept, if it is known.
    pub(crate) keeps_volumes: Option<bool>,
    /// Whether a drive gives the beat.
    pub(crate) is_driven: bool,
    /// Whether everything stands still within the tolerance.
    pub(crate) is_still: bool,
}

/// The sign of an exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Negative,
    Zero,
    Positive,
}

impl Evidence {
    fn may_be_conservative(&self) -> bool {
        self.keeps_volumes != Some(false)
    }

    /// The sign of the exponent, as far as it is known.
    pub(crate) fn sign(&self) -> Option<Sign> {
        let GrowthRate { rate, error, duration } = self.exponent?;
        let growth = rate * duration;
        let regular = REGULAR_GROWTH + REGULAR_POWER * (self.periods as f64).ln();
        match () {
            () if rate > ERRORS_FROM_ZERO * error && growth > regular => Some(Sign::Positive),
            () if rate < -ERRORS_BELOW_ZERO * error && growth < -MIN_SHRINKING => {
                Some(Sign::Negative)
            }
            // vectors of motions that are not isolated grow with time itself
            () if growth.abs()
                <= if self.may_be_conservative() { regular } else { REGULAR_GROWTH }
                && (rate.abs() + ERRORS_OF_ZERO * error) * self.period <= MAX_ZERO_GROWTH =>
            {
                Some(Sign::Zero)
            }
            () => None,
        }
    }

    /// What the indicators other than exponent and recurrence say: `true` for chaos.
    pub(crate) fn other_votes(&self) -> [Option<bool>; 3] {
        let zero_one = self.zero_one.and_then(|k| match k {
            k if k < ZERO_ONE_BOUNDS[0] => Some(false),
            k if k > ZERO_ONE_BOUNDS[1] => Some(true),
            _ => None,
        });
        let lines = self.lines.and_then(|lines| match lines {
            lines if lines.count <= MOST_LINES => Some(false),
            lines if lines.count >= BROADBAND.0 && lines.covered >= BROADBAND.1 => Some(true),
            _ => None,
        });
        [zero_one, lines, self.aligns]
    }

    /// The kind of motion, or why it is open.
    pub(crate) fn vote(&self) -> Result<MotionClass, Doubt> {
        let sign = self.sign();
        if self.is_still || (!self.is_driven && sign == Some(Sign::Negative)) {
            return Ok(MotionClass::AtRest);
        }
        // in narrow bands of chaos, too, states come nearer now and then
        let seems = self.recurrence.approaching && sign == Some(Sign::Positive);
        if self.recurrence.multiple.is_some() && !seems {
            return self.vote_of_repeating(sign);
        }
        let votes = self.other_votes();
        let (order, chaos) = (votes.contains(&Some(false)), votes.contains(&Some(true)));
        match (sign, order, chaos) {
            (Some(Sign::Positive), false, true) => Ok(MotionClass::Chaotic),
            (Some(Sign::Positive), false, false) => Err(Doubt::GrowthAlone),
            (Some(Sign::Positive), true, _) => Err(Doubt::GrowthAgainstOrder),
            (Some(Sign::Zero), true, false) if self.drift > MAX_DRIFT => Err(Doubt::Drifts),
            (Some(Sign::Zero), true, false) if self.periods >= MIN_QUASI_PERIODIC_PERIODS => {
                Ok(MotionClass::QuasiPeriodic)
            }
            (Some(Sign::Zero), ..) => Err(Doubt::NeitherOrderNorChaos),
            (Some(Sign::Negative), ..) => Err(Doubt::ShrinksWithoutRepeating),
            (None, ..) => Err(Doubt::ExponentOpen),
        }
    }

    fn vote_of_repeating(&self, sign: Option<Sign>) -> Result<MotionClass, Doubt> {
        let Recurrence { approaching, turns, fall, .. } = &self.recurrence;
        let class = match turns.iter().any(|turns| *turns != 0) {
            true => MotionClass::Rotating,
            false => MotionClass::Periodic,
        };
        match (sign, approaching) {
            (Some(Sign::Positive), _) => Err(Doubt::RepeatsAndGrows),
            (Some(Sign::Negative), true) => {
                let exponent = self.exponent.map_or(f64::NAN, |exponent| -exponent.rate);
                let ratio = fall.unwrap_or(f64::NAN) / (exponent * self.period);
                match (1.0 / MAX_RATE_RATIO..=MAX_RATE_RATIO).contains(&ratio) {
                    true => Ok(class),
                    false => Err(Doubt::StillApproaching),
                }
            }
            (_, true) => Err(Doubt::StillApproaching),
            (Some(Sign::Negative), false) => Ok(class),
            (Some(Sign::Zero), false) if self.may_be_conservative() || !self.is_driven => Ok(class),
            (_, false) => Err(Doubt::ExponentOpen),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence() -> Evidence {
        Evidence {
            recurrence: Recurrence {
                multiple: None,
                residual: 1.0,
                error: f64::INFINITY,
                fall: None,
                approaching: false,
                turns: vec![0],
                nearest: 1,
            },
            exponent: Some(GrowthRate { rate: 0.2, error: 0.01, duration: 1024.0 }),
            zero_one: Some(0.98),
            lines: Some(SpectralLines { count: 60, covered: 0.6 }),
            aligns: None,
            drift: 0.0,
            periods: 512,
            period: 2.0,
            keeps_volumes: Some(false),
            is_driven: true,
            is_still: false,
        }
    }

    fn repeating(multiple: u32) -> Recurrence {
        Recurrence {
            multiple: Some(multiple),
            residual: 1e-9,
            error: 1e-9,
            ..evidence().recurrence
        }
    }

    fn exponent(rate: f64) -> Option<GrowthRate> {
        Some(GrowthRate { rate, error: 1e-4, duration: 1024.0 })
    }

    #[test]
    fn two_indicators_must_agree_and_none_contradict() {
        let chaotic = evidence();
        assert_eq!(chaotic.vote(), Ok(MotionClass::Chaotic));
        let alone = Evidence { zero_one: None, lines: None, ..evidence() };
        assert_eq!(alone.vote(), Err(Doubt::GrowthAlone));
        let contradicted = Evidence { zero_one: Some(0.05), ..evidence() };
        assert_eq!(contradicted.vote(), Err(Doubt::GrowthAgainstOrder));
        let repeats = Evidence { recurrence: repeating(3), ..evidence() };
        assert_eq!(repeats.vote(), Err(Doubt::RepeatsAndGrows));
        let periodic = Evidence { exponent: exponent(-0.3), ..repeats.clone() };
        assert_eq!(periodic.vote(), Ok(MotionClass::Periodic));
        let turning = Recurrence { turns: vec![2], ..repeating(1) };
        let rotating = Evidence { recurrence: turning, ..periodic };
        assert_eq!(rotating.vote(), Ok(MotionClass::Rotating));
    }

    #[test]
    fn tori_have_a_zero_exponent_and_do_not_drift() {
        let order = Evidence {
            exponent: exponent(1e-4),
            zero_one: Some(0.01),
            lines: Some(SpectralLines { count: 3, covered: 0.01 }),
            ..evidence()
        };
        assert_eq!(order.vote(), Ok(MotionClass::QuasiPeriodic));
        let drifting = Evidence { drift: 0.2, ..order.clone() };
        assert_eq!(drifting.vote(), Err(Doubt::Drifts));
        let strange = Evidence { zero_one: Some(0.99), ..order };
        assert_eq!(strange.vote(), Err(Doubt::NeitherOrderNorChaos));
    }

    #[test]
    fn an_approach_needs_the_exponent_of_its_rate() {
        let approach = Recurrence { approaching: true, fall: Some(0.02), ..repeating(1) };
        let slow = Evidence { recurrence: approach, exponent: exponent(-0.011), ..evidence() };
        assert_eq!(slow.vote(), Ok(MotionClass::Periodic));
        let other = Evidence { exponent: exponent(-0.2), ..slow.clone() };
        assert_eq!(other.vote(), Err(Doubt::StillApproaching));
        let free = Evidence { is_driven: false, ..slow };
        assert_eq!(free.vote(), Ok(MotionClass::AtRest));
    }
}
