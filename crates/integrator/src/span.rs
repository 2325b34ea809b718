//! The interval to be covered, and how far we have come.

/// The interval to be covered, and how far we have come.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TimeSpan {
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) time: f64,
    pub(crate) previous: f64,
}

impl TimeSpan {
    pub(crate) fn new(start: f64, end: f64) -> Self {
        Self { start, end, time: start, previous: start }
    }

    /// Its length, positive.
    pub(crate) fn length(&self) -> f64 {
        (self.end - self.start).abs()
    }

    /// +1 forwards, −1 backwards.
    pub(crate) fn direction(&self) -> f64 {
        if self.end < self.start { -1.0 } else { 1.0 }
    }

    pub(crate) fn remaining(&self) -> f64 {
        (self.end - self.time).abs()
    }

    pub(crate) fn finished(&self) -> bool {
        self.time == self.end
    }

    /// The shortest step worth trying: sixteen spacings of floating-point numbers at t.
    #[inline(always)]
    pub(crate) fn floor(&self) -> f64 {
        let t = self.time.abs();
        let next = f64::from_bits(t.to_bits() + 1);
        (16.0 * (next - t)).max(1e-30 * self.length())
    }

    /// A step of about `length`; one that nearly reaches the end (within `stretch`) ends there.
    #[inline(always)]
    pub(crate) fn propose(&self, length: f64, stretch: f64) -> Proposal {
        let length = length.max(self.floor());
        if stretch * length >= self.remaining() {
            return Proposal { h: self.end - self.time, t_new: self.end };
        }
        let h = self.direction() * length;
        Proposal { h, t_new: self.time + h }
    }

    /// The same step, or a shorter one that ends at `limit`.
    pub(crate) fn cut(&self, proposal: Proposal, limit: f64) -> Proposal {
        let allowed = (limit - self.time) * self.direction();
        match (proposal.t_new - limit) * self.direction() > 0.0 && allowed > 0.0 {
            true => Proposal { h: limit - self.time, t_new: limit },
            false => proposal,
        }
    }

    pub(crate) fn advance(&mut self, t_new: f64) {
        self.previous = self.time;
        self.time = t_new;
    }
}

/// The next step: its signed length and its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proposal {
    pub(crate) h: f64,
    pub(crate) t_new: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_nearly_reaches_the_end_ends_there() {
        let span = TimeSpan::new(0.0, 1.0);
        assert_eq!(span.propose(0.995, 1.01).t_new, 1.0);
        assert_eq!(span.propose(0.5, 1.01).t_new, 0.5);
        let back = TimeSpan::new(1.0, 0.0);
        assert_eq!(back.propose(0.25, 1.01).t_new, 0.75);
        assert_eq!(back.propose(7.0, 1.01).t_new, 0.0);
    }
}
