//! The derivation, explained step by step.

use crate::extent::Extent;
use crate::present::Presenter;
use crate::statements::{
    column, column_statements, decimals, introduced, matrix_statements, name, plain, plural,
    written, zero,
};
use crate::steps::{Derivation, Statement, Step};
use crate::terms::sort_terms;
use crate::{Agreement, CheckError, Equations, legend};
use catena_model::{Model, NamedFormula, Role, System};
use catena_symbolic::{Expr, Notation, Number, primed};
use rustc_hash::FxHashSet;

/// Writes the derivation of a system down, with the figures of its check. What is written is
/// compared with what was derived: a simplification that changed a value is an error.
pub fn explain(
    model: &Model,
    system: &System,
    equations: &Equations,
    extent: Extent,
    agreement: Option<Agreement>,
) -> Result<Derivation, CheckError> {
    let (rows, columns) =
        (extent.of(system.constraints.len()), extent.of(system.coordinates.len()));
    let mut teller = Teller {
        system,
        equations,
        extent,
        coordinates: columns,
        constraints: rows,
        presenter: Presenter::new(equations, system),
        steps: Vec::new(),
    };
    let mass_matrix = teller.matrix(columns, columns, |i, j| equations.mass(i, j));
    let forces = teller.vector(&equations.forces[..columns]);
    let jacobian = |i: usize, j: usize| {
        let entries = &equations.constraint_jacobian.entries;
        let found = entries.binary_search_by_key(&(i, j), |&(row, column, _)| (row, column));
        found.ok().map(|at| entries[at].2)
    };
    let constraint_jacobian = teller.matrix(rows, columns, jacobian);
    let constraint_rate = teller.vector(&equations.constraint_rate[..rows]);
    let gamma = teller.vector(&equations.gamma[..rows]);
    let rates = teller.vector(&equations.state_rates);
    teller.tell_given();
    if columns > 0 {
        teller.tell_momenta();
        teller.tell_slopes();
        teller.tell_lagrange();
        teller.tell_matrices(&mass_matrix, &forces);
        teller.tell_sorted();
    }
    if rows > 0 {
        teller.tell_constraints(&constraint_jacobian, &constraint_rate, &gamma);
    }
    teller.tell_system(&rates);
    let printed = teller.presenter.verify()?;
    let agreement = agreement.map(|agreement| Agreement { printed, ..agreement });
    let names = system.states.iter().map(|state| state.name.clone());
    let decimals = decimals(system);
    let as_written = |notation: Notation| notation.with_decimals(&decimals);
    let all = |list: Vec<Notation>| -> Vec<Notation> { list.into_iter().map(as_written).collect() };
    let mut steps = teller.steps;
    for statement in steps.iter_mut().flat_map(|step| &mut step.statements) {
        let notation = std::mem::replace(&mut statement.notation, Notation::Elided);
        statement.notation = as_written(notation);
    }
    Ok(Derivation {
        title: model.title.clone(),
        description: model.description.clone(),
        steps,
        coordinate_legend: legend::coordinates(system, equations, columns),
        parameter_legend: legend::parameters(model, system),
        coordinates: system.coordinates.iter().map(|c| c.name.clone()).collect(),
        mass_matrix: mass_matrix.into_iter().map(all).collect(),
        forces: all(forces),
        constraint_names: system.constraints.iter().map(|c| c.name.clone()).collect(),
        constraints: written(&system.constraints[..rows]),
        constraint_jacobian: constraint_jacobian.into_iter().map(all).collect(),
        constraint_rate: all(constraint_rate),
        gamma: all(gamma),
        states: names.zip(all(rates)).collect(),
        agreement,
    })
}

struct Teller<'a> {
    system: &'a System,
    equations: &'a Equations,
    extent: Extent,
    /// How many coordinates are written out.
    coordinates: usize,
    /// How many constraints are written out.
    constraints: usize,
    presenter: Presenter,
    steps: Vec<Step>,
}

impl Teller<'_> {
    fn matrix(
        &mut self,
        rows: usize,
        columns: usize,
        entry: impl Fn(usize, usize) -> Option<Expr>,
    ) -> Vec<Vec<Notation>> {
        let mut matrix = vec![vec![zero(); columns]; rows];
        for i in 0..rows {
            for j in 0..columns {
                if let Some(expr) = entry(i, j) {
                    matrix[i][j] = self.presenter.notation(expr);
                }
            }
        }
        matrix
    }

    fn vector(&mut self, entries: &[Expr]) -> Vec<Notation> {
        entries.iter().map(|&entry| self.presenter.notation(entry)).collect()
    }

    fn step(&mut self, title: &str, explanation: String, statements: Vec<Statement>) {
        self.steps.push(Step {
            number: self.steps.len() + 1,
            title: title.to_owned(),
            explanation,
            statements,
        });
    }

    /// Says of a matrix or column that it is the leading part of a larger one.
    fn leading(&self, mut statements: Vec<Statement>) -> Vec<Statement> {
        if self.coordinates < self.system.coordinates.len()
            && let Some(first) = statements.first_mut()
        {
            let more = if first.text.is_empty() { "" } else { "; " };
            first.text = format!("up to index {}{more}{}", self.coordinates, first.text);
        }
        statements
    }

    fn coordinate(&self, i: usize, primes: usize) -> Notation {
        Notation::Name(primed(&self.system.coordinates[i].name, primes))
    }

    /// The vector of all coordinates, as a letter.
    fn letter(&self, primes: usize) -> Notation {
        Notation::Name(primed("q", primes))
    }

    fn tell_given(&mut self) {
        let system = self.system;
        let mut statements = Vec::new();
        let mut intro = "With the definitions";
        let used = self.used_definitions();
        let shown = self.extent.of_definitions(used.len(), system.coordinates.len());
        for definition in &used[..shown] {
            let equation = name(&definition.name).equals(Notation::of_formula(&definition.formula));
            statements.push(introduced(std::mem::take(&mut intro), equation));
        }
        let energies = [
            ("kinetic energy", "T", &system.kinetic),
            ("potential energy", "V", &system.potential),
            ("Rayleigh's dissipation function", "D", &system.dissipation),
        ];
        for (text, letter, entry) in energies {
            if let Some(entry) = entry {
                let equation = name(letter).equals(Notation::of_formula(&entry.formula));
                statements.push(introduced(text, equation));
            }
        }
        for force in &system.forces {
            let letter = Notation::indexed(name("F"), name(&force.name));
            let equation = letter.equals(Notation::of_formula(&force.formula));
            statements.push(introduced("applied force", equation));
        }
        let explanation = match (system.coordinates.len(), system.states.len()) {
            (0, states) => format!(
                "The model has {states} first-order state{} and no coordinates: there is nothing to \
                 derive, its equations are given.",
                plural(states)
            ),
            (n, _) => format!(
                "The position of the system is described by {n} coordinate{}. Everything else \
                 follows from the energies written in them. A dot means the rate of change in time; \
                 the dot of a definition is its total derivative, by the chain rule.{}{}",
                plural(n),
                if self.coordinates < n {
                    format!(
                        " What follows is written out for the first {} of them; as JSON it is \
                         complete.",
                        self.coordinates
                    )
                } else {
                    String::new()
                },
                if system.forces.iter().any(|force| self.acts_on_definition(force)) {
                    " A force on a definition acts on every coordinate as far as it moves the \
                     definition: as F times the partial derivative."
                } else {
                    ""
                }
            ),
        };
        self.step("What is given", explanation, statements);
    }

    fn acts_on_definition(&self, force: &NamedFormula) -> bool {
        matches!(self.system.names.role(&force.name), Some(Role::Definition(_)))
    }

    /// Definitions that the equations need; others serve drawings and outputs.
    fn used_definitions(&self) -> Vec<&NamedFormula> {
        let system = self.system;
        let energies = [&system.kinetic, &system.potential, &system.dissipation];
        let mut names: FxHashSet<&str> = FxHashSet::default();
        let mut formulas = energies.into_iter().flatten().collect::<Vec<&NamedFormula>>();
        formulas.extend(system.forces.iter().chain(&system.constraints).chain(&system.states));
        for entry in formulas {
            names.extend(entry.formula.names().map(|(name, _, _)| name));
        }
        // a force may act on a definition that nothing else uses
        names.extend(system.forces.iter().map(|force| force.name.as_str()));
        let mut used = Vec::new();
        // a definition uses earlier ones only, so one pass backwards finds them all
        for definition in system.definitions.iter().rev() {
            if names.contains(definition.name.as_str()) {
                names.extend(definition.formula.names().map(|(name, _, _)| name));
                used.push(definition);
            }
        }
        used.reverse();
        used
    }

    fn tell_momenta(&mut self) {
        let momenta = self.vector(&self.equations.momenta[..self.coordinates]);
        let mut statements = Vec::new();
        for (i, momentum) in momenta.into_iter().enumerate() {
            let left = name("T").partial(self.coordinate(i, 1));
            statements.push(plain(left.equals(momentum)));
        }
        let explanation =
            "The derivative of the kinetic energy by a velocity is the momentum that \
             belongs to this coordinate. Positions are held fixed while the velocities vary."
                .to_owned();
        self.step("Momenta", explanation, statements);

        let mut statements = Vec::new();
        for i in 0..self.coordinates {
            let rate = self.momentum_rate(i);
            let rate = self.presenter.notation(rate);
            let left = name("T").partial(self.coordinate(i, 1));
            let left = Notation::TimeDerivative(Box::new(left));
            statements.push(plain(left.equals(rate)));
        }
        let explanation =
            "Now the momenta change along the motion: positions, velocities and, where \
             it appears, time itself all vary. The accelerations enter here, and only linearly."
                .to_owned();
        self.step("Their rates of change", explanation, statements);
    }

    /// d/dt ∂T/∂v as a directional derivative along the whole motion.
    fn momentum_rate(&mut self, i: usize) -> Expr {
        let e = self.equations;
        let graph = &mut self.presenter.graph;
        let one = graph.number(Number::ONE);
        let mut seeds: Vec<(Expr, Expr)> = vec![(e.time, one)];
        seeds.extend(e.coordinates.iter().copied().zip(e.velocities.iter().copied()));
        seeds.extend(e.velocities.iter().copied().zip(e.accelerations.iter().copied()));
        graph.directional(&[e.momenta[i]], &seeds)[0]
    }

    fn tell_slopes(&mut self) {
        let e = self.equations;
        let kinds = [("T", e.kinetic, 0), ("V", e.potential, 0), ("D", e.dissipation, 1)];
        let mut statements = Vec::new();
        for (letter, energy, primes) in kinds {
            let symbols = if primes == 0 { &e.coordinates } else { &e.velocities };
            let slopes = self.presenter.graph.gradient(energy, symbols);
            let slopes = self.vector(&slopes[..self.coordinates]);
            for (i, slope) in slopes.into_iter().enumerate() {
                if !slope.is_zero() {
                    let left = name(letter).partial(self.coordinate(i, primes));
                    statements.push(plain(left.equals(slope)));
                }
            }
        }
        let dissipation = if self.system.dissipation.is_some() {
            ", and of Rayleigh's function by the velocities, which gives the friction"
        } else {
            ""
        };
        let explanation = format!(
            "The other parts of Lagrange's equations: the slopes of the energies by the \
             coordinates{dissipation}. Those that are not listed are zero."
        );
        if !statements.is_empty() {
            self.step("Slopes of the energies", explanation, statements);
        }
    }

    fn tell_lagrange(&mut self) {
        let e = self.equations;
        let q = self.letter(0);
        let mut terms = vec![
            Notation::TimeDerivative(Box::new(name("T").partial(self.letter(1)))),
            Notation::Negative(Box::new(name("T").partial(q.clone()))),
            name("V").partial(q.clone()),
        ];
        if self.system.dissipation.is_some() {
            terms.push(name("D").partial(self.letter(1)));
        }
        let constrained = !self.system.constraints.is_empty();
        if constrained {
            let transposed = Notation::Transposed(Box::new(name("Phi").indexed(q)));
            terms.push(Notation::Product(vec![transposed, name("lambda")]));
        }
        let right = if self.system.forces.is_empty() { zero() } else { name("F") };
        let mut statements = vec![introduced("in general", Notation::Sum(terms).equals(right))];
        for i in 0..self.coordinates {
            let graph = &mut self.presenter.graph;
            let mut inertia = graph.zero();
            for (j, &acceleration) in e.accelerations.iter().enumerate() {
                if let Some(entry) = e.mass(i, j) {
                    let product = graph.mul(entry, acceleration);
                    inertia = graph.add(inertia, product);
                }
            }
            let mut left = graph.sub(inertia, e.forces[i]);
            for &(row, column, entry) in &e.constraint_jacobian.entries {
                if column == i {
                    let force = graph.mul(entry, e.multipliers[row]);
                    left = graph.add(left, force);
                }
            }
            let left = self.presenter.notation(left);
            statements.push(plain(left.equals(zero())));
        }
        let explanation = format!(
            "Lagrange's equations put the parts together, one equation for each coordinate.{}",
            if constrained {
                " Every constraint adds a force along its own gradient, of unknown size λ: the \
                 multiplier. The constraint's force on the coordinates is −Φqᵀλ."
            } else {
                ""
            }
        );
        self.step("Lagrange's equations", explanation, statements);
    }

    fn tell_matrices(&mut self, mass_matrix: &[Vec<Notation>], forces: &[Notation]) {
        let mut statements = self.leading(matrix_statements(name("M"), mass_matrix));
        statements.extend(self.leading(column_statements(name("Q"), forces)));
        let explanation = "The factors of the accelerations form the mass matrix M, which is \
             symmetric. Everything else that is not a constraint's force goes to the right side, \
             into Q: gravity, friction, applied forces, and the forces of inertia that come from \
             velocities."
            .to_owned();
        self.step("Mass matrix and forces", explanation, statements);
    }

    /// M q̈ + N q̇² + R q̇ + P + f = 0, where the terms allow it.
    fn tell_sorted(&mut self) {
        let rows = self.coordinates;
        let Some(sorted) = sort_terms(&mut self.presenter, self.equations, rows) else { return };
        let graph = &self.presenter.graph;
        let any = |rows: &[Vec<Expr>]| rows.iter().flatten().any(|&entry| !graph.is_zero(entry));
        let (quadratic, linear) = (any(&sorted.quadratic), any(&sorted.linear));
        if !quadratic && !linear {
            return;
        }
        let product = |matrix: &str, vector| Notation::Product(vec![name(matrix), vector]);
        let mut terms = vec![product("M", self.letter(2))];
        let mut statements = Vec::new();
        let n = self.coordinates;
        if quadratic {
            let square = Notation::Power(
                Box::new(self.letter(1)),
                Box::new(Notation::Number(Number::from(2))),
            );
            terms.push(product("N", square));
            let entries = self.matrix(n, n, |i, j| Some(sorted.quadratic[i][j]));
            statements.extend(self.leading(matrix_statements(name("N"), &entries)));
        }
        if linear {
            terms.push(product("R", self.letter(1)));
            let entries = self.matrix(n, n, |i, j| Some(sorted.linear[i][j]));
            statements.extend(self.leading(matrix_statements(name("R"), &entries)));
        }
        for (letter, part) in [("P", &sorted.static_part), ("f", &sorted.timed)] {
            if part.iter().any(|&entry| !self.presenter.graph.is_zero(entry)) {
                terms.push(name(letter));
                let entries = self.vector(part);
                statements.extend(self.leading(column_statements(name(letter), &entries)));
            }
        }
        if !self.system.constraints.is_empty() {
            let transposed = Notation::Transposed(Box::new(name("Phi").indexed(self.letter(0))));
            terms.push(Notation::Product(vec![transposed, name("lambda")]));
        }
        statements.insert(0, plain(Notation::Sum(terms).equals(zero())));
        let explanation =
            "The same equations with −Q sorted by kind: N goes with the squares of the \
             velocities (centrifugal forces), R with the velocities (friction), P depends on the \
             position alone (gravity, springs), f on time as well (the drive). The square is taken \
             entry by entry."
                .to_owned();
        self.step("Sorted by kind", explanation, statements);
    }

    fn tell_constraints(
        &mut self,
        jacobian: &[Vec<Notation>],
        rate: &[Notation],
        gamma: &[Notation],
    ) {
        let (q, v, a) = (self.letter(0), self.letter(1), self.letter(2));
        let phi = || name("Phi");
        let of = |letter: Notation, index: Notation| letter.indexed(index);
        let moving = rate.iter().any(|entry| !entry.is_zero());
        let constraints = written(&self.system.constraints[..self.constraints]);
        let mut statements = self.leading(column_statements(phi(), &constraints));
        statements.extend(self.leading(matrix_statements(of(phi(), q.clone()), jacobian)));
        if moving {
            statements.extend(self.leading(column_statements(of(phi(), name("t")), rate)));
        }
        let product = |factors: Vec<Notation>| Notation::Product(factors);
        let curved = of(product(vec![of(phi(), q.clone()), v.clone()]), q.clone());
        let (mixed, twice) = (of(phi(), name("qt")), of(phi(), name("tt")));
        let general = name("gamma").equals(Notation::Sum(vec![
            Notation::Negative(Box::new(product(vec![curved, v.clone()]))),
            Notation::Negative(Box::new(product(vec![
                Notation::Number(Number::from(2)),
                mixed,
                v,
            ]))),
            Notation::Negative(Box::new(twice)),
        ]));
        statements.push(introduced("in general", general));
        statements.extend(self.leading(column_statements(name("gamma"), gamma)));
        let acceleration = product(vec![of(phi(), q), a]).equals(name("gamma"));
        statements.push(introduced("so that", acceleration));
        let explanation = format!(
            "The constraints Φ = 0 hold at all times, so their derivatives vanish too. Φq is the \
             derivative by the coordinates; a second derivative in time leaves Φq q̈ on the left and \
             γ on the right.{}",
            if moving {
                " Time appears in the constraints, so Φt is not zero; the mixed term counts twice, \
                 because position and time each change while the other one does."
            } else {
                " Time does not appear in them, so only the first part of γ is not zero."
            }
        );
        self.step("Constraints", explanation, statements);
    }

    fn tell_system(&mut self, rates: &[Notation]) {
        let (n, m) = (self.system.coordinates.len(), self.system.constraints.len());
        let mut statements = Vec::new();
        let (mass, acceleration, force) = (name("M"), self.letter(2), name("Q"));
        let mut explanation = String::new();
        if n > 0 && m == 0 {
            statements.push(plain(Notation::Product(vec![mass, acceleration]).equals(force)));
            explanation = format!(
                "At every instant {n} linear equation{} give{} the accelerations; an integrator turns \
                 them into motion.",
                plural(n),
                if n == 1 { "s" } else { "" }
            );
        } else if n > 0 {
            let jacobian = name("Phi").indexed(self.letter(0));
            let transposed = Notation::Transposed(Box::new(jacobian.clone()));
            let matrix = Notation::Matrix(vec![vec![mass, transposed], vec![jacobian, zero()]]);
            let unknowns = column(vec![acceleration, name("lambda")]);
            let right = column(vec![force, name("gamma")]);
            statements.push(plain(Notation::Product(vec![matrix, unknowns]).equals(right)));
            explanation = format!(
                "Equations of motion and constraints together: {} linear equations for {n} \
                 accelerations and {m} multipliers, solved at every instant.",
                n + m
            );
        }
        for (state, rate) in self.system.states.iter().zip(rates) {
            statements.push(plain(Notation::Name(primed(&state.name, 1)).equals(rate.clone())));
        }
        if !self.system.states.is_empty() {
            explanation += " The first-order states follow their own equations.";
        }
        self.step("The system that is solved", explanation.trim().to_owned(), statements);
    }
}
