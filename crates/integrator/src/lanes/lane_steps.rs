//! The times and steps of all lanes side by side.

use crate::control::StepControl;
use crate::span::TimeSpan;
use catena_linear::Aligned;

/// The step state of all lanes, in s: a number for each lane.
pub(super) struct LaneSteps {
    start: Aligned,
    pub(super) end: Aligned,
    /// The end of the last step, and its beginning.
    pub(super) time: Aligned,
    pub(super) previous: Aligned,
    /// The attempt: its signed length and its end.
    pub(super) h: Aligned,
    pub(super) new: Aligned,
    /// Fixed steps: their signed length, how many there are, how many are allowed, how many are done.
    step: Aligned,
    count: Aligned,
    pub(super) allowed: Aligned,
    pub(super) done: Aligned,
}

impl LaneSteps {
    pub(super) fn new(width: usize) -> LaneSteps {
        let zeros = || Aligned::zeros(width);
        LaneSteps {
            start: zeros(),
            end: zeros(),
            time: zeros(),
            previous: zeros(),
            h: zeros(),
            new: zeros(),
            step: zeros(),
            count: zeros(),
            allowed: zeros(),
            done: zeros(),
        }
    }

    pub(super) fn begin(&mut self, lane: usize, span: &TimeSpan) {
        (self.start[lane], self.end[lane]) = (span.start, span.end);
        (self.time[lane], self.previous[lane]) = (span.start, span.start);
        (self.step[lane], self.count[lane], self.done[lane]) = (0.0, 0.0, 0.0);
    }

    /// Takes over the fixed step of a control that has one; no more than `max_steps` of them are made.
    pub(super) fn set_fixed_step(
        &mut self,
        lane: usize,
        control: &dyn StepControl,
        max_steps: u64,
    ) {
        if let Some((step, count)) = control.fixed() {
            self.step[lane] = self.span(lane).direction() * step;
            self.count[lane] = count as f64;
            self.allowed[lane] = count.min(max_steps) as f64;
        }
    }

    pub(super) fn span(&self, lane: usize) -> TimeSpan {
        TimeSpan {
            start: self.start[lane],
            end: self.end[lane],
            time: self.time[lane],
            previous: self.previous[lane],
        }
    }

    /// The beginning, the length and the end of the attempts, one behind the other.
    #[inline(always)]
    pub(super) fn put<const W: usize>(&self, out: &mut [f64]) {
        let out = out[..3 * W].as_chunks_mut::<W>().0;
        for (out, numbers) in out.iter_mut().zip([&self.time, &self.h, &self.new]) {
            out.copy_from_slice(&numbers[..W]);
        }
    }

    /// Times at a fraction of the attempt.
    #[inline(always)]
    pub(super) fn at<const W: usize>(&self, fraction: f64, times: &mut [f64]) {
        let (time, h, new) = (&self.time[..W], &self.h[..W], &self.new[..W]);
        for (lane, out) in times[..W].iter_mut().enumerate() {
            *out = if fraction == 1.0 { new[lane] } else { time[lane] + fraction * h[lane] };
        }
    }

    /// Times at a fraction of the step that was made last.
    pub(super) fn at_previous(&self, fraction: f64, times: &mut [f64]) {
        for (lane, time) in times.iter_mut().enumerate() {
            *time = match fraction == 1.0 {
                true => self.new[lane],
                false => self.previous[lane] + fraction * self.h[lane],
            };
        }
    }

    /// The attempt becomes the step that was made last, for dense output.
    pub(super) fn revisit_last(&mut self) {
        for lane in 0..self.time.len() {
            self.new[lane] = self.time[lane];
            self.h[lane] = self.time[lane] - self.previous[lane];
        }
    }

    /// The attempt of a lane became a step.
    pub(super) fn accept(&mut self, lane: usize) {
        self.previous[lane] = self.time[lane];
        self.time[lane] = self.new[lane];
        self.done[lane] += 1.0;
    }

    /// How many fixed steps a lane has made.
    pub(super) fn done(&self, lane: usize) -> u64 {
        self.done[lane] as u64
    }

    /// The attempts of all lanes became fixed steps; returns whether one of them has no more to make. Lanes at rest stay
    /// where they are.
    #[inline(always)]
    pub(super) fn accept_fixed<const W: usize>(&mut self) -> bool {
        let mut count = numbers::<W>(&self.done);
        for count in &mut count {
            *count += 1.0;
        }
        self.previous[..W].copy_from_slice(&numbers::<W>(&self.time));
        self.time[..W].copy_from_slice(&numbers::<W>(&self.new));
        self.done[..W].copy_from_slice(&count);
        let allowed = numbers::<W>(&self.allowed);
        let mut ended = false;
        for i in 0..W {
            ended |= count[i] == allowed[i];
        }
        ended
    }

    /// The next fixed step of every lane, as [`crate::control::fixed`] takes it; none where nothing is left.
    #[inline(always)]
    pub(super) fn propose_fixed<const W: usize>(&mut self) {
        let (start, end, time) =
            (numbers::<W>(&self.start), numbers::<W>(&self.end), numbers::<W>(&self.time));
        let (step, count, done) =
            (numbers::<W>(&self.step), numbers::<W>(&self.count), numbers::<W>(&self.done));
        let (mut h, mut new) = ([0.0; W], [0.0; W]);
        for i in 0..W {
            let last = done[i] + 1.0 >= count[i];
            h[i] = if last { end[i] - time[i] } else { step[i] };
            new[i] = if last { end[i] } else { start[i] + (done[i] + 1.0) * step[i] };
        }
        self.h[..W].copy_from_slice(&h);
        self.new[..W].copy_from_slice(&new);
    }
}

/// One number for each lane, read before anything is written: loops over them become vector code.
#[inline(always)]
fn numbers<const W: usize>(numbers: &Aligned) -> [f64; W] {
    *numbers.first_chunk().expect("there are as many as lanes")
}
