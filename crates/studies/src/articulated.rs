//! The articulated study: twenty rods, by augmented Lagrangian and by recursion.

mod chain;
mod draws;
mod gaps;
mod paths;
mod truth;
mod velocities;
mod weighing;

use crate::{Experiment, Study};
use catena::model::{Kind, OptionRow};

static OMEGA: OptionRow = OptionRow::new(
    "omega",
    Kind::NotNegative,
    "Natural frequency at which constraint errors of the augmented Lagrangian decay",
)
.unit("rad/s")
.default("0");

static XI: OptionRow = OptionRow::new(
    "xi",
    Kind::NotNegative,
    "Damping ratio of these errors; without a frequency it means nothing",
)
.default("1");

static ALPHA: OptionRow =
    OptionRow::new("alpha", Kind::Positive, "Penalty factor of the augmented Lagrangian")
        .unit("kg")
        .default("1000");

static LINKS: OptionRow =
    OptionRow::new("links", Kind::Count(2), "Number of rods, except in Table 2 and Figure 5")
        .default("20");

pub(crate) static STUDY: Study = Study {
    name: "articulated",
    title: "The articulated study",
    publication: "",
    about: "",
    settings: &[&OMEGA, &XI, &ALPHA, &LINKS],
    misprints: &[],
    experiments: &[
        Experiment { title: "The path of the tip", weight: 1.0, run: paths::run },
        Experiment { title: "Joints that open", weight: 1.0, run: gaps::run },
        Experiment { title: "The velocity of the tip", weight: 1.0, run: velocities::run },
    ],
};
