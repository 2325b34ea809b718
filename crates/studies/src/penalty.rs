//! The penalty study.

use crate::Study;

pub(crate) static STUDY: Study = Study {
    name: "penalty",
    title: "The penalty study",
    publication: "",
    about: "",
    settings: &[],
    misprints: &[],
    experiments: &[],
};
