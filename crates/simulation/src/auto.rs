//! What a run takes where nobody names a formulation or an integrator.
//!
//! The rules are data: two lists, each walked in its order, and the first rule that fits decides. They see the structure of
//! a model and what is asked of a run, and nothing has to be derived or compiled for them. What is true only of a motion
//! under way, stiffness above all, is found out there (see `stiff.rs`). `book/methods.md` has the same lists as tables, and
//! a test compares.

use crate::structure::Structure;
use catena_formulation::Entry;
use catena_integrator::Options;
use catena_model::{Model, power_of_ten};

/// The word for the choice by rules, where the name of a method may stand.
pub const AUTO: &str = "auto";

/// The most links of a chain for which the compiled solution of M v̇ = Q is cheaper than the recursion: measured for one
/// motion of rods or bobs and for many in lanes, which change places at the same length.
const MAX_LINKS_OF_MINIMAL: usize = 8;
/// Tolerances below this take the method of order 8: at the same true error it needs as many evaluations as that of
/// order 5 at 1e-5, three quarters at 1e-6 and half at 1e-8 (median over the zoo).
const ORDER_EIGHT_TOLERANCE: f64 = 1e-6;
/// The most radians that springs in the place of constraints may turn through in a run with an explicit method, which
/// takes several steps for each.
const MAX_SPRING_RADIANS: f64 = 1e3;

/// A rule: what it takes, and when. `Seen` is what it looks at.
pub struct Rule<Seen> {
    /// What it is called in the book.
    pub name: &'static str,
    /// When it fits, in words.
    pub when: &'static str,
    /// The name of the method in its catalogue.
    pub takes: &'static str,
    /// Why it fits, with the numbers of the model, as what follows "recursive:"; nothing where it does not fit.
    pub reason: fn(&Seen) -> Option<String>,
}

/// What is asked of the integrator of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Asked {
    /// The larger of rtol and atol: values of the order of 1 are kept to it.
    pub tolerance: f64,
    /// rtol, where it is the smaller one.
    pub smaller_rtol: Option<f64>,
    /// The fixed step, s.
    pub step: Option<f64>,
    /// The angle through which the stiffest springs in the place of constraints turn up to the end of the run, rad; 0
    /// where there are none, or they are not known yet.
    pub spring_radians: f64,
}

impl Asked {
    /// By these options, without springs.
    pub fn new(options: &Options) -> Asked {
        let tolerance = options.rtol.max(options.atol);
        let smaller_rtol = (options.rtol < options.atol).then_some(options.rtol);
        Asked { tolerance, smaller_rtol, step: options.step, spring_radians: 0.0 }
    }

    /// The tolerance in words: who asks for a small rtol alone is told that the other one counts.
    fn tolerance_words(&self) -> String {
        let tolerance = self.tolerance;
        match self.smaller_rtol {
            None => format!("a tolerance of {}", power_of_ten(tolerance)),
            Some(rtol) => format!(
                "atol is {}, which counts more than rtol, {}",
                power_of_ten(tolerance),
                power_of_ten(rtol)
            ),
        }
    }
}

/// A method that rules have taken.
pub struct Choice<Method: 'static> {
    /// Its row in the catalogue.
    pub entry: &'static Method,
    /// Its name and why it was taken: "recursive: a chain of 1000 links without loops".
    pub reason: String,
}

/// What rules have taken for a run, each with its reason; nothing where a method was named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automatic {
    /// Why the formulation was taken.
    pub formulation: Option<String>,
    /// Why the integrator was taken. Such a run may go on with another one.
    pub integrator: Option<String>,
}

impl Automatic {
    pub(crate) fn take_formulation(&mut self, choice: Choice<Entry>) -> &'static Entry {
        self.formulation = Some(choice.reason);
        choice.entry
    }

    pub(crate) fn take_integrator(
        &mut self,
        choice: Choice<catena_integrator::Entry>,
    ) -> &'static catena_integrator::Entry {
        self.integrator = Some(choice.reason);
        choice.entry
    }

    /// The reasons, that of the integrator as it came out under way.
    pub(crate) fn reasons(&self, under_way: Option<String>) -> Vec<String> {
        let integrator = under_way.or_else(|| self.integrator.clone());
        self.formulation.iter().cloned().chain(integrator).collect()
    }
}

/// How a formulation is taken. The last rule fits every model.
pub static FORMULATION_RULES: &[Rule<Structure>] = &[
    Rule {
        name: "states alone",
        when: "no coordinates, first-order states alone",
        takes: "minimal",
        reason: |s| (s.coordinates == 0).then(|| "first-order states alone".to_owned()),
    },
    Rule {
        name: "long chain",
        when: "a chain without constraints, of more than 8 links",
        takes: "recursive",
        reason: |s| {
            let long = s.constraints == 0 && s.links > MAX_LINKS_OF_MINIMAL;
            long.then(|| format!("a chain of {} links without loops", s.links))
        },
    },
    Rule {
        name: "no constraints",
        when: "no constraints",
        takes: "minimal",
        reason: |s| {
            let what = match s.links {
                0 => counted(s.coordinates, "coordinate"),
                links => format!("a chain of {}", counted(links, "link")),
            };
            (s.constraints == 0).then(|| format!("{what} without constraints"))
        },
    },
    Rule {
        name: "light bodies",
        when: "bodies and joints, and a body that has no mass or no moment of inertia",
        takes: "projection",
        reason: |s| {
            let bodies = counted(s.light_bodies, "body");
            (s.light_bodies > 0).then(|| format!("{bodies} without mass or moment of inertia"))
        },
    },
    Rule {
        name: "tree of bodies",
        when: "bodies and joints without loops",
        takes: "recursive",
        reason: |s| {
            let open = s.bodies > 0 && s.loop_constraints == 0;
            open.then(|| format!("a tree of {} without loops", counted(s.bodies, "body")))
        },
    },
    Rule {
        name: "loops of bodies",
        when: "bodies and joints with loops, motors or constraints",
        takes: "recursive",
        reason: |s| {
            let constraints = counted(s.loop_constraints, "constraint");
            (s.bodies > 0).then(|| {
                let bodies = counted(s.bodies, "body");
                format!("{bodies} in joint coordinates, {constraints} left to close loops")
            })
        },
    },
    Rule {
        name: "constraints",
        when: "any other constraints",
        takes: "projection",
        reason: |s| {
            let constraints = counted(s.constraints, "constraint");
            Some(format!("{constraints}, kept in positions and velocities"))
        },
    },
];

/// How an integrator is taken. The last rule fits every run.
pub static INTEGRATOR_RULES: &[Rule<Asked>] = &[
    Rule {
        name: "fixed steps",
        when: "a step is given",
        takes: "dopri5",
        reason: |asked| asked.step.map(|step| format!("fixed steps of {step} s")),
    },
    Rule {
        name: "stiff springs",
        when: "springs in the place of constraints (`penalty`) that turn through more than 1e3 rad up to the end",
        takes: "radau5",
        reason: |asked| {
            let radians = asked.spring_radians;
            (radians > MAX_SPRING_RADIANS).then(|| {
                format!("springs in the place of constraints turn through {radians:.1e} rad")
            })
        },
    },
    Rule {
        name: "tight tolerance",
        when: "rtol and atol below 1e-6",
        takes: "dop853",
        reason: |asked| (asked.tolerance < ORDER_EIGHT_TOLERANCE).then(|| asked.tolerance_words()),
    },
    Rule {
        name: "loose tolerance",
        when: "any other tolerance",
        takes: "dopri5",
        reason: |asked| Some(asked.tolerance_words()),
    },
];

/// Who takes over where the formulation taken by rules does not get through: every stage of its steps lies on the
/// constraints, so that it passes singular poses that stop others.
const SECOND_FORMULATION: &str = "coordinate-partitioning";

/// The formulation to try where the one taken by rules stopped, if there is another.
pub(crate) fn second_formulation(model: &Model) -> Option<&'static Entry> {
    let second = catena_formulation::find(SECOND_FORMULATION)?;
    (second.refuses)(model).is_none().then_some(second)
}

/// The formulation of a model.
pub fn formulation_of_model(model: &Model) -> Choice<Entry> {
    let (rule, reason) = first_fit(FORMULATION_RULES, &Structure::new(model));
    let entry = catena_formulation::find(rule.takes).expect("rules take what the catalogue has");
    Choice { entry, reason }
}

/// The formulation that mechanisms take with integrators that sum power series: the recursion of bodies is a loop.
const FORMULATION_WITH_SERIES: &str = "projection";

/// The formulation of a model that this integrator is to move.
pub(crate) fn formulation_for(
    model: &Model,
    integrator: &catena_integrator::Entry,
) -> Choice<Entry> {
    let structure = Structure::new(model);
    if !integrator.needs_series || structure.bodies == 0 {
        return formulation_of_model(model);
    }
    let entry = catena_formulation::find(FORMULATION_WITH_SERIES).expect("the catalogue has it");
    let reason = format!("its equations have the power series that {} sums", integrator.name);
    Choice { entry, reason: format!("{}: {reason}", entry.name) }
}

/// The integrator of a run of which this is asked.
pub fn integrator_of_run(asked: &Asked) -> Choice<catena_integrator::Entry> {
    let (rule, reason) = first_fit(INTEGRATOR_RULES, asked);
    let entry = catena_integrator::find(rule.takes).expect("rules take what the catalogue has");
    Choice { entry, reason }
}

/// The first rule that fits, and the method with the reason.
fn first_fit<'a, Seen>(rules: &'a [Rule<Seen>], seen: &Seen) -> (&'a Rule<Seen>, String) {
    let fit = rules.iter().find_map(|rule| Some((rule, (rule.reason)(seen)?)));
    let (rule, reason) = fit.expect("the last rule fits always");
    (rule, format!("{}: {reason}", rule.takes))
}

/// "1 body", "3 bodies"
fn counted(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of the table in the section of the book with this heading.
    fn rows_of_book(heading: &str) -> Vec<[String; 3]> {
        let page = include_str!("../../../book/methods.md");
        let section = page.split("\n#").find(|section| section.contains(heading));
        let rows = section.expect("the heading is there").lines().filter_map(|line| {
            let cells: Vec<&str> = line.strip_prefix("| ")?.split('|').map(str::trim).collect();
            let cell = |at: usize| cells.get(at).map(ToString::to_string);
            Some([cell(0)?, cell(1)?, cell(2)?])
        });
        rows.filter(|[name, ..]| name != "rule").collect()
    }

    fn rows_of_code<Seen>(rules: &[Rule<Seen>]) -> Vec<[String; 3]> {
        let row = |rule: &Rule<Seen>| {
            [rule.name.to_owned(), rule.when.to_owned(), format!("`{}`", rule.takes)]
        };
        rules.iter().map(row).collect()
    }

    #[test]
    fn the_tables_of_the_book_are_the_rules() {
        assert_eq!(rows_of_book("How `auto` takes a formulation"), rows_of_code(FORMULATION_RULES));
        assert_eq!(rows_of_book("How `auto` takes an integrator"), rows_of_code(INTEGRATOR_RULES));
    }

    #[test]
    fn numbers_in_the_words_of_rules_are_those_of_the_code() {
        let when = |name: &str| {
            let formulations = FORMULATION_RULES.iter().map(|rule| (rule.name, rule.when));
            let integrators = INTEGRATOR_RULES.iter().map(|rule| (rule.name, rule.when));
            let found = formulations.chain(integrators).find(|row| row.0 == name);
            found.expect("a rule has this name").1
        };
        let chain = format!("more than {MAX_LINKS_OF_MINIMAL} links");
        assert!(when("long chain").ends_with(&chain));
        let springs = format!("more than {MAX_SPRING_RADIANS:e} rad up to the end");
        assert!(when("stiff springs").ends_with(&springs));
        assert!(when("tight tolerance").ends_with(&format!("below {ORDER_EIGHT_TOLERANCE:e}")));
    }

    #[test]
    fn every_rule_takes_a_method_that_exists() {
        for rule in FORMULATION_RULES {
            assert!(catena_formulation::find(rule.takes).is_some(), "{}", rule.name);
        }
        for rule in INTEGRATOR_RULES {
            assert!(catena_integrator::find(rule.takes).is_some(), "{}", rule.name);
        }
    }

    #[test]
    fn the_looser_tolerance_decides() {
        let taken = |rtol: f64, atol: f64| {
            let options = Options { rtol, atol, ..Options::default() };
            integrator_of_run(&Asked::new(&options)).entry.name
        };
        assert_eq!(taken(1e-6, 1e-9), "dopri5");
        assert_eq!(taken(1e-12, 1e-12), "dop853");
        assert_eq!(taken(1e-12, 1e-6), "dopri5");
        let reason = |rtol: f64, atol: f64| {
            let options = Options { rtol, atol, ..Options::default() };
            integrator_of_run(&Asked::new(&options)).reason
        };
        assert_eq!(reason(1e-6, 1e-9), "dopri5: a tolerance of 1e-6");
        let both = "dop853: atol is 1e-9, which counts more than rtol, 1e-15";
        assert_eq!(reason(1e-15, 1e-9), both);
        let fixed = Options { step: Some(0.01), rtol: 1e-12, ..Options::default() };
        assert_eq!(integrator_of_run(&Asked::new(&fixed)).reason, "dopri5: fixed steps of 0.01 s");
    }
}
