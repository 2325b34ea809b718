//! The four-bar study.

use crate::Study;

pub(crate) static STUDY: Study = Study {
    name: "four-bar",
    title: "The four-bar study",
    publication: "",
    about: "",
    settings: &[],
    misprints: &[],
    experiments: &[],
};
