//! What a request says, taken key by key: what is left over in the end is not understood, and refused.

use crate::host::Host;
use crate::model::problems;
use crate::{Fault, VERSION};
use catena::model::{OptionError, RUN_OPTIONS, RunOption, RunSettings};
use catena::{Model, Problems, Setting, Source};
use serde_json::{Map, Value};

/// A request whose keys are taken one by one.
pub(crate) struct Request {
    keys: Map<String, Value>,
    asked: Vec<&'static str>,
}

/// The text of a model and the values that are set in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ModelText {
    /// As the user calls it.
    pub(crate) name: String,
    /// The model file.
    pub(crate) text: String,
    /// NAME=VALUE each.
    pub(crate) set: Vec<String>,
}

/// The model that was read last: a page asks about one model again and again.
#[derive(Default)]
pub(crate) struct ReadModels {
    last: Option<(ModelText, Result<Model, Problems>)>,
}

impl ReadModels {
    /// The model of a text.
    pub(crate) fn read(&mut self, text: ModelText) -> &Result<Model, Problems> {
        if !matches!(&self.last, Some((known, _)) if *known == text) {
            let settings: Vec<Setting> = text.set.iter().cloned().map(Setting).collect();
            let model = catena::read(Source::new(&text.name, &text.text), &settings);
            self.last = Some((text, model));
        }
        &self.last.as_ref().expect("it was just read").1
    }

    /// The model of a request, or what is wrong with it.
    pub(crate) fn take(&mut self, request: &mut Request, host: &Host<'_>) -> Result<&Model, Fault> {
        self.right(request.take_model(host)?)
    }

    /// The model of a text, or what is wrong with it.
    pub(crate) fn right(&mut self, text: ModelText) -> Result<&Model, Fault> {
        self.read(text).as_ref().map_err(|wrong| {
            let help = wrong.problems.first().and_then(|problem| problem.kind.help());
            Fault::of_model(wrong.to_string(), help, problems(&wrong.problems, &wrong.sources))
        })
    }
}

impl Request {
    pub(crate) fn new(object: Value) -> Result<Request, Fault> {
        match object {
            Value::Object(keys) => Ok(Request { keys, asked: Vec::new() }),
            other => Err(Fault::of_request(
                format!("a request is a JSON object, not {}", kind_of(&other)),
                "send one JSON object, as {\"do\": \"catalogue\"}",
            )),
        }
    }

    fn take(&mut self, key: &'static str) -> Option<Value> {
        self.asked.push(key);
        self.keys.remove(key).filter(|value| !value.is_null())
    }

    /// The version that is asked for: this one, if none is.
    pub(crate) fn take_version(&mut self) -> Result<u64, Fault> {
        match self.take("catena") {
            None => Ok(VERSION),
            Some(value) => value.as_u64().ok_or_else(|| wrong("catena", "a whole number", &value)),
        }
    }

    /// A text that must be there.
    pub(crate) fn take_text(&mut self, key: &'static str) -> Result<String, Fault> {
        match self.take(key) {
            Some(Value::String(text)) => Ok(text),
            Some(other) => Err(wrong(key, "a text", &other)),
            None => Err(Fault::of_request(
                format!("`{key}` is missing"),
                format!("add \"{key}\": \"…\" to the request"),
            )),
        }
    }

    /// A text that may be there.
    pub(crate) fn take_text_or(&mut self, key: &'static str) -> Result<Option<String>, Fault> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong(key, "a text", &other)),
        }
    }

    /// A switch, with what it is if it is not there.
    pub(crate) fn take_switch(&mut self, key: &'static str, absent: bool) -> Result<bool, Fault> {
        match self.take(key) {
            None => Ok(absent),
            Some(Value::Bool(on)) => Ok(on),
            Some(other) => Err(wrong(key, "true or false", &other)),
        }
    }

    /// Numbers that may be there.
    pub(crate) fn take_numbers(&mut self, key: &'static str) -> Result<Option<Vec<f64>>, Fault> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let list = value.as_array().map(|list| list.iter().map(Value::as_f64).collect());
        let numbers: Option<Vec<f64>> = list.flatten();
        numbers.map(Some).ok_or_else(|| wrong(key, "a list of numbers", &value))
    }

    /// Whole numbers that must be there.
    pub(crate) fn take_counts(&mut self, key: &'static str) -> Result<Vec<usize>, Fault> {
        let value = self.take(key).unwrap_or_default();
        let count = |value: &Value| value.as_u64().map(|count| count as usize);
        let list = value.as_array().map(|list| list.iter().map(count).collect());
        let counts: Option<Vec<usize>> = list.flatten();
        counts.ok_or_else(|| wrong(key, "a list of whole numbers", &value))
    }

    /// A place that must be there.
    pub(crate) fn take_point(&mut self, key: &'static str) -> Result<[f64; 2], Fault> {
        let value = self.take(key).unwrap_or_default();
        let numbers = value.as_array().map(Vec::as_slice);
        match numbers {
            Some([x, y]) => match (x.as_f64(), y.as_f64()) {
                (Some(x), Some(y)) => Ok([x, y]),
                _ => Err(wrong(key, "two numbers", &value)),
            },
            _ => Err(wrong(key, "two numbers", &value)),
        }
    }

    /// A request inside this one.
    pub(crate) fn take_request(&mut self, key: &'static str) -> Result<Request, Fault> {
        match self.take(key) {
            Some(object @ Value::Object(_)) => Request::new(object),
            Some(other) => Err(wrong(key, "a request", &other)),
            None => Err(Fault::of_request(
                format!("`{key}` is missing"),
                format!(
                    "add the request to it that is meant, as \"{key}\": {{\"do\": \"run\", …}}"
                ),
            )),
        }
    }

    /// The text of the model and what is set in it.
    pub(crate) fn take_model(&mut self, host: &Host<'_>) -> Result<ModelText, Fault> {
        let mut model = self.take_request("model")?;
        let name = model.take_text_or("name")?.unwrap_or_else(|| "model".to_owned());
        let text = match model.take_text_or("text")? {
            Some(text) => text,
            None => {
                let systems = catena::systems::SYSTEMS.iter().map(|system| system.name);
                let system = catena::systems::find(&name);
                let system = system
                    .ok_or_else(|| Fault::unknown("there is no ready system", &name, systems))?;
                system.text.to_owned()
            }
        };
        model.finish()?;
        let most = host.limits.model_bytes;
        if text.len() > most {
            return Err(Fault::of_size(
                format!("the model has {} bytes; at most {most} are read here", text.len()),
                "long chains are written with [chain], copies of parts with `repeat`",
            ));
        }
        let set = self.take_pairs("set")?;
        let set = set.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        Ok(ModelText { name, text, set })
    }

    /// Names and texts; numbers and switches become texts, a list is a name several times.
    pub(crate) fn take_pairs(&mut self, key: &'static str) -> Result<Vec<(String, String)>, Fault> {
        let pairs = match self.take(key) {
            None => return Ok(Vec::new()),
            Some(Value::Object(pairs)) => pairs,
            Some(other) => return Err(wrong(key, "an object of names and texts", &other)),
        };
        let mut all = Vec::new();
        for (name, value) in pairs {
            let values = match value {
                Value::Array(values) => values,
                Value::Null => continue,
                value => vec![value],
            };
            for value in values {
                let text = match value {
                    Value::String(text) => text,
                    Value::Number(number) => number.to_string(),
                    Value::Bool(on) => on.to_string(),
                    other => {
                        let message = format!("`{name}` in `{key}` cannot be {}", kind_of(&other));
                        return Err(Fault::of_request(message, "write it as a text"));
                    }
                };
                all.push((name.clone(), text));
            }
        }
        Ok(all)
    }

    /// The settings of a run.
    pub(crate) fn take_run_settings(&mut self) -> Result<RunSettings, Fault> {
        let mut run = RunSettings::default();
        for (key, text) in self.take_pairs("options")? {
            let option = RUN_OPTIONS.iter().find(|option| option.row.key == key);
            let known = RUN_OPTIONS.iter().map(|option| option.row.key);
            let option = option.ok_or_else(|| Fault::unknown("there is no option", &key, known))?;
            set(option, &mut run, &text)?;
        }
        Ok(run)
    }

    /// Nothing may be left.
    pub(crate) fn finish(self) -> Result<(), Fault> {
        match self.keys.keys().next() {
            None => Ok(()),
            Some(key) => Err(Fault::unknown("nothing reads", key, self.asked.iter().copied())),
        }
    }
}

/// Sets an option from its text.
fn set(option: &RunOption, run: &mut RunSettings, text: &str) -> Result<(), Fault> {
    option.set_text(run, text).map_err(|error| option_fault(&error))
}

/// Why an option was refused.
fn option_fault(error: &OptionError) -> Fault {
    Fault::of_request(error.to_string(), error.help())
}

/// A value of the wrong kind.
fn wrong(key: &str, expected: &str, found: &Value) -> Fault {
    let message = format!("`{key}` must be {expected}, not {}", kind_of(found));
    Fault::of_request(message, format!("write {expected}"))
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
