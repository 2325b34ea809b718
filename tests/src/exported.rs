//! Exported sources compiled and run next to Catena's own evaluation, at the same random states.

use crate::{Random, built};
use catena::export::{SourceName, export, find};
use catena::simulation::column_expressions;
use catena::{CoordinateSet, Model};
use catena_compile::{Evaluator, Kernel};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The groups of numbers that exported functions read, as the JSON export calls them.
pub const GROUPS: [&str; 7] =
    ["t", "q", "v", "states", "accelerations", "multipliers", "parameters"];

/// A source in one of the languages.
pub fn source(model: &Model, set: CoordinateSet, language: &str) -> String {
    let language = find(language).expect("a language of the table");
    export(model, set, language, SourceName::File("exported")).expect("the model is exported")
}

/// A function of a source: its name, the groups that it reads, and how many numbers it gives.
pub struct ExportedFunction {
    /// `mass_matrix`
    pub name: String,
    /// Members of [`GROUPS`], in their order.
    pub arguments: Vec<String>,
    /// Entries of the result, matrices row by row.
    pub len: usize,
    /// Whether it is one number and no list.
    pub is_number: bool,
}

/// The functions of a model, as its JSON export lists them.
pub fn functions(model: &Model, set: CoordinateSet) -> Vec<ExportedFunction> {
    let document: Value =
        serde_json::from_str(&source(model, set, "json")).expect("the export is JSON");
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let function = |value: &Value| {
        let shape = list(&value["shape"]);
        let arguments = list(&value["arguments"]);
        ExportedFunction {
            name: value["name"].as_str().expect("a name").to_owned(),
            arguments: arguments.iter().map(|a| a.as_str().unwrap().to_owned()).collect(),
            len: shape.iter().map(|len| len.as_u64().unwrap() as usize).product(),
            is_number: shape.is_empty(),
        }
    };
    list(&document["functions"]).iter().map(function).collect()
}

/// Values of all [`GROUPS`].
pub type Inputs = [Vec<f64>; 7];

/// Random times and states, with the parameters of the model changed by up to a tenth.
pub fn random_inputs(model: &Model, set: CoordinateSet, count: usize) -> Vec<Inputs> {
    let system = model.system(set);
    let (n, m, k) = (system.coordinates.len(), system.constraints.len(), system.states.len());
    let mut random = Random::new(16);
    let mut numbers = |len: usize, size: f64| -> Vec<f64> {
        (0..len).map(|_| random.between(-size, size)).collect()
    };
    let inputs = |_| {
        let changes = numbers(model.parameters.len(), 0.1);
        let parameters = model.parameter_values();
        let parameters =
            parameters.iter().zip(changes).map(|(value, change)| value * (1.0 + change));
        [
            numbers(1, 3.0),
            numbers(n, 2.0),
            numbers(n, 3.0),
            numbers(k, 2.0),
            numbers(n, 5.0),
            numbers(m, 5.0),
            parameters.collect(),
        ]
    };
    (0..count).map(inputs).collect()
}

/// What Catena computes: each function one after the other, then accelerations and multipliers.
pub struct Expected {
    /// Where each function begins, by name, and how many numbers it has.
    pub parts: Vec<(String, usize)>,
    /// For each state the numbers of all parts.
    pub rows: Vec<Vec<f64>>,
}

/// Evaluates a model with Catena's own compiled functions and formulations.
pub fn expected(
    model: &Model,
    set: CoordinateSet,
    functions: &[ExportedFunction],
    inputs: &[Inputs],
) -> Expected {
    let system = model.system(set);
    let mut evaluator = Evaluator::derived(model, system);
    let names = |list: &[catena::model::NamedFormula]| -> Vec<String> {
        list.iter().map(|formula| formula.name.clone()).collect()
    };
    let kernel = |names: Vec<String>| -> Kernel {
        let mut graph = evaluator.equations().graph.clone();
        let exprs = column_expressions(system, evaluator.equations(), &mut graph, &names)
            .expect("they are columns");
        evaluator.functions().compile(&graph, &[("columns", &exprs)])
    };
    let [definitions, outputs, quantities] =
        [&system.definitions, &system.outputs, &system.quantities].map(|list| kernel(names(list)));
    let constrained = !system.constraints.is_empty();
    let mut motion = (!system.coordinates.is_empty()).then(|| {
        let name = if constrained { "multipliers" } else { "minimal" };
        built(model, name)
    });
    let mut parts: Vec<(String, usize)> =
        functions.iter().map(|f| (f.name.clone(), f.len)).collect();
    if motion.is_some() {
        parts.push(("accelerations".to_owned(), system.coordinates.len()));
        parts.push(("multipliers".to_owned(), system.constraints.len()));
    }
    let rows = inputs.iter().map(|[t, q, v, z, a, lambda, p]| {
        evaluator.set_parameters(p);
        let values = evaluator.values_at(t[0], q, v, z);
        evaluator.set_reactions(a, lambda);
        let mut row = Vec::new();
        for function in functions {
            match function.name.as_str() {
                "definitions" => row.extend(evaluator.run(&definitions)),
                "outputs" => row.extend(evaluator.run(&outputs)),
                "quantities" => row.extend(evaluator.run(&quantities)),
                "mass_matrix" => row.extend(&values.mass_matrix),
                "forces" => row.extend(&values.forces),
                "constraints" => row.extend(&values.constraints),
                "constraint_jacobian" => row.extend(&values.constraint_jacobian),
                "constraint_rate" => row.extend(&values.constraint_rate),
                "constraint_gamma" => row.extend(&values.gamma),
                "state_rates" => row.extend(&values.state_rates),
                "kinetic" => row.push(values.kinetic),
                "potential" => row.push(values.potential),
                other => panic!("nobody knows `{other}`"),
            }
        }
        if let Some(motion) = &mut motion {
            let y = [q.as_slice(), v, z].concat();
            let mut rate = vec![0.0; y.len()];
            motion.begin(p);
            motion.derivative(t[0], &y, &mut rate).expect("random states are regular");
            row.extend(motion.accelerations());
            row.extend(motion.multipliers());
        }
        row
    });
    Expected { rows: rows.collect(), parts }
}

impl Expected {
    /// The largest difference of each part from what a source computed, relative to the part's largest entry.
    pub fn differences(&self, found: &[Vec<f64>]) -> Vec<(String, f64)> {
        assert_eq!(found.len(), self.rows.len(), "a row for each state");
        let mut differences: Vec<(String, f64)> =
            self.parts.iter().map(|(name, _)| (name.clone(), 0.0)).collect();
        for (found, expected) in found.iter().zip(&self.rows) {
            assert_eq!(found.len(), expected.len(), "as many numbers as Catena has");
            let mut first = 0;
            for ((_, len), (_, worst)) in self.parts.iter().zip(&mut differences) {
                let part = first..first + len;
                let size = expected[part.clone()].iter().fold(0.0_f64, |size, x| size.max(x.abs()));
                for (a, b) in found[part.clone()].iter().zip(&expected[part]) {
                    let difference = (a - b).abs() / size.max(f64::MIN_POSITIVE);
                    // what is not a number is wrong
                    if !(difference <= *worst) {
                        *worst = if difference.is_nan() { f64::INFINITY } else { difference };
                    }
                }
                first += len;
            }
        }
        differences
    }
}

/// A new folder for the files of a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("catena-export-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    folder
}

/// What a program prints; it must succeed.
pub fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{told}");
    String::from_utf8(output.stdout).expect("it prints text")
}

/// Compiles C with all warnings as errors.
pub fn compile_c(source: &Path, flags: &[&str]) -> PathBuf {
    let program = source.with_extension("run");
    let strict = ["-std=c99", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror"];
    printed(
        Command::new("cc").args(strict).args(flags).arg("-o").arg(&program).arg(source).arg("-lm"),
    );
    program
}

/// Rows of numbers between blanks or commas.
pub fn rows(text: &str) -> Vec<Vec<f64>> {
    let number = |word: &str| word.parse().unwrap_or(f64::NAN);
    let row =
        |line: &str| line.split([' ', ',']).filter(|word| !word.is_empty()).map(number).collect();
    text.lines().map(row).collect()
}

/// The inputs as text, a state in each line.
pub fn input_text(inputs: &[Inputs]) -> String {
    let mut text = String::new();
    for input in inputs {
        let words: Vec<String> = input.iter().flatten().map(|value| format!("{value:e}")).collect();
        writeln!(text, "{}", words.join(" ")).expect("a string takes all");
    }
    text
}

/// An interpreter that has NumPy; it is installed into a virtual environment in the folder where there is none.
pub fn python(folder: &Path) -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let has_numpy = |python: &Path| {
            let tried = Command::new(python).args(["-c", "import numpy"]).output();
            tried.is_ok_and(|output| output.status.success())
        };
        let system = PathBuf::from("python3");
        if has_numpy(&system) {
            return system;
        }
        let folder = folder.join("numpy-environment");
        let own = folder.join("bin").join("python");
        if !has_numpy(&own) {
            printed(Command::new(&system).args(["-m", "venv", "--clear"]).arg(&folder));
            printed(Command::new(&own).args(["-m", "pip", "install", "--quiet", "numpy"]));
        }
        own
    })
}
