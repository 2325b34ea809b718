//! Newmark's method and its descendants with multipliers: positions and multipliers of one step from one Newton iteration.

use super::conditions::{
    LINKAGE_TIME, column, linkage_models, pendulum_model, reached_end, reference_method,
    release_angle,
};
use super::order::fitted_order;
use super::printed::{Printed, PrintedLinkage};
use super::swing::Swing;
use crate::digits::digits;
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::figure::{Axis, Colour, Dash, Figure, Panel, Series};
use catena::model::fixed;
use catena::simulation::Table;
use catena::{Model, Run, RunSettings};

/// A method converges if its errors fall at least with this power of the step.
const CONVERGENT_ORDER: f64 = 0.8;
/// The longest step of the test of order, s: on the pendulum, on the linkage.
const LONGEST_STEPS: [f64; 2] = [0.04, 0.01];
/// Time of the test of order, s.
const ORDER_TIMES: [f64; 2] = [3.0, 1.0];
/// Distance of the rows on which errors are taken, s: a multiple of all steps.
const ORDER_ROWS: [f64; 2] = [0.2, 0.05];
/// The step of the long runs, s.
const LONG_STEP: f64 = 0.01;
/// Time of the long runs, s.
const LONG_TIMES: [f64; 2] = [100.0, LINKAGE_TIME];
/// Which part of a long run is shown where multipliers ring, s.
const RINGING_SHOWN: [f64; 2] = [0.8, 2.2];
/// The systems, in words.
const SYSTEMS: [&str; 2] = ["pendulum", "linkage"];

/// A member of the family.
struct Method {
    name: &'static str,
    integrator: &'static str,
    options: &'static [(&'static str, f64)],
    order: usize,
}

/// For γ > ½ damping at all frequencies needs β ≥ (γ + ½)²/4; with constraints there are infinite ones.
const METHODS: [Method; 4] = [
    Method {
        name: "Newmark, γ = ½",
        integrator: "newmark",
        options: &[("gamma", 0.5), ("beta", 0.25)],
        order: 2,
    },
    Method {
        name: "Newmark, γ = 0.6",
        integrator: "newmark",
        options: &[("gamma", 0.6), ("beta", 0.3025)],
        order: 1,
    },
    Method { name: "HHT, α = 0.1", integrator: "hht", options: &[("alpha", 0.1)], order: 2 },
    Method {
        name: "generalized-α, ρ∞ = 0.8",
        integrator: "generalized-alpha",
        options: &[("rho", 0.8)],
        order: 2,
    },
];

/// γ without the β that it needs.
const MISMATCHED: Method = Method {
    name: "Newmark, γ = 0.6, β = ¼",
    integrator: "newmark",
    options: &[("gamma", 0.6), ("beta", 0.25)],
    order: 1,
};

/// What a method does to a system, step by step.
#[derive(Default)]
struct Errors {
    /// Of the angle, rad.
    angle: Vec<f64>,
    /// Of the multipliers, relative to the largest of them.
    multipliers: Vec<f64>,
    /// Largest |Φ|, m.
    constraint: Vec<f64>,
    /// Largest |Φ̇|, m/s.
    rate: Vec<f64>,
}

/// One kind of errors, over all steps.
type ErrorOf = fn(&Errors) -> &Vec<f64>;

/// A system with its angle and multipliers on the rows of the test, free of error.
struct Measured {
    model: Model,
    angle: &'static str,
    multipliers: Vec<String>,
    exact_angle: Vec<f64>,
    exact_multipliers: Vec<Vec<f64>>,
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let systems = systems(lab)?;
    let halvings = lab.quick_or(7, 8);
    let steps: Vec<Vec<f64>> = LONGEST_STEPS
        .map(|longest| (0..halvings).map(|at| longest / f64::powi(2.0, at)).collect())
        .to_vec();
    let cases: Vec<(usize, &Method)> =
        (0..systems.len()).flat_map(|at| METHODS.iter().map(move |method| (at, method))).collect();
    let errors =
        lab.each(&cases, |lab, (at, method)| errors(lab, &systems[*at], *at, method, &steps[*at]))?;
    let long = lab.each(&cases, |lab, (at, method)| {
        let settings = method.settings(LONG_STEP).t_end(LONG_TIMES[*at]).every(LONG_STEP);
        lab.run(&systems[*at].model, &settings)
    })?;
    let mismatched = lab.run(
        &systems[1].model,
        &MISMATCHED.settings(LONG_STEP).t_end(LONG_TIMES[1]).every(LONG_STEP),
    )?;
    let mut section = Section::default();
    section.text(
        "The study says that Newmark's method cannot be used for systems with constraints. In structural dynamics it is: accelerations, velocities and \
         positions of the new step are tied by Newmark's formulas, the constraints are asked of the new positions themselves, and Newton's \
         method finds positions and multipliers together (index 3).",
    );
    section.formula(
        "M aₙ₊₁ + Φqᵀ λₙ₊₁ = Q,   Φ(qₙ₊₁) = 0\nqₙ₊₁ = qₙ + h vₙ + h² ((½ − β) aₙ + β aₙ₊₁),   vₙ₊₁ = vₙ + h ((1 − γ) aₙ + γ aₙ₊₁)",
    );
    section.text(
        "Newmark's own choice is γ = ½, β = ¼, the trapezoidal rule. HHT and generalized-α weigh forces and accelerations of two steps such that what is \
         faster than the step is damped; γ > ½ does so at the price of an order, and needs β ≥ (γ + ½)²/4.",
    );
    let captions = [
        (
            "newmark-pendulum",
            "Errors against the step on the pendulum, 3 s: of the angle, and of the multipliers",
        ),
        ("newmark-linkage", "Errors against the step on the linkage released at rest, 1 s"),
    ];
    for (at, (file, caption)) in captions.into_iter().enumerate() {
        let own = &errors[at * METHODS.len()..][..METHODS.len()];
        section.figure(file, caption, order_figure(&steps[at], own));
    }
    section.table(
        "newmark-order-table",
        "Orders fitted to these errors, the constraints at the shortest step, and how far a long run gets with a step of 0.01 s: of 100 s on the \
         pendulum, of 10 s on the linkage",
        order_table(&steps, &errors, &long),
    );
    section.figure(
        "newmark-ringing",
        "The long runs on the linkage, with a step of 0.01 s: λ₁ while it begins to ring, and |dΦ/dt| until the end of each run",
        ringing_figure(&systems[1], &long[METHODS.len()..]),
    );
    section.text(format!(
        "With γ = ½ nothing damps an error of the multipliers: λ rings from step to step, first unseen. The constraints make the method's own frequencies \
         infinite, where the trapezoidal rule multiplies by exactly −1, and a Jacobian that changes from step to step lets the ringing grow \
         until Newton's method fails. A shorter step only puts that off, and has its own price: what Newton's method leaves of its equations \
         enters λ divided by h² and stays. {} The members with damping go through. Damping needs its β: with γ = 0.6 \
         and β left at ¼ the run ends at {} s.",
        shortest_step_words(&steps[1], &errors[METHODS.len()]),
        digits(mismatched.certificate.time, 3)
    ));
    section.claim(newmark_claim(&steps, &errors, &long));
    Ok(section)
}

impl Method {
    fn settings(&self, step: f64) -> RunSettings {
        let settings = RunSettings::new().integrator(self.integrator).step(step).no_certify();
        self.options.iter().fold(settings, |settings, (key, value)| settings.with(key, *value))
    }
}

fn systems(lab: &Laboratory<'_>) -> Result<Vec<Measured>, StudyError> {
    let names = |count: usize| (1..=count).map(|at| format!("lambda_phi{at}")).collect::<Vec<_>>();
    let times = |at: usize| {
        let rows = (ORDER_TIMES[at] / ORDER_ROWS[at]).round() as usize;
        (0..=rows).map(move |row| row as f64 * ORDER_ROWS[at])
    };
    let pendulum = pendulum_model(lab)?;
    let swing = Swing::new(&pendulum, release_angle(lab)?);
    let multipliers = |at: usize| times(0).map(|t| swing.multipliers(t)[at]).collect();
    let pendulum = Measured {
        model: pendulum,
        angle: "theta",
        multipliers: names(2),
        exact_angle: times(0).map(|t| swing.angle_and_rate(t)[0]).collect(),
        exact_multipliers: (0..2).map(multipliers).collect(),
    };
    let [linkage, _] = linkage_models(lab)?;
    let settings = reference_method("projection").t_end(ORDER_TIMES[1]).every(ORDER_ROWS[1]);
    let exact = lab.run(&linkage, &settings)?;
    let linkage = Measured {
        model: linkage,
        angle: "theta2",
        exact_angle: column(&exact, "theta2").to_vec(),
        exact_multipliers: names(8).iter().map(|name| column(&exact, name).to_vec()).collect(),
        multipliers: names(8),
    };
    Ok(vec![pendulum, linkage])
}

fn errors(
    lab: &Laboratory<'_>,
    system: &Measured,
    at: usize,
    method: &Method,
    steps: &[f64],
) -> Result<Errors, StudyError> {
    let mut errors = Errors::default();
    for step in steps {
        let settings = method.settings(*step).t_end(ORDER_TIMES[at]).every(ORDER_ROWS[at]);
        let run = lab.run(&system.model, &settings)?;
        let [angle, multipliers] = match reached_end(&run, ORDER_TIMES[at]) {
            true => system.errors(&run),
            false => [f64::NAN; 2],
        };
        errors.angle.push(angle);
        errors.multipliers.push(multipliers);
        errors.constraint.push(run.certificate.constraint_error);
        errors.rate.push(run.certificate.constraint_rate_error);
    }
    Ok(errors)
}

impl Measured {
    /// Largest errors of the angle, rad, and of the multipliers, relative to the largest of them.
    fn errors(&self, run: &Run) -> [f64; 2] {
        let largest = super::conditions::largest_difference;
        let size = self
            .exact_multipliers
            .iter()
            .flatten()
            .fold(0.0_f64, |size, value| size.max(value.abs()));
        let apart = self.multipliers.iter().zip(&self.exact_multipliers);
        let apart =
            apart.map(|(name, exact)| largest(column(run, name), exact)).fold(0.0, f64::max);
        [largest(column(run, self.angle), &self.exact_angle), apart / size]
    }
}

/// Errors of one system against the step.
fn order_figure(steps: &[f64], errors: &[Errors]) -> Figure {
    let kinds: [(&str, ErrorOf); 2] = [
        ("error of $θ$, rad", |one| &one.angle),
        ("error of $λ$, relative", |one| &one.multipliers),
    ];
    let panels = kinds.into_iter().map(|(label, pick)| {
        let axes = (Axis::logarithmic("step $h$, s"), Axis::logarithmic(label));
        let methods = METHODS.iter().zip(errors);
        methods.fold(Panel::new("", axes.0, axes.1), |panel, (method, errors)| {
            let curve = Series::line_and_marks(method.name, steps, pick(errors).clone());
            panel.with(curve.dashed(Dash::Solid))
        })
    });
    panels.fold(Figure::default(), Figure::with)
}

fn order_table(steps: &[Vec<f64>], errors: &[Errors], long: &[Run]) -> Table {
    let systems = SYSTEMS.iter().flat_map(|system| [*system; METHODS.len()]);
    let methods = SYSTEMS.iter().flat_map(|_| METHODS.iter().map(|method| method.name.to_owned()));
    let own_steps = |case: usize| &steps[case / METHODS.len()];
    let orders = |pick: ErrorOf| -> Vec<String> {
        let cases = errors.iter().enumerate();
        cases.map(|(case, one)| order_words(fitted_order(own_steps(case), pick(one)))).collect()
    };
    let last = |pick: ErrorOf| -> Vec<f64> {
        errors.iter().map(|one| pick(one).last().copied().unwrap_or(f64::NAN)).collect()
    };
    let reached = long.iter().enumerate().map(|(case, run)| {
        match reached_end(run, LONG_TIMES[case / METHODS.len()]) {
            true => "the end".to_owned(),
            false => format!("{} s", digits(run.certificate.time, 4)),
        }
    });
    Table::default()
        .with_words("system", systems.map(str::to_owned).collect())
        .with_words("method", methods.collect())
        .with_words("order in θ", orders(|one| &one.angle))
        .with_words("order in λ", orders(|one| &one.multipliers))
        .with_words("order of |dΦ/dt|", orders(|one| &one.rate))
        .with_numbers("error of θ", "rad", last(|one| &one.angle))
        .with_numbers("error of λ", "relative", last(|one| &one.multipliers))
        .with_numbers("largest |Φ|", "m", last(|one| &one.constraint))
        .with_numbers("largest |dΦ/dt|", "m/s", last(|one| &one.rate))
        .with_words("a long run reaches", reached.collect())
}

fn order_words(order: f64) -> String {
    if order.is_finite() { fixed(order, 2) } else { "–".to_owned() }
}

/// The error of the multipliers where it is smallest, and at the shortest step.
fn shortest_step_words(steps: &[f64], errors: &Errors) -> String {
    let pairs = || steps.iter().zip(&errors.multipliers).filter(|(_, error)| error.is_finite());
    let best = pairs().min_by(|one, other| one.1.total_cmp(other.1));
    let (Some((best_step, best)), Some((step, error))) = (best, pairs().next_back()) else {
        return String::new();
    };
    format!(
        "The error of its λ on the linkage is {} at a step of {} s, where it is smallest, and {} at {} s.",
        digits(*best, 2),
        digits(*best_step, 3),
        digits(*error, 2),
        digits(*step, 3)
    )
}

/// The multiplier of the first constraint as it begins to ring, and the drift of rates.
fn ringing_figure(system: &Measured, long: &[Run]) -> Figure {
    let printed = PrintedLinkage::new(&system.model);
    let axis = |range: [f64; 2]| Axis { range: Some(range), ..Axis::linear("$t$, s") };
    let mut multiplier = Panel::new("", axis(RINGING_SHOWN), Axis::linear("$λ_{1}$, N"));
    let axes = (axis([0.0, LINKAGE_TIME]), Axis::logarithmic("largest rate of $Φ$, m/s"));
    let mut rate = Panel::new("", axes.0, axes.1);
    for (number, (method, run)) in METHODS.iter().zip(long).enumerate() {
        let (time, colour) = (column(run, "t"), Colour::Number(number));
        // with an error of first order the motion itself is late, which hides the ringing of others
        if method.order > 1 {
            let values = column(run, "lambda_phi1");
            let shown = |at: &usize| (RINGING_SHOWN[0]..=RINGING_SHOWN[1]).contains(&time[*at]);
            let rows: Vec<usize> = (0..time.len()).filter(shown).collect();
            let pick = |values: &[f64]| rows.iter().map(|at| values[*at]).collect::<Vec<_>>();
            multiplier = multiplier
                .with(Series::line(method.name, pick(time), pick(values)).coloured(colour));
        }
        let [_, rates] = printed.constraint_errors(run);
        rate = rate.with(Series::line(method.name, time, rates).coloured(colour));
    }
    Figure::default().with(multiplier).with(rate)
}

fn newmark_claim(steps: &[Vec<f64>], errors: &[Errors], long: &[Run]) -> Claim {
    // on both systems: errors of angle and multipliers fall with the step, and a long run gets to its end
    let is_usable = |method: usize| {
        (0..SYSTEMS.len()).all(|at| {
            let case = at * METHODS.len() + method;
            let order = |values: &[f64]| fitted_order(&steps[at], values);
            order(&errors[case].angle) >= CONVERGENT_ORDER
                && order(&errors[case].multipliers) >= CONVERGENT_ORDER
                && reached_end(&long[case], LONG_TIMES[at])
        })
    };
    let usable: Vec<bool> = (0..METHODS.len()).map(is_usable).collect();
    let undamped = METHODS[0].name;
    let verdict = match (usable[0], usable[1..].contains(&true)) {
        (true, _) => Verdict::DoesNotHold,
        (false, true) => Verdict::HoldsIf("nothing damps the multipliers (γ = ½)".to_owned()),
        (false, false) => Verdict::Holds,
    };
    let parts = METHODS.iter().enumerate().map(|(method, row)| {
        let case = METHODS.len() + method;
        let end = match reached_end(&long[case], LINKAGE_TIME) {
            true => format!("reaches {LINKAGE_TIME} s"),
            false => format!("fails at {} s", digits(long[case].certificate.time, 3)),
        };
        format!(
            "{}: order {} in θ, {} in λ, {end}",
            row.name,
            order_words(fitted_order(&steps[1], &errors[case].angle)),
            order_words(fitted_order(&steps[1], &errors[case].multipliers))
        )
    });
    let failed = METHODS.iter().zip(long).filter(|(_, run)| !reached_end(run, LONG_TIMES[0]));
    let on_pendulum: String = failed
        .map(|(row, run)| {
            let time = digits(run.certificate.time, 3);
            format!("; pendulum, {}: fails at {time} of {} s", row.name, LONG_TIMES[0])
        })
        .collect();
    Claim::new("C7", "Newmark's method cannot be used for systems with constraints")
        .published("no figures")
        .measured(
            format!("linkage, {}{on_pendulum}", parts.collect::<Vec<_>>().join("; ")),
            verdict,
        )
        .because(format!(
            "Constraints asked of the new positions fit any implicit method of this kind. {undamped} multiplies errors of the multipliers by −1 in each \
             step, so that they ring and grow in long runs; damping (γ > ½, HHT, generalized-α) ends that."
        ))
}
