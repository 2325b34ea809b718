//! Loop closure of a mechanism: constraints that the tree does not keep by itself, closed by multipliers.
//!
//! # Equations
//! With the tree's answer $A^{-1}$ to forces on its bodies, found by recursion, and the rows G of Φq that
//! belong to the cut constraints,
//! $$(GA^{-1}G^T)\lambda = Ga_0 - g,\qquad a = a_0 - A^{-1}G^T\lambda$$
//! gives $Ga=g$, where $a_0$ is the motion of the open tree. Entries of the matrix follow from the ways of
//! the unit forces of the cuts to the roots alone, see [`TreeRecursion::follow`]. Two cuts have an entry in the
//! matrix only where they touch trees with the same root, and its rows begin at the first such cut: the cost of a
//! row of loops, each tied to the next one, grows like their number. Where cuts are redundant in every pose
//! ([`StructuralRank`]), or nearly so in a flat one, λ is the shortest, found without a threshold ([`Semidefinite`]); a
//! cut that the tree keeps anyway has none.

use crate::input::not_finite;
use crate::solvers::occurrences::{Occurrences, remark_of_redundancy};
use crate::solvers::structural_rank::StructuralRank;
use crate::solvers::unrolled::NEARLY_SINGULAR_TOLERANCE;
use crate::tree::coordinates::TreeCoordinates;
use crate::tree::planar::{Three, inner};
use crate::tree::recursion::TreeRecursion;
use crate::{Breakdown, FormulationInput};
use catena_linear::{Matrix, RowSpace, Semidefinite, Skyline, ldlt};
use std::sync::Arc;

/// A cut moves the tree less than this part of what it would move its bodies alone: the tree keeps it.
const KEPT_BY_TREE_TOLERANCE: f64 = 1e-12;
/// ε relative to that of systems with all constraints: bodies that hang on others yield less to the force of a cut than
/// alone, which is what it is measured by.
const REGULARISATION_OF_CUTS: f64 = 3.0;
/// Cuts that were taken for redundant are not, if the coupling matrix holds them with this part of its diagonal.
const MAX_HOLD_OF_REDUNDANT: f64 = 1e-4;

/// Where a pivot falls below this part of its entry a singular pose may be ahead. The forces of cuts still have all their
/// digits, so that a motion does not show from which evaluation on it is prepared.
const SINGULAR_POSE_AHEAD: f64 = 1e-3;

/// An entry of G: the place of the body in the tree, its axis, and where both are in lists by body.
#[derive(Clone, Copy, Debug)]
struct Slope {
    place: usize,
    axis: usize,
    column: usize,
    /// What the body alone answers to a unit force, 0 if it has no mass.
    lightness: f64,
}

/// A constraint that is not kept by the tree.
#[derive(Clone, Debug)]
struct CutConstraint {
    /// Its entries of G are those with these numbers.
    slopes: std::ops::Range<usize>,
    /// From the bodies it touches to the roots, children first.
    path: Vec<usize>,
    /// Where the path begins in the list of all paths.
    first: usize,
    /// The cuts up to this one that answer to it.
    coupled: Vec<usize>,
    /// Whether the tree keeps it, in the pose that was factored last.
    is_kept: bool,
}

impl CutConstraint {
    /// Its entries of G.
    fn entries<'a>(
        &self,
        slopes: &'a [Slope],
        values: &'a [f64],
    ) -> impl Iterator<Item = (&'a Slope, f64)> + use<'a> {
        let entries = self.slopes.clone();
        slopes[entries.clone()].iter().zip(values[entries].iter().copied())
    }
}

/// The cut constraints with the matrix that couples them.
#[derive(Clone)]
pub(crate) struct LoopClosure {
    cuts: Vec<CutConstraint>,
    slopes: Vec<Slope>,
    /// Their places among the constraints of the model.
    pub(crate) constraints: Vec<usize>,
    /// G, entry by entry.
    pub(crate) values: Vec<f64>,
    /// GA⁻¹Gᵀ
    coupling: Skyline,
    /// The same where it is singular, or nearly.
    semidefinite: Semidefinite,
    /// Whether that was so when it was factored last.
    is_semidefinite: bool,
    /// What is known about the rank of this motion's constraints.
    rank: Option<Arc<StructuralRank>>,
    /// Whether this motion came near a singular pose, in which cuts are dependent that are not so elsewhere.
    pub(crate) has_met_singular_pose: bool,
    /// The right side, then λ.
    pub(crate) multipliers: Vec<f64>,
    /// What the diagonal entries of the coupling matrix would be if the bodies of the cuts were alone.
    scales: Vec<f64>,
    /// What the unit force of each cut is along its path, and for one of them that divided by the
    /// inertia, body by body, 0 off its path.
    along: Vec<Three>,
    scaled: Vec<Three>,
    /// Poses in which constraints were dependent that are not so elsewhere.
    dependent: Occurrences,
    /// Constraints that follow from others, everywhere or in the first such pose, quoted.
    followers: Vec<String>,
}

impl LoopClosure {
    /// For constraints of the model with the columns of their entries in Φq, and mass and moment of
    /// inertia of every body.
    pub(crate) fn new(
        tree: &TreeCoordinates,
        masses: &[[f64; 2]],
        cuts: &[(usize, Vec<usize>)],
    ) -> LoopClosure {
        let count = tree.bodies.len();
        let (mut places, mut parents) = (vec![0; count], vec![None; count]);
        for (place, body) in tree.bodies.iter().enumerate() {
            places[body.body] = place;
            parents[place] = body.parent.map(|parent| places[parent]);
        }
        // neighbours side by side, whatever the order of the file
        let mut cuts: Vec<&(usize, Vec<usize>)> = cuts.iter().collect();
        cuts.sort_by_key(|(_, columns)| {
            let touched = columns.iter().map(|column| places[column / 3]);
            with_ancestors(touched, &parents).last().copied()
        });
        let (mut slopes, mut listed, mut steps) = (Vec::new(), Vec::<CutConstraint>::new(), 0);
        for (_, columns) in &cuts {
            let begin = slopes.len();
            slopes.extend(columns.iter().map(|&column| Slope {
                place: places[column / 3],
                axis: column % 3,
                column,
                lightness: lightness(masses[column / 3][column % 3 / 2]),
            }));
            let touched = slopes[begin..].iter().map(|slope| slope.place);
            listed.push(CutConstraint {
                path: with_ancestors(touched, &parents),
                first: steps,
                slopes: begin..slopes.len(),
                coupled: Vec::new(),
                is_kept: false,
            });
            steps += listed[listed.len() - 1].path.len();
        }
        let touched_roots: Vec<Vec<usize>> = listed
            .iter()
            .map(|cut| cut.path.iter().copied().filter(|&at| parents[at].is_none()).collect())
            .collect();
        for at in 0..listed.len() {
            let meets = |other: &usize| {
                touched_roots[*other].iter().any(|root| touched_roots[at].contains(root))
            };
            let coupled: Vec<usize> = (0..=at).filter(meets).collect();
            listed[at].coupled = coupled;
        }
        let first =
            |(at, cut): (usize, &CutConstraint)| cut.coupled.first().map_or(at, |&other| other);
        let m = listed.len();
        LoopClosure {
            coupling: Skyline::new(listed.iter().enumerate().map(first).collect()),
            cuts: listed,
            values: vec![0.0; slopes.len()],
            slopes,
            constraints: cuts.iter().map(|(constraint, _)| *constraint).collect(),
            semidefinite: Semidefinite::default(),
            is_semidefinite: false,
            rank: None,
            has_met_singular_pose: false,
            multipliers: vec![0.0; m],
            scales: vec![0.0; m],
            along: vec![[0.0; 3]; steps],
            scaled: vec![[0.0; 3]; count],
            dependent: Occurrences::default(),
            followers: Vec::new(),
        }
    }

    /// Whether there is nothing to close.
    pub(crate) fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    /// Refuses entries of G and values of the constraints that are not finite.
    pub(crate) fn check(&self, input: &FormulationInput, values: &[f64]) -> Result<(), Breakdown> {
        let sound = |(cut, value): (&CutConstraint, &f64)| {
            value.is_finite() && self.values[cut.slopes.clone()].iter().all(|g| g.is_finite())
        };
        let broken = self.cuts.iter().zip(values).position(|pair| !sound(pair));
        broken.map_or(Ok(()), |at| {
            let name = &input.constraints[self.constraints[at]..][..1];
            not_finite(&[f64::NAN], name, "the constraint").map_or(Ok(()), Err)
        })
    }

    /// G a, for one cut.
    pub(crate) fn along(&self, cut: usize, a: &[f64]) -> f64 {
        let entries = self.cuts[cut].entries(&self.slopes, &self.values);
        entries.fold(0.0, |sum, (slope, value)| sum + value * a[slope.column])
    }

    /// Takes Gᵀλ off forces on the bodies.
    pub(crate) fn pull(&self, forces: &mut [f64]) {
        for (cut, multiplier) in self.cuts.iter().zip(&self.multipliers) {
            for (slope, value) in cut.entries(&self.slopes, &self.values) {
                forces[slope.column] -= value * multiplier;
            }
        }
    }

    /// Factors the coupling matrix at the pose of a factored recursion.
    pub(crate) fn factor(
        &mut self,
        recursion: &mut TreeRecursion,
        input: &mut FormulationInput,
    ) -> Result<(), Breakdown> {
        self.couple(recursion);
        let any_kept = self.cuts.iter().any(|cut| cut.is_kept);
        let any_redundant = self.rank.as_ref().is_some_and(|rank| !rank.redundant.is_empty());
        let pivot = if any_kept || any_redundant { 0.0 } else { self.factor_plainly() };
        self.is_semidefinite = pivot <= NEARLY_SINGULAR_TOLERANCE;
        if pivot > SINGULAR_POSE_AHEAD {
            return Ok(());
        }
        if self.rank.is_none() {
            self.learn(input);
        }
        if self.is_semidefinite {
            self.couple(recursion);
            self.factor_with_care(input)?;
            if self.semidefinite.hold_on_directions() > MAX_HOLD_OF_REDUNDANT {
                input.reconsider_rank();
                self.learn(input);
                self.factor_with_care(input)?;
            }
        }
        let is_pose = self.rank.as_ref().is_some_and(|rank| rank.redundant.is_empty());
        self.has_met_singular_pose |= is_pose;
        if is_pose && pivot <= 0.0 && self.dependent.record(input.evaluator.time()) {
            self.find_followers(input);
        }
        Ok(())
    }

    /// What elimination leaves of the diagonal, relative to its scale; 0 if that is rounding.
    fn factor_plainly(&mut self) -> f64 {
        if self.coupling.factor().is_err() {
            return 0.0;
        }
        let pivots =
            self.scales.iter().enumerate().map(|(row, scale)| {
                self.coupling.row(row).last().map_or(0.0, |pivot| pivot / scale)
            });
        pivots.fold(f64::INFINITY, f64::min)
    }

    /// Takes over what is known about the rank of the constraints, or finds it out.
    fn learn(&mut self, input: &mut FormulationInput) {
        let rank = input.structural_rank();
        self.followers.clear();
        self.followers.extend(rank.redundant.iter().map(|&row| quoted(input, row)));
        self.rank = Some(rank);
    }

    /// Factors the coupling matrix, singular in as many directions as constraints are redundant, without a threshold.
    fn factor_with_care(&mut self, input: &FormulationInput) -> Result<(), Breakdown> {
        let m = self.cuts.len();
        if self.semidefinite.rows() != m {
            self.semidefinite = Semidefinite::new(m);
        }
        let matrix = self.semidefinite.matrix_mut();
        matrix.fill(0.0);
        for row in 0..m {
            let begin = row * (row + 1) / 2 + self.coupling.first(row);
            let entries = self.coupling.row(row);
            matrix[begin..begin + entries.len()].copy_from_slice(entries);
        }
        let Some(rank) = &self.rank else { return Ok(()) };
        // cuts that the tree keeps are left out already
        let kept = self.cuts.iter().filter(|cut| cut.is_kept).count();
        let directions = rank.redundant.len().saturating_sub(kept);
        self.semidefinite.scales_mut().copy_from_slice(&self.scales);
        let regularisation = REGULARISATION_OF_CUTS * rank.regularisation;
        let factored = self.semidefinite.factor_scaled(directions, regularisation);
        factored.map_err(|ldlt::NotPositive { row }| Breakdown::Singular {
            matrix: "the system of cut constraints",
            cause: format!(
                "nothing answers to a force of {}",
                quoted(input, self.constraints[row])
            ),
        })
    }

    /// Names the cut constraints that follow from others in a pose.
    fn find_followers(&mut self, input: &FormulationInput) {
        let m = self.cuts.len();
        let entries = self.semidefinite.matrix_mut();
        let full = Matrix::from_fn(m, m, |i, j| {
            let (i, j) = (i.max(j), i.min(j));
            entries[i * (i + 1) / 2 + j]
        });
        let rows = RowSpace::of(&full).dependent().into_iter().map(|(row, _)| row);
        self.followers = rows.map(|row| quoted(input, self.constraints[row])).collect();
    }

    fn couple(&mut self, recursion: &mut TreeRecursion) {
        let Self { cuts, slopes, values, coupling, along, scaled, scales, .. } = self;
        for at in 0..cuts.len() {
            let CutConstraint { path, first, coupled, .. } = &cuts[at];
            let entries = || cuts[at].entries(slopes, values);
            let forces = entries().map(|(slope, value)| (slope.place, slope.axis, value));
            let own = *first..first + path.len();
            recursion.follow(path, forces, &mut along[own.clone()]);
            for (&place, along) in path.iter().zip(&along[own]) {
                scaled[place] = recursion.scaled(place, along);
            }
            let answer = |other: &CutConstraint| -> f64 {
                let steps = other.path.iter().zip(&along[other.first..]);
                steps.map(|(&place, along)| inner(*along, scaled[place])).sum()
            };
            let alone: f64 = entries().map(|(slope, g)| g * g * slope.lightness).sum();
            let own = answer(&cuts[at]);
            let is_kept = own <= KEPT_BY_TREE_TOLERANCE * alone;
            scales[at] = own.max(alone);
            let begin = coupling.first(at);
            let row = coupling.row_mut(at);
            row.fill(0.0);
            if !is_kept {
                for &other in coupled.iter().filter(|&&other| other == at || !cuts[other].is_kept) {
                    row[other - begin] = answer(&cuts[other]);
                }
            }
            for &place in path {
                scaled[place] = [0.0; 3];
            }
            cuts[at].is_kept = is_kept;
        }
    }

    /// Turns the right side in `multipliers` into λ.
    pub(crate) fn solve(&mut self) {
        match self.is_semidefinite {
            false => self.coupling.solve(&mut self.multipliers),
            true => self.semidefinite.solve(&mut self.multipliers),
        }
    }

    /// What was unusual so far, in words.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let redundant = self.rank.as_ref().is_some_and(|rank| !rank.redundant.is_empty());
        let remark = match redundant {
            true => Some(remark_of_redundancy(&self.followers)),
            false => self.dependent.remark_of_dependence(&self.followers),
        };
        remark.into_iter().collect()
    }
}

/// A constraint of the model by its name, quoted.
fn quoted(input: &FormulationInput, row: usize) -> String {
    format!("`{}`", input.constraints[row])
}

/// Places and all that they hang on, children first.
fn with_ancestors(places: impl Iterator<Item = usize>, parents: &[Option<usize>]) -> Vec<usize> {
    let mut all: Vec<usize> =
        places.flat_map(|place| std::iter::successors(Some(place), |&at| parents[at])).collect();
    // parents stand before their children
    all.sort_unstable_by(|a, b| b.cmp(a));
    all.dedup();
    all
}

/// The acceleration of a body under a unit force; 0 if it has no mass and cannot be judged alone.
fn lightness(mass: f64) -> f64 {
    if mass > 0.0 { 1.0 / mass } else { 0.0 }
}
