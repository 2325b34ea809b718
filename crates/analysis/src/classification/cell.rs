//! A motion on its way to a decision: blocks of periods, each as long as all before it, until the vote is clear.

use super::free_section::{FreeSection, ReturnSearch};
use super::observation::{Observation, Seen};
use super::phase_space::PhaseSpace;
use super::vote::{Doubt, Evidence, MotionClass};
use catena_ensemble::{TangentRow, Times};

/// Tangent vectors that are carried along, if there are so many: two tell how far they align.
pub(super) const MAX_TANGENTS: usize = 2;
/// Periods of the first block, whose first half is a transient.
const FIRST_BLOCK_PERIODS: u64 = 32;
/// Periods of the second block; every later one is as long as all before it together.
const SECOND_BLOCK_PERIODS: u64 = 96;
/// Rows of a period, from which the extent of the motion is taken.
const ROWS_PER_PERIOD: u64 = 4;
/// The same where a section has to be found between rows.
const ROWS_PER_RETURN: u64 = 64;
/// Crossings of a section in a first block that make it one.
const MIN_CROSSINGS: u32 = 3;
/// How much longer a first block is tried where there were fewer, and how often.
const SLOWER: f64 = 4.0;
const MAX_SLOWER: u32 = 6;
/// The part of all periods that a motion must have run before it is called chaotic: chaos may end.
const MIN_CHAOTIC_PART: u64 = 8;

/// What is known about a classified motion.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassifiedMotion {
    /// The kind of motion.
    pub class: MotionClass,
    /// After how many periods it repeats; 0 where it does not.
    pub multiple: u32,
    /// Whole turns of all angles in that time, with the largest number of turns.
    pub turns: i64,
    /// The largest exponent without the drive's phase, 1/s, natural logarithm.
    pub exponent: f64,
    /// One standard error of it, 1/s.
    pub exponent_error: f64,
    /// How far states so many periods apart differ, relative to the extent of the motion.
    pub residual: f64,
    /// K of the 0–1 test; NaN where it was not asked.
    pub zero_one: f64,
    /// Lines that explain the spectrum; 0 where it was not asked.
    pub lines: u32,
    /// Whether GALI₂ falls exponentially; none in dissipative systems and where it is open.
    pub aligns: Option<bool>,
    /// Whether volumes of phase space are known to be kept, as without damping.
    pub is_conservative: bool,
    /// Periods that were computed.
    pub periods: u64,
    /// The period, s.
    pub period: f64,
    /// Why it is undecided, if it is.
    pub doubt: Option<Doubt>,
    /// States of its section in the last block, one after the other; empty in a map.
    pub section: Vec<f64>,
}

impl ClassifiedMotion {
    pub(super) fn failed(reason: String) -> ClassifiedMotion {
        ClassifiedMotion {
            class: MotionClass::Undecided,
            multiple: 0,
            turns: 0,
            exponent: f64::NAN,
            exponent_error: f64::NAN,
            residual: f64::NAN,
            zero_one: f64::NAN,
            lines: 0,
            aligns: None,
            is_conservative: false,
            periods: 0,
            period: f64::NAN,
            doubt: Some(Doubt::Failed(reason)),
            section: Vec::new(),
        }
    }

    fn of(evidence: &Evidence, voted: Result<MotionClass, Doubt>, periods: u64) -> Self {
        let repeats = matches!(voted, Ok(MotionClass::Periodic | MotionClass::Rotating));
        let turns = evidence.recurrence.turns.iter().copied();
        ClassifiedMotion {
            multiple: evidence.recurrence.multiple.filter(|_| repeats).unwrap_or(0),
            turns: turns.max_by_key(|turns| turns.abs()).filter(|_| repeats).unwrap_or(0),
            exponent: evidence.exponent.map_or(f64::NAN, |exponent| exponent.rate),
            exponent_error: evidence.exponent.map_or(f64::NAN, |exponent| exponent.error),
            residual: evidence.recurrence.residual,
            zero_one: evidence.zero_one.unwrap_or(f64::NAN),
            lines: evidence.lines.map_or(0, |lines| lines.count as u32),
            aligns: evidence.aligns,
            is_conservative: evidence.keeps_volumes == Some(true),
            periods,
            period: evidence.period,
            class: voted.clone().unwrap_or(MotionClass::Undecided),
            doubt: voted.err(),
            section: Vec::new(),
        }
    }
}

/// What gives the beat of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Beat {
    /// The drive: the section is where it begins anew.
    Drive,
    /// Nothing, and the section is still to be found; so many times it was not.
    Unknown(u32),
    /// The mean time between two crossings of a section.
    Section(FreeSection),
}

/// A motion that is not decided yet.
pub(super) struct CellInProgress {
    pub(super) cell: usize,
    pub(super) values: Vec<f64>,
    /// Where the next block begins: state and tangent vectors; the model's own start if absent.
    pub(super) start: Option<Vec<f64>>,
    beat: Beat,
    /// Length of a beat, s.
    period: f64,
    block_periods: u64,
    total_periods: u64,
    rows: u64,
    observation: Observation,
    search: ReturnSearch,
    /// Places of the first and the last crossing among the rows.
    crossed: [f64; 2],
    /// The states of a first block, in which the section is found.
    states: Vec<f64>,
    /// Size of the section in the block before, on the scales of that block.
    size: f64,
}

impl CellInProgress {
    /// A motion under a drive of this period, s.
    pub(super) fn driven(cell: usize, values: Vec<f64>, period: f64) -> CellInProgress {
        CellInProgress {
            cell,
            values,
            start: None,
            beat: Beat::Drive,
            period,
            block_periods: 0,
            total_periods: 0,
            rows: 0,
            observation: Observation::default(),
            search: ReturnSearch::default(),
            crossed: [f64::NAN; 2],
            states: Vec::new(),
            size: f64::NAN,
        }
    }

    /// A motion without a drive; `period` is a guess of the time in which it comes back, s.
    pub(super) fn free(cell: usize, values: Vec<f64>, period: f64) -> CellInProgress {
        let beat = Beat::Unknown(0);
        CellInProgress { beat, ..CellInProgress::driven(cell, values, period) }
    }

    fn rows_per_beat(&self) -> u64 {
        if self.beat == Beat::Drive { ROWS_PER_PERIOD } else { ROWS_PER_RETURN }
    }

    /// The states of the section in the block that was judged last.
    pub(super) fn section(&self) -> &[f64] {
        &self.observation.section
    }

    /// Begins the next block; the drive is where it was at the start, so that time begins anew.
    pub(super) fn next_block(&mut self) -> Times {
        self.block_periods = match self.beat {
            Beat::Unknown(_) => FIRST_BLOCK_PERIODS,
            Beat::Drive if self.total_periods == 0 => FIRST_BLOCK_PERIODS,
            _ => self.total_periods.max(SECOND_BLOCK_PERIODS),
        };
        self.rows = 0;
        self.observation.clear();
        self.search.clear();
        self.states.clear();
        self.crossed = [f64::NAN; 2];
        let every = self.period / self.rows_per_beat() as f64;
        let t_end = (self.block_periods * self.rows_per_beat()) as f64 * every;
        Times { t_start: 0.0, t_end, every, after: 0.5 * every, step: None }
    }

    /// A row of the block.
    pub(super) fn add(&mut self, space: &PhaseSpace, row: &TangentRow<'_>) {
        let state = &row.columns[..space.len()];
        self.observation.widen(state);
        self.rows += 1;
        let ends_beat = self.rows.is_multiple_of(self.rows_per_beat());
        if ends_beat {
            self.observation.add_beat(row);
        }
        match &self.beat {
            Beat::Drive if ends_beat => self.observation.add_state(state),
            Beat::Drive => {}
            Beat::Unknown(_) => self.states.extend_from_slice(state),
            Beat::Section(section) => {
                if let Some((place, state)) = self.search.add(space, section, state) {
                    self.observation.add_state(&state);
                    let first = if self.crossed[0].is_nan() { place } else { self.crossed[0] };
                    self.crossed = [first, place];
                }
            }
        }
        if self.rows == self.block_periods * self.rows_per_beat() {
            let start = self.start.get_or_insert_default();
            start.clear();
            start.extend_from_slice(state);
            start.extend_from_slice(row.vectors);
        }
    }

    /// What is known at the end of a block, with `true` if no further one is to be run; none if the block ended too early.
    pub(super) fn judge(
        &mut self,
        space: &PhaseSpace,
        tolerances: [f64; 2],
        max_periods: u64,
    ) -> Option<(ClassifiedMotion, bool)> {
        if self.rows != self.block_periods * self.rows_per_beat() {
            return None;
        }
        let is_first = self.total_periods == 0;
        self.total_periods += self.block_periods;
        let scales = self.observation.scales(space, tolerances[1]);
        let size = self.observation.size(space, &scales);
        let returns = self.observation.len().saturating_sub(1).max(1) as f64;
        let row = self.period / self.rows_per_beat() as f64;
        let seen = Seen {
            is_transient: is_first,
            beat: self.period,
            period: match self.beat {
                Beat::Drive => self.period,
                _ => row * (self.crossed[1] - self.crossed[0]) / returns,
            },
            drift: if is_first { f64::INFINITY } else { (size / self.size - 1.0).abs() },
            is_driven: self.beat == Beat::Drive,
        };
        self.size = size;
        let evidence = self.observation.evidence(space, &seen, tolerances);
        if let Beat::Unknown(failed) = self.beat {
            return Some(self.find_section(space, &evidence, failed));
        }
        let voted = evidence.vote();
        let is_early = self.total_periods < max_periods / MIN_CHAOTIC_PART;
        let decided = match voted {
            Ok(MotionClass::Chaotic) => !is_early,
            Ok(_) => true,
            Err(_) => false,
        };
        let ends = decided || 2 * self.total_periods > max_periods;
        Some((ClassifiedMotion::of(&evidence, voted, self.total_periods), ends))
    }

    /// Chooses the section from the states of a first block, and the beat from its crossings.
    fn find_section(
        &mut self,
        space: &PhaseSpace,
        evidence: &Evidence,
        failed: u32,
    ) -> (ClassifiedMotion, bool) {
        let section = FreeSection::of(space, &self.observation.extents);
        let mut search = ReturnSearch::default();
        // a transient moves elsewhere than what comes after it
        let late = &self.states[self.states.len() / 2 / space.len() * space.len()..];
        let mut places = late.chunks_exact(space.len()).filter_map(|state| {
            let found = section.and_then(|section| search.add(space, &section, state));
            found.map(|(place, _)| place)
        });
        let (first, mut last, mut count) = (places.next(), None, 0_u32);
        for place in places {
            (last, count) = (Some(place), count + 1);
        }
        if let (Some(section), Some(first), Some(last)) = (section, first, last)
            && count >= MIN_CROSSINGS
        {
            let row = self.period / ROWS_PER_RETURN as f64;
            self.period = row * (last - first) / f64::from(count);
            self.beat = Beat::Section(section);
            self.total_periods = self.total_periods.max(1);
            return (ClassifiedMotion::of(evidence, Err(Doubt::ExponentOpen), 0), false);
        }
        // what comes to rest crosses nothing, and what moves slowly has to be watched for longer
        let rests = evidence.vote().ok().filter(|class| *class == MotionClass::AtRest);
        let periods = self.total_periods;
        if let Some(class) = rests {
            return (ClassifiedMotion::of(evidence, Ok(class), periods), true);
        }
        self.beat = Beat::Unknown(failed + 1);
        self.period *= SLOWER;
        let motion = ClassifiedMotion::of(evidence, Err(Doubt::NeverCrossed), periods);
        (motion, failed + 1 >= MAX_SLOWER)
    }
}
