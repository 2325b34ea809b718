//! What a publication says, what a run of ours measures, and which of the two can be believed.

use serde_json::{Value, json};
use std::fmt;

/// A statement of a publication, held against figures of this run.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// A letter for the study and a number, as in `A1`.
    pub id: &'static str,
    /// The statement, in our words.
    pub says: String,
    /// The figures that the publication prints for it; empty if there are none.
    pub published: String,
    /// The figures of this run.
    pub measured: String,
    /// What the figures say.
    pub verdict: Verdict,
    /// Why it is so.
    pub why: String,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The figures bear it out.
    Holds,
    /// They do under a condition, which ends the sentence "holds if".
    HoldsIf(String),
    /// They do not.
    DoesNotHold,
    /// The publication leaves out what a test needs.
    NotTestable,
    /// It is about running times, which belong to a machine: reported and not judged.
    Machine,
}

impl Verdict {
    /// Holds or does not.
    pub fn of(holds: bool) -> Verdict {
        if holds { Verdict::Holds } else { Verdict::DoesNotHold }
    }

    /// In one word, for style sheets and files.
    pub fn kind(&self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::HoldsIf(_) => "holds-if",
            Verdict::DoesNotHold => "does-not-hold",
            Verdict::NotTestable => "not-testable",
            Verdict::Machine => "machine",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Verdict::Holds => write!(out, "holds"),
            Verdict::HoldsIf(condition) => write!(out, "holds if {condition}"),
            Verdict::DoesNotHold => write!(out, "does not hold"),
            Verdict::NotTestable => write!(out, "not testable"),
            Verdict::Machine => write!(out, "machine"),
        }
    }
}

impl Claim {
    /// A claim that has not been weighed yet.
    pub fn new(id: &'static str, says: impl Into<String>) -> Claim {
        Claim {
            id,
            says: says.into(),
            published: String::new(),
            measured: String::new(),
            verdict: Verdict::NotTestable,
            why: String::new(),
        }
    }

    /// With the figures of the publication.
    #[must_use]
    pub fn published(self, figures: impl Into<String>) -> Claim {
        Claim { published: figures.into(), ..self }
    }

    /// With the figures of this run and what they say.
    #[must_use]
    pub fn measured(self, figures: impl Into<String>, verdict: Verdict) -> Claim {
        Claim { measured: figures.into(), verdict, ..self }
    }

    /// With the reason.
    #[must_use]
    pub fn because(self, why: impl Into<String>) -> Claim {
        Claim { why: why.into(), ..self }
    }

    /// Where it stands among others: A2 before A10.
    pub(crate) fn order(&self) -> (usize, &'static str) {
        (self.id.len(), self.id)
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "claim": self.says,
            "published": self.published,
            "measured": self.measured,
            "verdict": self.verdict.to_string(),
            "kind": self.verdict.kind(),
            "why": self.why,
        })
    }
}
