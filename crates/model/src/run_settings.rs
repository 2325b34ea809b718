//! The settings of a run, listed once: `[run]` of model files, flags, forms and keywords are made from this table.

use crate::options::{Kind, OptionError, OptionRow, OptionValue};

/// The settings of a run. What is absent comes from the model, then from the defaults of Catena.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunSettings {
    /// How constraints enter, by name.
    pub formulation: Option<String>,
    /// How time advances, by name.
    pub integrator: Option<String>,
    /// Relative tolerance.
    pub rtol: Option<f64>,
    /// Absolute tolerance.
    pub atol: Option<f64>,
    /// Fixed step, s.
    pub step: Option<f64>,
    /// Length of the first step, s.
    pub first_step: Option<f64>,
    /// Longest step, s.
    pub max_step: Option<f64>,
    /// Most steps, accepted and rejected.
    pub max_steps: Option<u64>,
    /// Start of the run, s: where the clock of drives and formulas of t stands.
    pub t_start: Option<f64>,
    /// End of the run, s.
    pub t_end: Option<f64>,
    /// Distance of rows from the start on, s.
    pub every: Option<f64>,
    /// Options of the formulation or integrator, each as NAME=VALUE.
    pub with: Vec<String>,
    /// Only these columns; all of them if none is named.
    pub columns: Vec<String>,
    /// Whether the error is estimated with a second run however long the first was; short runs have it unasked.
    pub certify: bool,
    /// Whether there is no second run, however short the first was. It wins over `certify`.
    pub no_certify: bool,
    /// Whether the model is linearised about the equilibrium nearest its start.
    pub linear: bool,
    /// What moves many trajectories at once, by name.
    pub device: Option<String>,
    /// How many digits it computes with, by name.
    pub precision: Option<String>,
}

/// Where the value of a run option is kept.
#[derive(Debug)]
pub enum Slot<'a> {
    /// A number in the unit of its row.
    Number(&'a mut Option<f64>),
    /// A whole number from the least of its row up.
    Count(&'a mut Option<u64>),
    /// A name, as of an integrator.
    Word(&'a mut Option<String>),
    /// A list of texts.
    Words(&'a mut Vec<String>),
    /// On or off; off is the default.
    Switch(&'a mut bool),
}

/// An option of a run: a row of the table, and where its value is kept.
#[derive(Debug)]
pub struct RunOption {
    /// What it is called, what it takes, what it means.
    pub row: OptionRow,
    /// Where its value is kept.
    pub slot: fn(&mut RunSettings) -> Slot<'_>,
    /// Whether `[run]` of a model file may have it.
    pub in_files: bool,
}

/// Every option of a run. Model files, flags, the settings of a sweep and results are made from this list.
pub static RUN_OPTIONS: &[&RunOption] = &[
    &FORMULATION,
    &INTEGRATOR,
    &RTOL,
    &ATOL,
    &STEP,
    &FIRST_STEP,
    &MAX_STEP,
    &MAX_STEPS,
    &T_START,
    &T_END,
    &EVERY,
    &WITH,
    &COLUMNS,
    &LINEAR,
    &CERTIFY,
    &NO_CERTIFY,
];

/// The settings that a question about one run takes: all but the columns, which are its own affair.
pub static ONE_RUN: &[&RunOption] = &[
    &FORMULATION,
    &INTEGRATOR,
    &RTOL,
    &ATOL,
    &STEP,
    &FIRST_STEP,
    &MAX_STEP,
    &MAX_STEPS,
    &T_START,
    &T_END,
    &EVERY,
    &WITH,
    &LINEAR,
    &CERTIFY,
    &NO_CERTIFY,
];

/// The settings that a question takes which chooses the methods itself: tolerances, steps and times.
pub static ANY_METHOD: &[&RunOption] =
    &[&RTOL, &ATOL, &STEP, &FIRST_STEP, &MAX_STEP, &MAX_STEPS, &T_START, &T_END, &EVERY, &WITH];

/// The settings that a question takes which chooses its own times: methods and steps.
pub static METHODS: &[&RunOption] =
    &[&FORMULATION, &INTEGRATOR, &RTOL, &ATOL, &STEP, &FIRST_STEP, &MAX_STEP, &MAX_STEPS, &WITH];

/// The same without fixed steps, where steps are formulas like the times.
pub static METHODS_ALONE: &[&RunOption] =
    &[&FORMULATION, &INTEGRATOR, &RTOL, &ATOL, &FIRST_STEP, &MAX_STEP, &MAX_STEPS, &WITH];

/// The same for sweeps, which a device may compute.
pub static METHODS_OF_SWEEPS: &[&RunOption] = &[
    &FORMULATION,
    &INTEGRATOR,
    &RTOL,
    &ATOL,
    &FIRST_STEP,
    &MAX_STEP,
    &MAX_STEPS,
    &WITH,
    &DEVICE,
    &PRECISION,
];

/// The settings that a question takes which chooses its own times and moves many trajectories: methods, steps, a device.
pub static METHODS_OF_MANY: &[&RunOption] = &[
    &FORMULATION,
    &INTEGRATOR,
    &RTOL,
    &ATOL,
    &STEP,
    &FIRST_STEP,
    &MAX_STEP,
    &MAX_STEPS,
    &WITH,
    &DEVICE,
];

/// How constraints enter.
pub static FORMULATION: RunOption = RunOption::new(
    OptionRow::new(
        "formulation",
        Kind::Word,
        "How constraints enter (see `catena list formulations`)",
    )
    .value_name("NAME")
    .default("auto"),
    |settings| Slot::Word(&mut settings.formulation),
)
.in_files();

/// How time advances.
pub static INTEGRATOR: RunOption = RunOption::new(
    OptionRow::new("integrator", Kind::Word, "How time advances (see `catena list integrators`)")
        .value_name("NAME")
        .default("auto"),
    |settings| Slot::Word(&mut settings.integrator),
)
.in_files();

/// Relative tolerance.
pub static RTOL: RunOption = RunOption::new(
    OptionRow::new("rtol", Kind::Positive, "Relative tolerance").value_name("R").default("1e-6"),
    |settings| Slot::Number(&mut settings.rtol),
)
.in_files();

/// Absolute tolerance of adaptive integrators, in the units of the state.
pub static ATOL: RunOption = RunOption::new(
    OptionRow::new("atol", Kind::Positive, "Absolute tolerance").value_name("A").default("1e-9"),
    |settings| Slot::Number(&mut settings.atol),
)
.in_files();

/// Length of the steps where they are fixed, s.
pub static STEP: RunOption = RunOption::new(
    OptionRow::new("step", Kind::Positive, "Fixed step, s").value_name("H").unit("s"),
    |settings| Slot::Number(&mut settings.step),
)
.in_files();

/// Length of the first step of adaptive integrators, s.
pub static FIRST_STEP: RunOption = RunOption::new(
    OptionRow::new("first_step", Kind::Positive, "Length of the first step, s")
        .flag("first-step")
        .value_name("H")
        .unit("s"),
    |settings| Slot::Number(&mut settings.first_step),
)
.in_files();

/// Longest step of adaptive integrators, s.
pub static MAX_STEP: RunOption = RunOption::new(
    OptionRow::new("max_step", Kind::Positive, "Longest step, s")
        .flag("max-step")
        .value_name("H")
        .unit("s"),
    |settings| Slot::Number(&mut settings.max_step),
)
.in_files();

/// Most steps, accepted and rejected, before a run is given up.
pub static MAX_STEPS: RunOption = RunOption::new(
    OptionRow::new("max_steps", Kind::Count(1), "Most steps, accepted and rejected")
        .flag("max-steps")
        .value_name("N")
        .default("1e7"),
    |settings| Slot::Count(&mut settings.max_steps),
)
.in_files();

/// Start of the run, s: where the clock of drives and formulas of t stands.
pub static T_START: RunOption = RunOption::new(
    OptionRow::new("t_start", Kind::Number, "Start of the run, s")
        .flag("start")
        .value_name("T")
        .unit("s")
        .default("from the model, else 0"),
    |settings| Slot::Number(&mut settings.t_start),
)
.in_files();

/// End of the run, s; it is after the start.
pub static T_END: RunOption = RunOption::new(
    OptionRow::new("t_end", Kind::Number, "End of the run, s")
        .flag("to")
        .value_name("T")
        .unit("s")
        .default("from the model, else 10 s after the start"),
    |settings| Slot::Number(&mut settings.t_end),
)
.in_files();

/// Distance of rows, s.
pub static EVERY: RunOption = RunOption::new(
    OptionRow::new("every", Kind::Positive, "Distance of rows, from the start on, s")
        .value_name("DT")
        .unit("s")
        .default("from the model, else 200 rows"),
    |settings| Slot::Number(&mut settings.every),
)
.in_files();

/// Options of the methods.
pub static WITH: RunOption = RunOption::new(
    OptionRow::new(
        "with",
        Kind::Repeated,
        "An option of the formulation or integrator, such as omega=10 or norm=max",
    )
    .value_name("OPTION=VALUE"),
    |settings| Slot::Words(&mut settings.with),
);

/// Names of the columns that are recorded in addition to the time.
pub static COLUMNS: RunOption = RunOption::new(
    OptionRow::new(
        "columns",
        Kind::Words,
        "Only these columns, and the time; * stands for any letters, as in \"B_*\"",
    )
    .value_name("A,B,..."),
    |settings| Slot::Words(&mut settings.columns),
);

/// Whether the linear model about an equilibrium runs in the place of the model.
pub static LINEAR: RunOption = RunOption::new(
    OptionRow::new(
        "linear",
        Kind::Switch,
        "Run the linear model about the equilibrium nearest the start",
    ),
    |settings| Slot::Switch(&mut settings.linear),
);

/// Whether a second run estimates the error of the first.
pub static CERTIFY: RunOption = RunOption::new(
    OptionRow::new(
        "certify",
        Kind::Switch,
        "Estimate the error with a second, more exact run however long it takes (short runs have it unasked)",
    ),
    |settings| Slot::Switch(&mut settings.certify),
);

/// Whether there is none.
pub static NO_CERTIFY: RunOption = RunOption::new(
    OptionRow::new(
        "no_certify",
        Kind::Switch,
        "Leave the second run out: no estimate of the error",
    )
    .flag("no-certify"),
    |settings| Slot::Switch(&mut settings.no_certify),
);

/// What moves many trajectories at once.
pub static DEVICE: RunOption = RunOption::new(
    OptionRow::new(
        "device",
        Kind::Choice(&["cpu", "gpu"]),
        "What moves the trajectories: the processor, or a GPU of NVIDIA; where there is none the processor does",
    )
    .value_name("NAME")
    .default("cpu"),
    |settings| Slot::Word(&mut settings.device),
);

/// How many digits a GPU computes with.
pub static PRECISION: RunOption = RunOption::new(
    OptionRow::new(
        "precision",
        Kind::Choice(&["f64", "f32"]),
        "Digits of a GPU: 16, or 7, which is faster",
    )
    .value_name("NAME")
    .default("f64"),
    |settings| Slot::Word(&mut settings.precision),
);

/// The options that one list or another has.
pub fn every_option() -> impl Iterator<Item = &'static RunOption> + Clone {
    RUN_OPTIONS.iter().copied().chain([&DEVICE, &PRECISION])
}

/// Keys that `[run]` of a model file may have.
pub(crate) fn keys_of_files() -> Vec<&'static str> {
    RUN_OPTIONS.iter().filter(|option| option.in_files).map(|option| option.row.key).collect()
}

impl RunOption {
    const fn new(row: OptionRow, slot: fn(&mut RunSettings) -> Slot<'_>) -> RunOption {
        RunOption { row, slot, in_files: false }
    }

    /// One that `[run]` of a model file may say.
    const fn in_files(self) -> RunOption {
        RunOption { in_files: true, ..self }
    }

    /// Gives the option a value; one of another kind changes nothing.
    pub fn set(&self, settings: &mut RunSettings, value: OptionValue) {
        match ((self.slot)(settings), value) {
            (Slot::Number(slot), OptionValue::Number(number)) => *slot = Some(number),
            (Slot::Count(slot), OptionValue::Count(count)) => *slot = Some(count),
            (Slot::Word(slot), OptionValue::Word(word)) => *slot = Some(word),
            (Slot::Words(slot), OptionValue::Words(words)) => slot.extend(words),
            (Slot::Switch(slot), OptionValue::Switch(on)) => *slot = on,
            _ => {}
        }
    }

    /// Reads a value from a text.
    pub fn set_text(&self, settings: &mut RunSettings, text: &str) -> Result<(), OptionError> {
        self.set(settings, self.row.read(text)?);
        Ok(())
    }

    /// The value of the option, if it is set.
    pub fn get(&self, settings: &RunSettings) -> Option<OptionValue> {
        let mut settings = settings.clone();
        match (self.slot)(&mut settings) {
            Slot::Number(slot) => slot.map(OptionValue::Number),
            Slot::Count(slot) => slot.map(OptionValue::Count),
            Slot::Word(slot) => slot.take().map(OptionValue::Word),
            Slot::Words(slot) => {
                (!slot.is_empty()).then(|| OptionValue::Words(std::mem::take(slot)))
            }
            Slot::Switch(slot) => slot.then_some(OptionValue::Switch(true)),
        }
    }
}

impl RunSettings {
    /// No option set.
    pub fn new() -> RunSettings {
        RunSettings::default()
    }

    /// The settings made here, and those of `others` where none is made here.
    pub fn or(&self, others: &RunSettings) -> RunSettings {
        let mut merged = self.clone();
        for option in every_option() {
            if option.get(self).is_none()
                && let Some(value) = option.get(others)
            {
                option.set(&mut merged, value);
            }
        }
        merged
    }

    /// By this formulation.
    pub fn formulation(mut self, name: &str) -> RunSettings {
        self.formulation = Some(name.to_owned());
        self
    }

    /// By this integrator.
    pub fn integrator(mut self, name: &str) -> RunSettings {
        self.integrator = Some(name.to_owned());
        self
    }

    /// With this tolerance, relative and absolute alike.
    pub fn tolerance(mut self, tolerance: f64) -> RunSettings {
        (self.rtol, self.atol) = (Some(tolerance), Some(tolerance));
        self
    }

    /// By fixed steps, s.
    pub fn step(mut self, step: f64) -> RunSettings {
        self.step = Some(step);
        self
    }

    /// From this time on, s.
    pub fn t_start(mut self, t_start: f64) -> RunSettings {
        self.t_start = Some(t_start);
        self
    }

    /// Up to this time, s.
    pub fn t_end(mut self, t_end: f64) -> RunSettings {
        self.t_end = Some(t_end);
        self
    }

    /// With rows at this distance, s.
    pub fn every(mut self, every: f64) -> RunSettings {
        self.every = Some(every);
        self
    }

    /// With an option of the formulation or integrator.
    pub fn with(mut self, option: &str, value: f64) -> RunSettings {
        self.with.push(format!("{option}={value:?}"));
        self
    }

    /// With these columns only.
    pub fn columns(mut self, names: &[&str]) -> RunSettings {
        self.columns = names.iter().map(|name| (*name).to_owned()).collect();
        self
    }

    /// With the error estimated by a second run.
    pub fn certify(mut self) -> RunSettings {
        self.certify = true;
        self
    }

    /// Without a second run, however short the first was.
    pub fn no_certify(mut self) -> RunSettings {
        self.no_certify = true;
        self
    }

    /// Of the linear model about the equilibrium nearest the start.
    pub fn linear(mut self) -> RunSettings {
        self.linear = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_a_slot_of_its_own_that_fits_its_kind() {
        for option in RUN_OPTIONS {
            let value = match option.row.kind {
                Kind::Positive | Kind::Number => OptionValue::Number(0.25),
                Kind::Count(_) => OptionValue::Count(7),
                Kind::Word => OptionValue::Word("name".into()),
                Kind::Words | Kind::Repeated => OptionValue::Words(vec!["a".into()]),
                Kind::Switch => OptionValue::Switch(true),
                other => panic!("{other:?} has no slot"),
            };
            let mut settings = RunSettings::default();
            option.set(&mut settings, value.clone());
            assert_eq!(option.get(&settings), Some(value), "{}", option.row.key);
            let given = RUN_OPTIONS.iter().filter(|other| other.get(&settings).is_some());
            assert_eq!(given.count(), 1, "{}", option.row.key);
        }
    }

    #[test]
    fn what_is_said_goes_before_what_others_say() {
        let flags = RunSettings::new().integrator("rk4").t_end(1.0);
        let file = RunSettings::new().integrator("dop853").every(0.1);
        let merged = flags.or(&file);
        assert_eq!(merged, RunSettings::new().integrator("rk4").t_end(1.0).every(0.1));
    }
}
