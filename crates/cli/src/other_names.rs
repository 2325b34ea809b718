//! Commands and flags under the names that other programs have for them.

use catena::analysis::ANALYSES;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};
use std::path::Path;

/// Words that are no commands, and what is meant by them.
const COMMANDS: &[(&[&str], &str)] = &[
    (
        &["simulate", "sim", "solve", "integrate", "execute", "start", "move", "motion"],
        "`catena run MODEL` moves a model in time",
    ),
    (
        &["animate", "animation", "movie", "film", "video"],
        "`catena run MODEL --animate FILE.html` shows how a model moves",
    ),
    (
        &["plot", "graph", "figure", "show"],
        "`catena run MODEL --plot FILE.svg` draws a motion, and --show draws it in the terminal",
    ),
    (
        &["web", "gui", "ui", "app", "browser", "server", "http", "open"],
        "`catena serve --open` brings up the workbench in the browser",
    ),
    (&["init", "create", "template", "starter"], "`catena new FILE` writes a model to start from"),
    (
        &["validate", "verify", "lint", "diagnose", "dof", "mobility", "assemble"],
        "`catena check MODEL` says whether a model can run",
    ),
    (
        &["equations", "eom", "lagrange", "lagrangian", "symbolic", "latex", "derivation"],
        "`catena derive MODEL` shows the equations, and -o FILE.tex keeps them",
    ),
    (
        &["save", "convert", "write"],
        "`catena run MODEL -o FILE.csv` writes a motion, `catena export MODEL -o FILE.c` equations that run, \
         `catena sweep export FILE TABLE.csv` the result of a sweep",
    ),
    (&["systems", "zoo", "models", "examples", "ls"], "`catena list` shows the ready systems"),
    (&["formulations", "integrators", "analyses", "formats"], "`catena list {word}` shows them"),
    (
        &["scan", "batch", "ensemble", "parametric", "vary", "montecarlo"],
        "`catena sweep MODEL --over NAME=RANGE` runs a model many times",
    ),
    (&["benchmark", "profile", "time"], "`catena bench` measures methods on chains"),
    (&["linearise"], "`catena analyze linearize MODEL` linearises a model"),
    (
        &["eigen", "eig", "eigenvalues", "modal", "frequencies", "vibration"],
        "`catena analyze modes MODEL` finds natural frequencies and shapes",
    ),
    (
        &["frf", "bode", "transfer", "harmonic", "amplitude"],
        "`catena analyze response MODEL --over f=FROM:TO:COUNT` finds amplitudes; --linear small motions",
    ),
    (
        &["statics", "rest", "equilibria"],
        "`catena analyze equilibrium MODEL` finds where a model rests",
    ),
    (
        &["inverse-dynamics", "id", "reactions", "forces"],
        "`catena analyze inverse MODEL` finds driving torques and joint forces",
    ),
    (&["fft", "psd", "dft"], "`catena analyze spectrum MODEL` finds the frequencies of a motion"),
    (
        &["phase-portrait", "portrait"],
        "`catena analyze phase MODEL` draws one column of a motion against another",
    ),
    (
        &["poincaré", "poincare-map", "poincare-section", "section", "strobe", "stroboscopic"],
        "`catena analyze poincare MODEL` shows motions as points on a section",
    ),
    (
        &["chaos", "exponents", "exponent", "entropy", "benettin"],
        "`catena analyze lyapunov MODEL` finds how fast neighbouring motions part",
    ),
    (
        &["bifurcations", "feigenbaum", "orbit-diagram", "period-doubling"],
        "`catena analyze bifurcation MODEL --over NAME=FROM:TO:COUNT` draws orbits over a parameter",
    ),
    (
        &["basin", "attractors", "attractor"],
        "`catena analyze basins MODEL --over theta=-pi:pi:200 --over \"theta'=-3:3:200\"` maps which start leads where",
    ),
    (
        &["classification", "zero-one", "gali", "recurrence", "quasi-periodic"],
        "`catena analyze classify MODEL` says what kind of motion it is, also as a map",
    ),
    (
        &["floquet", "shooting", "periodic", "auto07p", "backbone"],
        "`catena analyze continuation MODEL --over NAME=FROM:TO` follows periodic motions",
    ),
    (
        &["optimize", "optimise", "fit", "identify", "synthesis"],
        "there is no search for parameters yet; `catena sweep` tries them on a grid",
    ),
    (
        &["contact", "collision", "impact"],
        "contact is not modelled yet; events stop a run where it begins",
    ),
    (&["study", "studies", "paper"], "`catena reproduce` runs published studies again"),
    (&["version"], "`catena --version` says it"),
    (&["manual"], "`catena man` writes the manual page"),
    (&["completion"], "`catena completions bash|zsh|fish` writes them"),
    (&["model", "formulas", "units"], "`catena help {word}` describes them"),
];

/// Flags that other programs have, and ours of the same meaning; the first that the command has is meant.
const FLAGS: &[(&[&str], &[&str])] = &[
    (
        &["out", "outfile", "output-file", "outputfile", "file", "save", "csv", "write", "o"],
        &["output"],
    ),
    (&["tol", "tolerance", "reltol", "rel-tol", "accuracy", "eps"], &["rtol", "tolerances"]),
    (&["abstol", "abs-tol"], &["atol"]),
    (
        &[
            "t-end",
            "tend",
            "tf",
            "tfinal",
            "t-final",
            "tmax",
            "t-max",
            "stop",
            "until",
            "end",
            "duration",
            "time",
            "stop-time",
            "end-time",
            "t",
        ],
        &["to"],
    ),
    (&["t-start", "tstart", "t0", "start-time", "begin"], &["start"]),
    (&["dt", "timestep", "time-step", "step-size", "stepsize", "h"], &["step"]),
    (&["interval", "output-step", "dt-out", "sampling", "saveat", "rows"], &["every"]),
    (&["method", "solver", "ode", "scheme"], &["integrator", "integrators"]),
    (&["constraints", "constraint-method"], &["formulation", "formulations"]),
    (&["param", "params", "parameter", "define", "initial", "ic", "x0"], &["set"]),
    (&["option", "opt"], &["with"]),
    (&["max-dt", "hmax", "maxstep"], &["max-step"]),
    (&["cols", "column", "variables", "outputs", "select"], &["columns"]),
    (&["figure", "graph", "svg", "png", "chart"], &["plot"]),
    (&["anim", "animation", "movie", "gif", "video"], &["animate"]),
    (&["vary", "range", "sweep", "param-range"], &["over"]),
    (&["metric", "statistic", "keep"], &["measure"]),
    (&["jobs", "cores", "workers", "parallel", "nproc"], &["threads"]),
    (&["fmt", "as", "type"], &["format"]),
    (&["input", "driver", "coordinate"], &["drive"]),
    (&["speed", "omega", "velocity"], &["rate"]),
    (&["n", "samples", "num", "count"], &["points", "every"]),
    (&["continue", "restart"], &["resume"]),
];

/// The error with a tip where a word has another name here.
pub(crate) fn explained(mut error: clap::Error, arguments: &[String]) -> clap::Error {
    let text = |error: &clap::Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let (tip, own) = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let Some(word) = text(&error, ContextKind::InvalidSubcommand) else { return error };
            (command_tip(&word, arguments), ContextKind::SuggestedSubcommand)
        }
        ErrorKind::UnknownArgument => {
            let Some(flag) = text(&error, ContextKind::InvalidArg) else { return error };
            (flag_tip(&flag, arguments), ContextKind::SuggestedArg)
        }
        _ => return error,
    };
    if let Some(tip) = tip {
        error.remove(own);
        // made for the nearest flag, which is not the one that is meant
        error.remove(ContextKind::Usage);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    error
}

/// What is meant by a word that is no command.
fn command_tip(word: &str, arguments: &[String]) -> Option<String> {
    let lower = word.to_lowercase().replace('_', "-");
    let in_analyze = arguments.iter().any(|argument| argument == "analyze");
    if !in_analyze && ANALYSES.iter().any(|analysis| analysis.name == lower) {
        return Some(format!("`catena analyze {lower} MODEL` answers that"));
    }
    if let Some((_, tip)) = COMMANDS.iter().find(|(words, _)| words.contains(&lower.as_str())) {
        return Some(tip.replace("{word}", &lower));
    }
    let commands = crate::Arguments::command();
    if in_analyze && commands.get_subcommands().any(|command| command.get_name() == lower) {
        return Some(format!("`catena {lower}` is a command of its own"));
    }
    let is_model = Path::new(word).is_file() || catena::systems::find(word).is_some();
    is_model.then(|| match in_analyze {
        true => format!("a question stands before the model, as in `catena analyze modes {word}`"),
        false => format!("a command stands before the model, as in `catena run {word}`"),
    })
}

/// What is meant by a flag that a command does not have.
fn flag_tip(flag: &str, arguments: &[String]) -> Option<String> {
    let name = flag.trim_start_matches('-').to_lowercase().replace('_', "-");
    let name = name.split('=').next().unwrap_or_default().to_owned();
    let command = asked(arguments);
    let has = |flag: &str| command.get_arguments().any(|known| known.get_long() == Some(flag));
    if has(&name) {
        return Some(format!("did you mean `--{name}`?"));
    }
    let meanings = FLAGS.iter().filter(|(names, _)| names.contains(&name.as_str()));
    let meant = meanings.flat_map(|(_, meanings)| *meanings).find(|meant| has(meant))?;
    Some(match *meant {
        "step" if has("every") => {
            "did you mean `--step` (the integrator's) or `--every` (of the rows)?".to_owned()
        }
        "set" => "a parameter or a value at the start is changed by `--set NAME=VALUE`".to_owned(),
        meant => format!("did you mean `--{meant}`?"),
    })
}

/// The command that the arguments begin with.
fn asked(arguments: &[String]) -> Command {
    let mut command = crate::Arguments::command();
    command.build();
    for argument in arguments.iter().skip(1) {
        match command.find_subcommand(argument) {
            Some(inner) => command = inner.clone(),
            None => break,
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(arguments: &[&str]) -> String {
        use clap::Parser;
        let arguments: Vec<String> =
            std::iter::once("catena").chain(arguments.iter().copied()).map(str::to_owned).collect();
        match crate::Arguments::try_parse_from(&arguments) {
            Ok(_) => panic!("{arguments:?} is a command"),
            Err(error) => {
                let error = explained(error, &arguments);
                assert_eq!(error.exit_code(), 2);
                error.render().to_string()
            }
        }
    }

    #[test]
    fn no_command_is_listed_as_something_else() {
        let commands = crate::Arguments::command();
        for (words, tip) in COMMANDS {
            for word in *words {
                let is_command = commands.get_subcommands().any(|known| known.get_name() == *word);
                assert!(!is_command, "`{word}` exists and is said to be: {tip}");
                assert!(!ANALYSES.iter().any(|analysis| analysis.name == *word), "{word}");
            }
        }
    }

    #[test]
    fn words_of_other_programs_lead_to_the_command() {
        for (arguments, tip) in [
            (&["simulate", "four-bar"][..], "`catena run MODEL`"),
            (&["animate", "four-bar"], "run MODEL --animate FILE.html"),
            (&["plot", "four-bar"], "--plot FILE.svg"),
            (&["modes", "four-bar"], "`catena analyze modes MODEL`"),
            (&["analyze", "strobe", "four-bar"], "`catena analyze poincare MODEL`"),
            (&["lyapunov"], "`catena analyze lyapunov MODEL`"),
            (&["init"], "`catena new FILE`"),
            (&["save", "four-bar"], "-o FILE.csv"),
            (&["four-bar"], "`catena run four-bar`"),
            (&["analyze", "run", "four-bar"], "`catena run` is a command of its own"),
        ] {
            let message = message(arguments);
            assert!(message.contains(tip), "{arguments:?}: {message}");
        }
    }

    #[test]
    fn flags_of_other_programs_lead_to_ours_where_the_command_has_them() {
        for (arguments, tip) in [
            (&["run", "four-bar", "--out", "x.csv"][..], "`--output`"),
            (&["run", "four-bar", "--tol", "1e-9"], "`--rtol`"),
            (&["run", "four-bar", "--t-end", "5"], "`--to`"),
            (&["run", "four-bar", "--t_end=5"], "`--to`"),
            (&["run", "four-bar", "--dt", "5"], "`--step`"),
            (&["run", "four-bar", "--solver", "rk4"], "`--integrator`"),
            (&["analyze", "response", "four-bar", "--vary", "f=1"], "`--over`"),
            (&["compare", "four-bar", "--solver", "rk4"], "`--integrators`"),
        ] {
            let message = message(arguments);
            assert!(message.contains(tip), "{arguments:?}: {message}");
        }
        assert!(!message(&["derive", "four-bar", "--tol", "1"]).contains("--rtol"));
    }
}
