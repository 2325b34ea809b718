//! Diagnosis in words: degrees of freedom, dependent constraints, missing mass, a start that
//! cannot be.

use crate::assembly::{Assembly, AssemblyError, assemble, assemble_nearby, check_finite};
use crate::closure_error::{ClosureError, closure_errors, three_digits};
use crate::mass_columns;
use crate::mass_sign::{MassSign, mass_sign};
use crate::shared_forces::{SharedForces, listed};
use crate::start::Start;
use crate::start_values::{StartValue, start_values};
use catena_compile::Evaluator;
use catena_derivation::angles;
use catena_formulation::ConstraintLevel;
use catena_linear::{Matrix, RowSpace};
use catena_model::{CoordinateSet, Model, System};

/// Residuals of dependent constraints that differ by more than this contradict each other.
const CONTRADICTION_TOLERANCE: f64 = 1e-8;
/// A coordinate takes part in a direction of length 1 that has no mass if its entry is above this.
const PARTICIPATION_TOLERANCE: f64 = 1e-6;
/// More toothed joints than this are counted, not listed.
const MAX_LISTED_JOINTS: usize = 9;
/// How far along the motion the rank is computed again, in the units of the coordinates.
const NEARBY_DISTANCE: f64 = 0.05;

/// What was found out about a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    /// Number of coordinates.
    pub coordinates: usize,
    /// Number of constraints.
    pub constraints: usize,
    /// Number of first-order states.
    pub states: usize,
    /// Rank of Φq at the start.
    pub rank: usize,
    /// Names of the coordinates that are angles.
    pub angles: Vec<String>,
    /// The start, if it could be assembled.
    pub start: Option<Assembly>,
    /// The same with names and units; none where it cannot be assembled.
    pub start_values: Vec<StartValue>,
    /// Energies T and V at the start.
    pub energies: Option<[f64; 2]>,
    /// Which forces are unique, if constraints are redundant.
    pub shared: Option<SharedForces>,
    /// Toothed joints without a pressure angle.
    pub without_tooth_force: Vec<String>,
    /// What deserves attention.
    pub findings: Vec<Finding>,
}

/// Something that deserves attention.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What was found, with the names of the model that it concerns.
    pub kind: FindingKind,
    /// Whether the model can run all the same.
    pub can_run: bool,
}

/// What can be found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum FindingKind {
    Redundant {
        constraint: String,
        others: Vec<String>,
    },
    SingularPose {
        constraint: String,
        others: Vec<String>,
    },
    Contradictory {
        constraint: String,
        others: Vec<String>,
        mismatch: f64,
    },
    Massless {
        coordinates: Vec<String>,
        saved_by_constraints: bool,
    },
    NotPositiveMass {
        coordinate: String,
    },
    StartUnsatisfied {
        level: ConstraintLevel,
        residuals: Vec<(String, f64)>,
        all_given: bool,
        other_starts: usize,
    },
    CannotClose {
        errors: Vec<ClosureError>,
        other_starts: usize,
    },
    NotFinite {
        name: String,
    },
}

impl FindingKind {
    /// One sentence for people, without a full stop.
    pub fn message(&self) -> String {
        let with = |others: &[String]| match others {
            [] => "it does not depend on the coordinates here".to_owned(),
            [one] => format!("it says the same as `{one}`"),
            others => format!("it follows from {}", quoted(others)),
        };
        match self {
            Self::Redundant { constraint, others } => {
                format!("the constraint `{constraint}` is redundant: {}", with(others))
            }
            Self::SingularPose { constraint, others } => format!(
                "the start is a singular pose: there the constraint `{constraint}` is not \
                 independent ({})",
                with(others)
            ),
            Self::Contradictory { constraint, others, mismatch } => format!(
                "the constraints {} and `{constraint}` are contradictory: they move together, but \
                 stay {mismatch:.3e} apart",
                quoted(others)
            ),
            Self::Massless { coordinates, saved_by_constraints: true } => format!(
                "the mass matrix is singular: {} {} no mass, but the constraints determine {}",
                quoted(coordinates),
                if coordinates.len() == 1 { "has" } else { "have" },
                if coordinates.len() == 1 { "it" } else { "them" },
            ),
            Self::Massless { coordinates, .. } => format!(
                "the mass matrix is singular: {} {} no mass, and no constraint determines {}",
                quoted(coordinates),
                if coordinates.len() == 1 { "has" } else { "have" },
                if coordinates.len() == 1 { "it" } else { "them" },
            ),
            Self::NotPositiveMass { coordinate } => format!(
                "the mass matrix is not positive: some motion with `{coordinate}` has negative \
                 kinetic energy"
            ),
            Self::StartUnsatisfied { level, residuals, all_given, other_starts } => {
                let what = match level {
                    ConstraintLevel::Position => "positions",
                    ConstraintLevel::Velocity => "velocities",
                };
                let how = if *all_given { "given" } else { "found" };
                let list: Vec<String> = residuals
                    .iter()
                    .map(|(name, residual)| format!("{name} = {residual:.3e}"))
                    .collect();
                let sign = if *level == ConstraintLevel::Velocity { "rates " } else { "" };
                format!(
                    "the {what} {how} for the start do not satisfy the constraints: {sign}{}{}",
                    list.join(", "),
                    tried(*other_starts)
                )
            }
            Self::CannotClose { errors, other_starts } => {
                let list: Vec<String> = errors.iter().map(ClosureError::to_string).collect();
                let tried = tried(*other_starts);
                let whole: f64 = errors.iter().map(|error| error.distance).sum();
                let together = match errors.iter().filter(|error| error.distance > 0.0).count() {
                    0 | 1 => String::new(),
                    _ => format!(" ({} mm in all)", three_digits(1e3 * whole)),
                };
                format!("the mechanism cannot be closed: {}{together}{tried}", list.join(", "))
            }
            Self::NotFinite { name } => format!("at the start {name} is infinite or undefined"),
        }
    }

    /// What the user can do about it, one sentence without a full stop.
    pub fn help(&self) -> String {
        match self {
            Self::Redundant { .. } => {
                "the motion is the same without it; its multiplier is not unique".into()
            }
            Self::SingularPose { .. } => {
                "the motion may branch here; start a little away from this pose".into()
            }
            Self::Contradictory { .. } => "remove one of them, or correct its constant".into(),
            Self::Massless { saved_by_constraints: true, .. } => {
                "formulations that solve with the mass matrix alone cannot run this model".into()
            }
            Self::Massless { .. } => {
                "give it mass in the kinetic energy, or tie it down by a constraint".into()
            }
            Self::NotPositiveMass { .. } => {
                "look for a negative mass, or a wrong sign or factor in the kinetic energy".into()
            }
            Self::StartUnsatisfied { all_given: true, .. } => {
                "give fewer values under [initial]: what is left out is solved for".into()
            }
            Self::StartUnsatisfied { level: ConstraintLevel::Position, .. } => {
                "give fewer values under [initial], or a better [guess]; perhaps the parts are too \
                 short to meet"
                    .into()
            }
            Self::StartUnsatisfied { .. } => {
                "give fewer velocities under [initial]: the others follow from them".into()
            }
            Self::CannotClose { .. } => {
                "look at the lengths and at the points of the bodies; perhaps the parts are too \
                 short to meet, or too much is given under [initial]"
                    .into()
            }
            Self::NotFinite { .. } => {
                "look for a division by zero, a root or a logarithm of a negative number at the \
                 start"
                    .into()
            }
        }
    }
}

/// What was tried, as the end of a sentence.
fn tried(other_starts: usize) -> String {
    match other_starts {
        0 => String::new(),
        others => format!(
            "; tried from the guesses and from {others} other poses, with free parts turned and moved"
        ),
    }
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

impl Diagnosis {
    /// Whether nothing found prevents a run.
    pub fn can_run(&self) -> bool {
        self.findings.iter().all(|finding| finding.can_run)
    }

    /// What is worth knowing about forces, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        let toothed = match self.without_tooth_force.as_slice() {
            [] => None,
            joints => Some(format!(
                "forces in bearings and guides lack what the teeth of {} add to them: give them a pressure_angle, \
                 for instance pressure_angle = \"20 deg\"",
                listed(joints, MAX_LISTED_JOINTS)
            )),
        };
        self.shared.iter().map(ToString::to_string).chain(toothed).collect()
    }

    /// Degrees of freedom by count: coordinates less constraints.
    pub fn freedom_by_count(&self) -> i64 {
        self.coordinates as i64 - self.constraints as i64
    }

    /// Degrees of freedom by the rank of Φq.
    pub fn freedom_by_rank(&self) -> usize {
        self.coordinates - self.rank
    }
}

/// Examines a system of the model.
pub fn diagnose(model: &Model, set: CoordinateSet) -> Diagnosis {
    let system = model.system(set);
    let mut examiner = Examiner {
        system,
        start: Start::new(model, set),
        evaluator: mass_columns::evaluator_to_examine(model, system),
        findings: Vec::new(),
        redundant: vec![false; system.constraints.len()],
    };
    let assembled = check_finite(system, &mut examiner.evaluator, &examiner.start)
        .and_then(|()| assemble(system, &mut examiner.evaluator, &examiner.start));
    let (q, v) = match &assembled {
        Ok(assembly) => (assembly.q.clone(), assembly.v.clone()),
        Err(AssemblyError::Unsatisfied { q, .. }) => (q.clone(), examiner.start.v.clone()),
        Err(_) => (examiner.start.q.clone(), examiner.start.v.clone()),
    };
    let mut rank = 0;
    let mut energies = None;
    if let Err(AssemblyError::NotFinite { name }) = &assembled {
        examiner.report(FindingKind::NotFinite { name: name.clone() }, false);
    } else {
        rank = examiner.examine_constraints(&q, &v, assembled.is_ok());
        examiner.examine_mass(&q, &v);
        let values = examiner.evaluator.values_at(examiner.start.t, &q, &v, &examiner.start.states);
        energies = Some([values.kinetic, values.potential]);
    }
    let contradictory =
        examiner.findings.iter().any(|f| matches!(f.kind, FindingKind::Contradictory { .. }));
    if let Err(AssemblyError::Unsatisfied { level, residuals, all_given, other_starts, .. }) =
        &assembled
    {
        let other_starts = *other_starts;
        let errors = model.mechanism.as_ref().map(|mechanism| closure_errors(mechanism, residuals));
        let open =
            errors.filter(|errors| *level == ConstraintLevel::Position && !errors.is_empty());
        // of a mechanism it is said which joints stay open, whatever else is said about its constraints
        match open {
            Some(errors) => {
                examiner.report(FindingKind::CannotClose { errors, other_starts }, false);
            }
            None if contradictory => {}
            None => {
                let (level, residuals) = (*level, residuals.clone());
                let all_given = *all_given;
                let kind =
                    FindingKind::StartUnsatisfied { level, residuals, all_given, other_starts };
                examiner.report(kind, false);
            }
        }
    }
    let is_angle = angles(examiner.evaluator.equations(), system);
    let is_mechanism = model.mechanism.is_some() && set == CoordinateSet::Own;
    let start_values = assembled
        .as_ref()
        .map_or_else(|_| Vec::new(), |start| start_values(system, &is_angle, is_mechanism, start));
    let names = system.coordinates.iter().zip(is_angle).filter(|(_, angle)| *angle);
    Diagnosis {
        coordinates: system.coordinates.len(),
        constraints: system.constraints.len(),
        states: system.states.len(),
        rank,
        angles: names.map(|(coordinate, _)| coordinate.name.clone()).collect(),
        start: assembled.ok(),
        start_values,
        energies: energies.filter(|_| !system.coordinates.is_empty()),
        shared: SharedForces::new(model, system, &examiner.redundant),
        without_tooth_force: without_tooth_force(model),
        findings: examiner.findings,
    }
}

fn without_tooth_force(model: &Model) -> Vec<String> {
    let joints = model.mechanism.iter().flat_map(|mechanism| &mechanism.joints);
    joints.filter(|joint| joint.lacks_tooth_force()).map(|joint| joint.name.clone()).collect()
}

struct Examiner<'a> {
    system: &'a System,
    start: Start,
    evaluator: Evaluator,
    findings: Vec<Finding>,
    /// Constraints that take part in a redundancy.
    redundant: Vec<bool>,
}

impl Examiner<'_> {
    fn report(&mut self, kind: FindingKind, can_run: bool) {
        self.findings.push(Finding { kind, can_run });
    }

    /// Φq at a pose.
    fn jacobian(&mut self, q: &[f64], v: &[f64]) -> Matrix {
        let (m, n) = (self.system.constraints.len(), q.len());
        self.evaluator.set_state(self.start.t, q, v, &self.start.states);
        let pose = self.evaluator.pose();
        let mut jacobian = Matrix::zeros(m, n);
        for row in 0..m {
            let entries = &pose.constraint_jacobian[row * n..(row + 1) * n];
            jacobian.row_mut(row).copy_from_slice(entries);
        }
        jacobian
    }

    /// Names dependent constraints; returns the rank of Φq.
    fn examine_constraints(&mut self, q: &[f64], v: &[f64], assembled: bool) -> usize {
        let factored = RowSpace::of(&self.jacobian(q, v));
        // the state was written down for Φq
        let residual = self.evaluator.pose().constraints.to_vec();
        let system = self.system;
        let name = |at: usize| system.constraints[at].name.clone();
        let mut found = Vec::new();
        let dependent = factored.dependent();
        let singular = !dependent.is_empty()
            && assembled
            && self.rank_nearby(q, v, &factored) > factored.rank();
        for (row, combination) in dependent {
            let others: Vec<String> = combination.iter().map(|&(other, _)| name(other)).collect();
            let constraint = name(row);
            let mismatch = residual[row]
                - combination.iter().map(|&(other, c)| c * residual[other]).sum::<f64>();
            // rows that are parallel at one pose only say nothing about the constraints
            let parallel_elsewhere =
                mismatch.abs() > CONTRADICTION_TOLERANCE && self.stays_dependent(q, v, row);
            found.push(if parallel_elsewhere {
                (FindingKind::Contradictory { constraint, others, mismatch: mismatch.abs() }, false)
            } else if mismatch.abs() > CONTRADICTION_TOLERANCE {
                continue;
            } else if singular {
                (FindingKind::SingularPose { constraint, others }, true)
            } else {
                self.redundant[row] = true;
                combination.iter().for_each(|&(other, _)| self.redundant[other] = true);
                (FindingKind::Redundant { constraint, others }, true)
            });
        }
        self.findings.extend(found.into_iter().map(|(kind, can_run)| Finding { kind, can_run }));
        factored.rank()
    }

    /// Whether a constraint depends on the others at poses around this one, too.
    fn stays_dependent(&mut self, q: &[f64], v: &[f64], row: usize) -> bool {
        [0.31, -0.47, 0.73].iter().all(|&distance| {
            let moved = |(i, q): (usize, &f64)| q + distance * (1.0 + i as f64).sin();
            let pose: Vec<f64> = q.iter().enumerate().map(moved).collect();
            let jacobian = self.jacobian(&pose, v);
            let mut others = Matrix::zeros(jacobian.rows() - 1, jacobian.columns());
            let rows = (0..jacobian.rows()).filter(|&other| other != row);
            for (place, other) in rows.enumerate() {
                others.row_mut(place).copy_from_slice(jacobian.row(other));
            }
            let rank = |matrix: &Matrix| RowSpace::of(matrix).rank();
            jacobian.is_finite() && rank(&others) == rank(&jacobian)
        })
    }

    /// The rank of Φq a little further along the motion: a singular pose is left, redundancy stays.
    fn rank_nearby(&mut self, q: &[f64], v: &[f64], factored: &RowSpace) -> usize {
        let mut best = 0;
        for direction in factored.null_space() {
            let mut start = self.start.clone();
            start.q = q.iter().zip(&direction).map(|(q, d)| q + NEARBY_DISTANCE * d).collect();
            start.q_given.fill(false);
            start.v.fill(0.0);
            start.v_given.fill(false);
            if let Ok(assembly) = assemble_nearby(self.system, &mut self.evaluator, &start) {
                let rank = RowSpace::of(&self.jacobian(&assembly.q, v)).rank();
                best = best.max(rank);
            }
        }
        best
    }

    /// Looks for coordinates without mass, and whether the constraints determine them.
    fn examine_mass(&mut self, q: &[f64], v: &[f64]) {
        let (m, n) = (self.system.constraints.len(), q.len());
        self.evaluator.set_state(self.start.t, q, v, &self.start.states);
        let mass = mass_columns::mass_matrix(&mut self.evaluator);
        let name = |at: usize| self.system.coordinates[at].name.clone();
        if let Some(at) = mass.entries().iter().position(|entry| !entry.is_finite()) {
            let name = format!("the mass of {}", name(at / n));
            self.report(FindingKind::NotFinite { name }, false);
            return;
        }
        let MassSign { negative, massless } = mass_sign(&mass);
        if let Some(at) = negative {
            self.report(FindingKind::NotPositiveMass { coordinate: name(at) }, false);
        }
        if massless.is_empty() {
            return;
        }
        let jacobian = self.jacobian(q, v);
        // where M and Φq vanish together nothing determines the acceleration
        let mut both = Matrix::zeros(n + m, n);
        for row in 0..n {
            both.row_mut(row).copy_from_slice(mass.row(row));
        }
        for row in 0..m {
            both.row_mut(n + row).copy_from_slice(jacobian.row(row));
        }
        let undetermined = RowSpace::of(&both).null_space();
        let saved = undetermined.is_empty();
        let directions = if saved { &massless } else { &undetermined };
        let takes_part =
            |at: usize| directions.iter().any(|d| d[at].abs() > PARTICIPATION_TOLERANCE);
        let coordinates = (0..n).filter(|&at| takes_part(at)).map(name).collect();
        self.report(FindingKind::Massless { coordinates, saved_by_constraints: saved }, saved);
    }
}
