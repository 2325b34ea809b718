//! The articulated study.

use crate::Study;

pub(crate) static STUDY: Study = Study {
    name: "articulated",
    title: "The articulated study",
    publication: "",
    about: "",
    settings: &[],
    misprints: &[],
    experiments: &[],
};
