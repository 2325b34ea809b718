//! The triple study.

use crate::Study;

pub(crate) static STUDY: Study = Study {
    name: "triple",
    title: "The triple study",
    publication: "",
    about: "",
    settings: &[],
    misprints: &[],
    experiments: &[],
};
