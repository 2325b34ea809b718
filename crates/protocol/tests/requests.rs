//! Requests and what comes back: right ones, wrong ones, and those that are too large.

use catena::{RunSettings, run};
use catena_protocol::{Event, Host, Limits, Workbench, verbs};
use serde_json::{Value, json};
use std::sync::Mutex;

fn answer(request: Value) -> Value {
    Workbench::default().answer(&request.to_string(), &Host::ALONE)
}

/// The parts that are told on the way, and the reply.
fn told(request: Value, host: Host<'_>) -> (Vec<Value>, Value) {
    let parts = Mutex::new(Vec::new());
    let tell = |event| {
        if let Event::Part(part) = event {
            parts.lock().unwrap().push(part);
        }
    };
    let reply = Workbench::default().answer(&request.to_string(), &Host { tell: &tell, ..host });
    (parts.into_inner().unwrap(), reply)
}

/// Numbers from base64.
fn floats(text: &Value) -> Vec<f64> {
    use base64::Engine;
    let bytes = base64::engine::general_purpose::STANDARD.decode(text.as_str().unwrap()).unwrap();
    bytes.chunks(8).map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap())).collect()
}

fn error(request: Value) -> (String, String, String) {
    let reply = answer(request.clone());
    let text = |key: &str| reply["error"][key].as_str().unwrap_or_default().to_owned();
    assert!(reply.get("error").is_some(), "{request} was answered: {reply}");
    (text("kind"), text("message"), text("help"))
}

#[test]
fn a_run_is_told_before_its_error_is_known_and_has_the_numbers_of_the_library() {
    let model = json!({ "name": "double-pendulum" });
    let request = json!({ "do": "run", "model": model, "options": { "t_end": "2" } });
    let (parts, reply) = told(request, Host::ALONE);
    let [part] = parts.as_slice() else { panic!("{} parts", parts.len()) };
    assert_eq!(part["run"]["certificate"]["error_estimate"], Value::Null);
    assert!(reply["certificate"]["error_estimate"].as_f64().is_some());
    let model = catena::load("double-pendulum", &[]).unwrap();
    let table = run(&model, &RunSettings::new().t_end(2.0)).unwrap().table;
    let columns = part["run"]["columns"].as_array().unwrap();
    assert_eq!(columns.len(), table.columns.len());
    for (told, known) in columns.iter().zip(&table.columns) {
        assert_eq!(told["name"], json!(known.name));
        let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&floats(&told["values"])), bits(known.numbers()), "{}", known.name);
    }
    let film = &part["run"]["film"]["films"][0];
    assert!(film["frames"].as_u64().unwrap() > 20);
    assert!(film["svg"].as_str().unwrap().starts_with("<svg"));
}

#[test]
fn every_ready_system_is_read_diagnosed_and_drawn() {
    let mut workbench = Workbench::default();
    for system in catena::systems::SYSTEMS {
        let request = json!({ "do": "model", "model": { "name": system.name } });
        let reply = workbench.answer(&request.to_string(), &Host::ALONE);
        assert_eq!(reply["problems"], json!([]), "{}", system.name);
        assert_eq!(reply["diagnosis"]["can_run"], json!(true), "{}", system.name);
        assert!(reply["methods"]["formulation"].is_string(), "{}", system.name);
        assert!(!reply["film"].is_null(), "{}", system.name);
    }
}

#[test]
fn what_is_wrong_with_a_model_comes_with_its_place_as_javascript_counts() {
    // a letter outside the basic plane takes two units of UTF-16 and four bytes
    let text = "title = \"𝜃\"\n[coordinates]\nx = \"\"\n[energy]\nkinetic = \"y'^2\"\n";
    let reply = answer(json!({ "do": "model", "model": { "text": text } }));
    let place = &reply["problems"][0]["place"];
    let units: Vec<u16> = text.encode_utf16().collect();
    let [from, to] = ["from", "to"].map(|key| place[key].as_u64().unwrap() as usize);
    assert_eq!(String::from_utf16(&units[from..to]).unwrap(), "y'");
    assert_eq!((place["line"].as_u64(), place["column"].as_u64()), (Some(5), Some(12)));
    assert_eq!(place["source"], json!("model"));
}

#[test]
fn a_value_that_cannot_be_set_is_a_problem_of_that_value() {
    let request = json!({ "do": "model", "model": { "name": "four-bar" }, "set": { "L9": "1" } });
    let problem = answer(request)["problems"][0].clone();
    assert_eq!(problem["place"]["source"], json!("L9=1"));
    assert!(problem["message"].as_str().unwrap().contains("L9"));
}

#[test]
fn questions_have_words_figures_and_tables() {
    let request = json!({
        "do": "ask", "question": "kinematics", "model": { "name": "four-bar" },
        "options": { "drive": "theta2" }, "film": true,
    });
    let reply = answer(request);
    assert_eq!(reply["answer"]["question"], json!("kinematics"));
    assert!(!reply["words"].as_array().unwrap().is_empty());
    assert!(!reply["figure"]["panels"].as_array().unwrap().is_empty());
    let columns = reply["table"]["columns"].as_array().unwrap();
    assert!(columns.iter().any(|column| column["name"] == json!("drive_theta2")));
    assert!(reply["film"]["films"][0]["frames"].as_u64().unwrap() > 20, "it moves");
}

#[test]
fn the_picture_fills_while_a_question_is_answered() {
    let request = json!({
        "do": "ask", "question": "bifurcation", "model": { "name": "driven-pendulum" },
        "options": { "over": "drive=1:1.1:40" },
    });
    let began = std::time::Instant::now();
    let clock = || began.elapsed().as_secs_f64();
    let (parts, reply) = told(request, Host { clock: &clock, ..Host::ALONE });
    assert!(reply.get("error").is_none(), "{reply}");
    let first = &parts.first().expect("somebody looks")["figure"]["panels"];
    assert!(first.as_array().is_some_and(|panels| !panels.is_empty()));
}

#[test]
fn files_are_those_of_the_command_line() {
    let of = json!({ "do": "run", "model": { "name": "lorenz" }, "options": { "t_end": "1" } });
    let csv = answer(json!({ "do": "file", "as": "csv", "name": "butterfly", "of": of }));
    assert_eq!(csv["name"], json!("butterfly.csv"));
    let model = catena::load("lorenz", &[]).unwrap();
    let run = run(&model, &RunSettings::new().t_end(1.0)).unwrap();
    assert_eq!(csv["text"].as_str().unwrap(), catena::csv_text(&run.table));
    for ending in ["npz", "json", "svg", "html", "film.html", "report"] {
        let reply = answer(json!({ "do": "file", "as": ending, "of": of }));
        assert!(reply.get("error").is_none(), "{ending}: {}", reply["error"]);
    }
    for (verb, ending) in [("model", "c"), ("model", "python"), ("derive", "tex"), ("derive", "md")]
    {
        let of = json!({ "do": verb, "model": { "name": "four-bar" } });
        let reply = answer(json!({ "do": "file", "as": ending, "of": of }));
        assert!(reply["text"].as_str().is_some_and(|text| text.len() > 500), "{verb} {ending}");
    }
}

#[test]
fn requests_that_make_no_sense_are_refused_with_what_to_do() {
    let bar = json!({ "name": "four-bar" });
    let run = |key: &str, value: Value| json!({ "do": "run", "model": bar, key: value });
    let sheet = json!({ "do": "file", "as": "xls", "of": { "do": "run", "model": bar } });
    let cases = [
        (json!([]), "a request is a JSON object, not a list", "send one"),
        (json!({}), "`do` is missing", "add \"do\""),
        (json!({ "do": 3 }), "`do` must be a text, not a number", "write a text"),
        (json!({ "do": "rnu" }), "nothing can be done that is called `rnu`", "`run`"),
        (json!({ "do": "run" }), "`model` is missing", "add the request"),
        (json!({ "do": "run", "model": { "name": "fourbar" } }), "system `fourbar`", "`four-bar`"),
        (run("optoins", json!({})), "nothing reads `optoins`", "`options`"),
        (run("options", json!({ "rtlo": 1 })), "no option `rtlo`", "`rtol`"),
        (run("options", json!({ "rtol": "x" })), "`rtol` cannot be `x`", "it takes"),
        (run("options", json!({ "rtol": {} })), "`rtol` in `options` cannot be an object", "text"),
        (json!({ "do": "ask", "question": "mods", "model": bar }), "question `mods`", "`modes`"),
        (sheet, "ends in no format", ".csv"),
        (json!({ "do": "catalogue", "catena": 7 }), "version 1 of the protocol", "leave out"),
        (
            json!({ "do": "derive", "model": bar, "coordinates": "joint" }),
            "does not have these coordinates",
            "leave out",
        ),
    ];
    for (request, message, help) in cases {
        let (kind, said, advice) = error(request.clone());
        assert_eq!(kind, "request", "{request}");
        assert!(said.contains(message), "{request}: {said}");
        assert!(advice.contains(help), "{request}: {advice}");
    }
    let not_json = Workbench::default().answer("{", &Host::ALONE);
    assert_eq!(not_json["error"]["kind"], json!("request"));
}

#[test]
fn a_wrong_model_cannot_be_run_and_says_where_it_is_wrong() {
    let reply = answer(json!({ "do": "run", "model": { "text": "[coordinates]\nx = \"\"\n" } }));
    assert_eq!(reply["error"]["kind"], json!("model"));
    assert!(reply["error"]["message"].as_str().unwrap().contains("kinetic energy"));
    assert_eq!(reply["error"]["problems"][0]["place"]["source"], json!("model"));
}

#[test]
fn what_is_too_large_is_refused_before_it_is_computed() {
    let (kind, message, help) = error(json!({
        "do": "run", "model": { "name": "lorenz" }, "options": { "t_end": 1e4, "every": 1e-3 },
    }));
    assert_eq!(kind, "limit");
    assert!(message.contains("10000001 rows"), "{message}");
    assert!(help.contains("`every`"), "{help}");
    let limits = Limits { model_bytes: 100, ..Limits::default() };
    let request = json!({ "do": "model", "model": { "name": "four-bar" } });
    let (_, reply) = told(request, Host { limits, ..Host::ALONE });
    assert_eq!(reply["error"]["kind"], json!("limit"));
}

#[test]
fn work_ends_when_it_is_to_end() {
    let options = json!({ "t_end": 1e6, "every": 100 });
    let long = json!({ "do": "run", "model": { "name": "lorenz" }, "options": options });
    let (_, reply) = told(long, Host { stop: &|| true, ..Host::ALONE });
    assert_eq!(reply["certificate"]["stop"], json!("cancelled"));
    let map = json!({
        "do": "ask", "question": "bifurcation", "model": { "name": "driven-pendulum" },
        "options": { "over": "drive=1:1.5:50" },
    });
    let (_, reply) = told(map, Host { stop: &|| true, ..Host::ALONE });
    let ended = reply["error"]["kind"] == json!("cancelled") || reply["shortfall"].is_string();
    assert!(ended, "{reply}");
}

#[test]
fn the_catalogue_has_a_form_for_every_question() {
    let catalogue = answer(json!({ "do": "catalogue" }));
    let questions = catalogue["questions"].as_array().unwrap();
    assert_eq!(questions.len(), catena::analysis::ANALYSES.len());
    for (told, known) in questions.iter().zip(catena::analysis::ANALYSES) {
        assert_eq!(told["name"], json!(known.name));
        assert_eq!(told["options"].as_array().unwrap().len(), known.options.len());
    }
    assert_eq!(catalogue["systems"].as_array().unwrap().len(), catena::systems::SYSTEMS.len());
    assert!(verbs().count() > 5);
}

/// The crank pin of the four-bar: tracks and place of a pin that two moving links share.
fn a_pin_that_moves(model: &Value) -> Value {
    let reply = answer(json!({ "do": "model", "model": model }));
    let pieces = reply["film"]["films"][0]["pieces"].as_array().unwrap().clone();
    let moves =
        |piece: &&Value| piece["k"] == json!("p") && piece["b"].as_array().unwrap().len() > 2;
    let anchor = pieces.iter().find(moves).expect("a pin moves")["b"].clone();
    let anchor = anchor.as_array().unwrap();
    json!({ "tracks": anchor[2..], "at": anchor[..2] })
}

#[test]
fn a_pose_is_led_by_hand_and_a_run_starts_there() {
    let model = json!({ "name": "four-bar-bodies" });
    let grab = a_pin_that_moves(&model);
    let asked = json!({ "do": "pose", "model": model, "grab": grab, "to": [0.1, 0.3] });
    let mut workbench = Workbench::default();
    let first = workbench.answer(&asked.to_string(), &Host::ALONE);
    assert!(first["q"].as_array().is_some_and(|q| q.len() == 9), "{first}");
    let mut next = asked.clone();
    (next["q"], next["to"]) = (first["q"].clone(), json!([0.0, 0.35]));
    let second = workbench.answer(&next.to_string(), &Host::ALONE);
    let set = second["start"]["set"].clone();
    let reply = answer(json!({ "do": "model", "model": model, "set": set }));
    let start = reply["diagnosis"]["start"]["values"].as_array().unwrap();
    for (value, q) in start.iter().zip(second["q"].as_array().unwrap()) {
        let off = value["value"].as_f64().unwrap() - q.as_f64().unwrap();
        assert!((off / std::f64::consts::TAU).fract().abs() < 1e-9, "{value} is not {q}");
    }
}

#[test]
fn what_cannot_be_led_says_why() {
    let model = json!({ "name": "four-bar-bodies" });
    let pull = |tracks: Value, to: Value| {
        let grab = json!({ "tracks": tracks, "at": [0, 0] });
        error(json!({ "do": "pose", "model": model, "grab": grab, "to": to }))
    };
    assert!(pull(json!([]), json!([0, 0])).1.contains("the ground does not move"));
    assert!(pull(json!([0, 1, 999]), json!([0, 0])).1.contains("no track 999"));
    assert!(pull(json!([0]), json!([0, 0])).1.contains("1 tracks carry nothing"));
    assert!(pull(json!([0, 1, 2]), json!([0])).1.contains("`to` must be two numbers"));
    assert!(pull(json!([0, 1, 2]), json!("x")).1.contains("`to` must be two numbers"));
}

#[test]
fn every_question_answers_or_refuses_for_every_ready_system_without_options() {
    let mut workbench = Workbench::default();
    // what takes long when nobody says what to vary, or runs many methods
    let long = ["bench", "compare", "penalty", "lyapunov", "classify", "basins", "poincare"];
    let quick = catena::analysis::ANALYSES.iter().filter(|row| !long.contains(&row.name));
    for analysis in quick {
        for system in ["lorenz", "four-bar", "single-pendulum", "slider-crank-bodies"] {
            let request = json!({
                "do": "ask", "question": analysis.name, "model": { "name": system }, "film": true,
            });
            let reply = workbench.answer(&request.to_string(), &Host::ALONE);
            let refused = reply["error"]["message"].as_str().is_some_and(|text| !text.is_empty());
            let answered = reply["answer"]["question"] == json!(analysis.name);
            assert!(refused || answered, "{} of {system}: {reply}", analysis.name);
        }
    }
}
