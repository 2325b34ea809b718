//! The tracks of a sketch as functions of a state: what is written down for every frame of a film.

use catena_compile::{Evaluator, Kernel};
use catena_derivation::expressions;
use catena_model::{CoordinateSet, Model, Sketch, System, Track};
use catena_symbolic::{Expr, Formula, Graph};

/// The tracks of a model's sketch, compiled.
pub(crate) struct Tracks {
    pub(crate) sketch: Sketch,
    /// Grew out of that of the equations.
    pub(crate) graph: Graph,
    /// One for each track, in `graph`.
    pub(crate) values: Vec<Expr>,
    /// Which tracks need accelerations or multipliers.
    is_reaction: Vec<bool>,
    /// None where nothing is drawn.
    kernel: Option<Kernel>,
}

impl Tracks {
    pub(crate) fn new(
        model: &Model,
        system: &System,
        set: CoordinateSet,
        evaluator: &Evaluator,
    ) -> Tracks {
        let sketch = model.sketch(set);
        let e = evaluator.equations();
        let mut graph = e.graph.clone();
        let formulas = sketch.tracks.iter().filter_map(|track| match track {
            Track::Formula(formula) => Some(formula),
            Track::Output(_) => None,
        });
        let formulas: Vec<&Formula> = formulas.collect();
        let mut built = expressions(model, system, &mut graph, &formulas).into_iter();
        let output = |name: &String| {
            let at = system.outputs.iter().position(|output| output.name == *name);
            at.map_or(e.time, |at| e.outputs[at])
        };
        let values: Vec<Expr> = sketch
            .tracks
            .iter()
            .map(|track| match track {
                Track::Formula(_) => built.next().unwrap_or(e.time),
                Track::Output(name) => output(name),
            })
            .collect();
        let reactions = [e.accelerations.as_slice(), &e.multipliers].concat();
        let is_reaction: Vec<bool> =
            values.iter().map(|value| graph.depends_on(*value, &reactions)).collect();
        let kernel = (!values.is_empty())
            .then(|| evaluator.functions().compile(&graph, &[("tracks", &values)]));
        Tracks { sketch, graph, values, is_reaction, kernel }
    }

    pub(crate) fn need_reactions(&self) -> bool {
        self.is_reaction.contains(&true)
    }

    /// The values at the state that is written down in the evaluator; those that need reactions which are not known are
    /// not numbers.
    pub(crate) fn at<'a>(
        &'a self,
        evaluator: &'a mut Evaluator,
        has_reactions: bool,
    ) -> impl Iterator<Item = f64> + 'a {
        let values = self.kernel.as_ref().map_or(&[][..], |kernel| evaluator.run(kernel));
        values.iter().zip(&self.is_reaction).map(move |(value, is_reaction)| {
            let is_known = has_reactions || !is_reaction;
            if is_known { *value } else { f64::NAN }
        })
    }
}
