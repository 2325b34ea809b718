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
    /// Fixed steps: their signed length, and how many there are.
    step: Aligned,
    count: Aligned,
    /// How many attempts are allowed, and how many are done.
    pub(super) allowed: Aligned,
    pub(super) done: Aligned,
    /// 1 where there is anything left to do, else 0.
    running: Aligned,
    /// 1 where the last attempt became a step, else 0.
    moved: Aligned,
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
            running: zeros(),
            moved: zeros(),
        }
    }

    pub(super) fn begin(&mut self, lane: usize, span: &TimeSpan) {
        (self.start[lane], self.end[lane]) = (span.start, span.end);
        (self.time[lane], self.previous[lane]) = (span.start, span.start);
        (self.step[lane], self.count[lane], self.done[lane]) = (0.0, 0.0, 0.0);
        (self.running[lane], self.moved[lane]) = (0.0, 0.0);
    }

    /// Lets a lane go, with the fixed step of a control that has one; no more than `max_steps` are tried.
    pub(super) fn go(&mut self, lane: usize, control: &dyn StepControl, max_steps: u64) {
        self.allowed[lane] = max_steps as f64;
        if let Some((step, count)) = control.fixed() {
            self.step[lane] = self.span(lane).direction() * step;
            self.count[lane] = count as f64;
            self.allowed[lane] = count.min(max_steps) as f64;
            self.moved[lane] = 1.0;
        }
        self.running[lane] = if self.span(lane).finished() { 0.0 } else { 1.0 };
    }

    /// Whether there is anything left to do.
    pub(super) fn is_running(&self, lane: usize) -> bool {
        self.running[lane] != 0.0
    }

    /// Whether the last attempt became a step.
    pub(super) fn has_moved(&self, lane: usize) -> bool {
        self.moved[lane] != 0.0
    }

    /// Nothing is left to do.
    pub(super) fn finish(&mut self, lane: usize) {
        self.running[lane] = 0.0;
    }

    /// It stays where it is.
    pub(super) fn stop(&mut self, lane: usize) {
        (self.end[lane], self.count[lane]) = (self.time[lane], 0.0);
        self.finish(lane);
    }

    /// It stops where it has not moved.
    pub(super) fn fail(&mut self, lane: usize) {
        (self.running[lane], self.moved[lane]) = (0.0, 0.0);
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

    /// The accurate attempts of lanes that run and are allowed one became steps: 1 where they did, else 0, as where they
    /// are accurate.
    #[inline(always)]
    pub(super) fn accept<const W: usize>(&mut self, accurate: [f64; W]) -> [f64; W] {
        let (running, allowed) = (numbers::<W>(&self.running), numbers::<W>(&self.allowed));
        let (time, new) = (numbers::<W>(&self.time), numbers::<W>(&self.new));
        let (mut moved, mut done) = ([0.0; W], numbers::<W>(&self.done));
        let (mut previous, mut now) = (numbers::<W>(&self.previous), time);
        for i in 0..W {
            moved[i] = if done[i] < allowed[i] { accurate[i] * running[i] } else { 0.0 };
            done[i] += moved[i];
            previous[i] = if moved[i] != 0.0 { time[i] } else { previous[i] };
            now[i] = if moved[i] != 0.0 { new[i] } else { time[i] };
        }
        self.moved[..W].copy_from_slice(&moved);
        self.done[..W].copy_from_slice(&done);
        self.previous[..W].copy_from_slice(&previous);
        self.time[..W].copy_from_slice(&now);
        moved
    }

    /// Whether all lanes that run have made a step and are not at their end.
    #[inline(always)]
    pub(super) fn all_go_on<const W: usize>(&self) -> bool {
        let (running, moved) = (numbers::<W>(&self.running), numbers::<W>(&self.moved));
        let (time, end) = (numbers::<W>(&self.time), numbers::<W>(&self.end));
        let mut all = true;
        for i in 0..W {
            all &= (running[i] == 0.0) | ((moved[i] != 0.0) & (time[i] != end[i]));
        }
        all
    }

    /// Attempts of about these lengths, as [`TimeSpan::propose`] makes them; none where there is nothing to do.
    #[inline(always)]
    pub(super) fn propose<const W: usize>(&mut self, lengths: [f64; W], stretch: f64) {
        let (start, end) = (numbers::<W>(&self.start), numbers::<W>(&self.end));
        let (time, running) = (numbers::<W>(&self.time), numbers::<W>(&self.running));
        let (mut h, mut new) = ([0.0; W], [0.0; W]);
        for i in 0..W {
            let span = TimeSpan { start: start[i], end: end[i], time: time[i], previous: time[i] };
            let proposal = span.propose(lengths[i], stretch);
            (h[i], new[i]) = (proposal.h, proposal.t_new);
        }
        for i in 0..W {
            h[i] = if running[i] != 0.0 { h[i] } else { 0.0 };
            new[i] = if running[i] != 0.0 { new[i] } else { time[i] };
        }
        self.h[..W].copy_from_slice(&h);
        self.new[..W].copy_from_slice(&new);
    }

    /// How many attempts a lane has made.
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
pub(super) fn numbers<const W: usize>(numbers: &Aligned) -> [f64; W] {
    *numbers.first_chunk().expect("there are as many as lanes")
}
