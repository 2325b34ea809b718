//! Settings become a run that can be made: names become rows of catalogues, defaults are filled in, and what cannot be
//! is refused.

use crate::auto::{self, AUTO, Asked};
use crate::method_options::{MethodOptionError, apply};
use crate::{
    Automatic, Certification, Grade, Host, Prepared, Run, RunError, RunFailure, RunOptions,
    StopReason,
};
use catena_formulation::OptionValues;
use catena_model::{Kind, Model, OptionValue, RUN_OPTIONS, RunSettings};

/// The most rows of a run.
pub const MAX_ROWS: f64 = 1e8;
/// The end of a run whose settings have none, s.
const DEFAULT_END: f64 = 10.0;
/// Rows of a run whose settings have no distance between rows.
const DEFAULT_ROWS: f64 = 200.0;

/// How constraints enter: a formulation and its options.
#[derive(Clone)]
pub struct FormulationChoice {
    /// The formulation.
    pub entry: &'static catena_formulation::Entry,
    /// Options of the formulation by name; those that are absent have their defaults.
    pub options: OptionValues,
}

impl FormulationChoice {
    /// A formulation with its defaults.
    pub fn new(entry: &'static catena_formulation::Entry) -> FormulationChoice {
        FormulationChoice { entry, options: OptionValues::default() }
    }

    /// Derives and compiles a model for this formulation.
    pub fn prepare(&self, model: &Model) -> Result<Prepared, RunError> {
        Prepared::new(model, self.entry, self.options.clone())
    }
}

/// A run that can be made.
#[derive(Clone)]
pub struct RunPlan {
    /// How constraints enter.
    pub formulation: FormulationChoice,
    /// How the model is moved.
    pub options: RunOptions,
    /// Whether the error is estimated with a second run.
    pub certification: Certification,
}

impl RunPlan {
    /// From what the user said; what was left out comes from the defaults, mostly those of the model.
    pub fn new(
        model: &Model,
        said: &RunSettings,
        defaults: &RunSettings,
    ) -> Result<RunPlan, RunFailure> {
        let settings = said.or(defaults);
        check_numbers(&settings)?;
        let t_start = settings.t_start.unwrap_or(0.0);
        let t_end = settings.t_end.unwrap_or(t_start + DEFAULT_END);
        check_span(t_start, t_end)?;
        let duration = t_end - t_start;
        let every = settings.every.unwrap_or(duration / DEFAULT_ROWS);
        if duration / every > MAX_ROWS {
            let rows = duration / every;
            return Err(RunFailure::TooManyRows { t_end, duration, every, rows });
        }
        let standard = catena_integrator::Options::default();
        let integration = catena_integrator::Options {
            rtol: settings.rtol.unwrap_or(standard.rtol),
            atol: settings.atol.unwrap_or(standard.atol),
            step: settings.step,
            first_step: settings.first_step,
            max_step: settings.max_step,
            max_steps: settings.max_steps.unwrap_or(standard.max_steps),
            ..standard
        };
        let mut automatic = Automatic::default();
        let integrator = match named(settings.integrator.as_deref()) {
            Some(name) => integrator(name)?,
            None => automatic.take_integrator(auto::integrator_of_run(&Asked::new(&integration))),
        };
        let said_formulation = named(said.formulation.as_deref());
        if said_formulation.is_some() && integrator.structural {
            return Err(RunFailure::NoFormulation { integrator: integrator.name });
        }
        let formulation = match named(settings.formulation.as_deref()) {
            // it advances the constrained system itself: only the coordinates matter
            _ if integrator.structural => catena_formulation::structural_base(model),
            Some(name) => formulation(name)?,
            None => automatic.take_formulation(auto::formulation_for(model, integrator)),
        };
        let mut plan = RunPlan {
            formulation: FormulationChoice::new(formulation),
            options: RunOptions {
                columns: (!settings.columns.is_empty()).then_some(settings.columns),
                linear: settings.linear,
                t_start,
                automatic,
                ..RunOptions::new(integrator, integration, t_end, every)
            },
            certification: match () {
                () if settings.no_certify => Certification::Never,
                () if settings.certify => Certification::Always,
                () => Certification::Short,
            },
        };
        for text in &settings.with {
            plan.set_option(text)?;
        }
        Ok(plan)
    }

    /// What the plan came to: every option with the value it has now, those of the methods written out.
    pub fn settings(&self) -> RunSettings {
        let RunPlan { formulation, options, certification } = self;
        let integration = &options.integration;
        let of_formulation =
            formulation.options.0.iter().map(|(key, value)| format!("{key}={value:?}"));
        let of_integrator = integration.own.iter().map(|(key, value)| format!("{key}={value:?}"));
        let mut with: Vec<String> = of_formulation.chain(of_integrator).collect();
        with.push(format!("norm={}", format!("{:?}", integration.norm).to_lowercase()));
        with.push(format!("newton={}", integration.tangent.name()));
        with.push(format!("newton_tol={:?}", integration.newton_tol));
        with.sort_unstable();
        RunSettings {
            formulation: Some(formulation.entry.name.to_owned()),
            integrator: Some(options.integrator.name.to_owned()),
            rtol: Some(integration.rtol),
            atol: Some(integration.atol),
            step: integration.step,
            first_step: integration.first_step,
            max_step: integration.max_step,
            max_steps: Some(integration.max_steps),
            t_start: (options.t_start != 0.0).then_some(options.t_start),
            t_end: Some(options.t_end),
            every: Some(options.every),
            with,
            columns: options.columns.clone().unwrap_or_default(),
            certify: *certification == Certification::Always,
            no_certify: *certification == Certification::Never,
            linear: options.linear,
            // one motion is the processor's
            device: None,
            precision: None,
        }
    }

    /// Prepares the model and moves it. Where a formulation that was taken by rules does not get through, another one is
    /// tried.
    pub fn run(&self, model: &Model, host: &mut Host<'_>) -> Result<Run, RunError> {
        let run = self.run_as_planned(model, host)?;
        let Some(second) = self.second_plan(model, &run, host) else { return Ok(run) };
        match second.run_as_planned(model, host) {
            Ok(other) if !is_lost(&other) => Ok(other),
            _ => Ok(run),
        }
    }

    /// The same with another formulation, if this run was lost and nobody named one.
    fn second_plan(&self, model: &Model, run: &Run, host: &Host<'_>) -> Option<RunPlan> {
        let by_rules = self.options.automatic.formulation.is_some();
        // rows that were handed over cannot be taken back
        if !by_rules || !is_lost(run) || host.rows.is_some() {
            return None;
        }
        let entry = auto::second_formulation(model)?;
        let (first, time) = (self.formulation.entry.name, run.certificate.time);
        let reason = match &run.certificate.stop {
            StopReason::Failed { .. } => format!("`{first}` stopped at {time:.4} s"),
            _ => format!("`{first}` went wrong"),
        };
        let mut plan = self.clone();
        plan.formulation = FormulationChoice::new(entry);
        plan.options.automatic.formulation = Some(format!("{}: {reason}", entry.name));
        Some(plan)
    }

    fn run_as_planned(&self, model: &Model, host: &mut Host<'_>) -> Result<Run, RunError> {
        let began = (host.clock)();
        let mut prepared = self.formulation.prepare(model)?;
        let seconds = (host.clock)() - began;
        let mut run = prepared.run_certified(&self.options, self.certification, host)?;
        run.certificate.preparation_seconds += seconds;
        Ok(run)
    }

    /// Sets an option of the formulation or the integrator, as NAME=VALUE.
    pub fn set_option(&mut self, text: &str) -> Result<(), MethodOptionError> {
        apply(text, self)
    }
}

/// Whether a run did not get through, or is not the motion of the model.
fn is_lost(run: &Run) -> bool {
    let certificate = &run.certificate;
    match certificate.stop {
        StopReason::Cancelled => false,
        StopReason::Failed { .. } => true,
        _ => certificate.verdict.grade == Grade::Wrong,
    }
}

/// Numbers that must be greater than 0, wherever they come from, and a relative tolerance, which must be below 1.
fn check_numbers(settings: &RunSettings) -> Result<(), RunFailure> {
    for option in RUN_OPTIONS.iter().filter(|option| option.row.kind == Kind::Positive) {
        if let Some(OptionValue::Number(value)) = option.get(settings)
            && !(value > 0.0 && value.is_finite())
        {
            return Err(RunFailure::NotPositive { key: option.row.key, value });
        }
    }
    let named = |slot: &Option<String>, name| slot.as_deref() == Some(name);
    if named(&settings.precision, "f32") && !named(&settings.device, "gpu") {
        return Err(RunFailure::PrecisionOfProcessor);
    }
    match settings.rtol {
        Some(rtol) if rtol >= 1.0 => Err(RunFailure::NoDigits { rtol }),
        _ => Ok(()),
    }
}

/// A run ends after its start.
fn check_span(t_start: f64, t_end: f64) -> Result<(), RunFailure> {
    if t_start.is_finite() && t_end.is_finite() && t_end > t_start {
        return Ok(());
    }
    Err(match t_start == 0.0 {
        true => RunFailure::NotPositive { key: "t_end", value: t_end },
        false => RunFailure::EndBeforeStart { t_start, t_end },
    })
}

/// A method that is named; `auto` names none.
fn named(name: Option<&str>) -> Option<&str> {
    name.filter(|name| *name != AUTO)
}

fn formulation(name: &str) -> Result<&'static catena_formulation::Entry, RunFailure> {
    catena_formulation::find(name).ok_or_else(|| RunFailure::UnknownMethod {
        kind: "formulation",
        name: name.to_owned(),
        known: catena_formulation::FORMULATIONS
            .iter()
            .map(|entry| entry.name)
            .chain([AUTO])
            .collect(),
    })
}

fn integrator(name: &str) -> Result<&'static catena_integrator::Entry, RunFailure> {
    catena_integrator::find(name).ok_or_else(|| RunFailure::UnknownMethod {
        kind: "integrator",
        name: name.to_owned(),
        known: catena_integrator::INTEGRATORS
            .iter()
            .map(|entry| entry.name)
            .chain([AUTO])
            .collect(),
    })
}
