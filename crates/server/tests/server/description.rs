//! The description of the HTTP carrier is complete and true.

use crate::served::{Served, small};
use serde_json::Value;

fn description() -> Value {
    serde_json::from_str(catena_server::description()).expect("the description is JSON")
}

#[test]
fn the_description_is_served_and_is_of_this_version() {
    let served = Served::new(small());
    let answer = served.get("GET /api/1/openapi.json", "");
    assert_eq!((answer.status(), answer.header("content-type")), (200, Some("application/json")));
    assert_eq!(answer.json(), description());
    assert_eq!(description()["openapi"], "3.1.0");
    assert_eq!(description()["info"]["version"], env!("CARGO_PKG_VERSION"));
    let limit = catena_server::Limits::default().body / 1_000_000;
    let too_long = &description()["paths"]["/api/1/ask"]["post"]["responses"]["413"]["description"];
    assert_eq!(*too_long, format!("The body is longer than {limit} MB."));
}

#[test]
fn every_verb_of_the_protocol_is_described_with_its_reply_and_an_example() {
    let description = description();
    let schemas = &description["components"]["schemas"];
    let mapping = schemas["Request"]["discriminator"]["mapping"].as_object().expect("verbs");
    let described: Vec<&str> = mapping.keys().map(String::as_str).collect();
    assert_eq!(described, catena_protocol::verbs().collect::<Vec<_>>());
    let body =
        &description["paths"]["/api/1/ask"]["post"]["requestBody"]["content"]["application/json"];
    let examples = body["examples"].as_object().expect("examples");
    assert_eq!(examples.keys().map(String::as_str).collect::<Vec<_>>(), described);
    for (verb, schema) in mapping {
        let name = schema.as_str().and_then(|path| path.rsplit('/').next()).expect("a schema");
        assert_eq!(schemas[name]["properties"]["do"]["const"], *verb);
        assert_eq!(examples[verb]["value"]["do"], *verb);
        let reply = name.replace("Request", "Reply");
        assert!(schemas[&reply].is_object(), "{reply} is missing");
    }
}

#[test]
fn ready_systems_and_questions_are_those_of_the_catalogues() {
    let schemas = &description()["components"]["schemas"];
    let listed = |name: &str| -> Vec<String> {
        serde_json::from_value(schemas[name]["enum"].clone()).expect("a list of names")
    };
    let systems: Vec<&str> = catena::systems::SYSTEMS.iter().map(|system| system.name).collect();
    assert_eq!(listed("ReadySystem"), systems);
    let questions: Vec<&str> =
        catena::analysis::ANALYSES.iter().map(|question| question.name).collect();
    assert_eq!(listed("Question"), questions);
}

#[test]
fn every_schema_that_is_named_is_there_and_every_one_that_is_there_is_named() {
    fn collect(value: &Value, names: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                let named = map.get("$ref").and_then(Value::as_str);
                names.extend(named.map(str::to_owned));
                map.values().for_each(|value| collect(value, names));
            }
            Value::Array(list) => list.iter().for_each(|value| collect(value, names)),
            _ => {}
        }
    }
    let description = description();
    let mut named = Vec::new();
    collect(&description, &mut named);
    let schemas = description["components"]["schemas"].as_object().expect("schemas");
    for name in &named {
        let schema = name.strip_prefix("#/components/schemas/").expect("a schema");
        assert!(schemas.contains_key(schema), "{name}");
    }
    for schema in schemas.keys().filter(|schema| *schema != "RunPart") {
        let path = format!("#/components/schemas/{schema}");
        assert!(named.contains(&path), "nothing names {schema}");
    }
}

#[test]
fn what_is_described_is_what_can_be_done() {
    let served = Served::new(small());
    let description = description();
    let paths = description["paths"].as_object().expect("paths");
    for (path, operations) in paths {
        let address = path.replace("{id}", "0").replace("{name}", "a.toml");
        let mut described: Vec<String> = operations
            .as_object()
            .expect("operations")
            .keys()
            .filter(|key| *key != "parameters")
            .map(|method| method.to_uppercase())
            .collect();
        if described.contains(&"GET".to_owned()) {
            described.push("HEAD".to_owned());
        }
        described.sort();
        let refused = served.get(&format!("PATCH {address}"), "");
        assert_eq!(refused.status(), 405, "{path}");
        let mut allowed: Vec<&str> =
            refused.header("allow").expect("methods").split(", ").collect();
        allowed.sort_unstable();
        assert_eq!(allowed, described, "{path}");
    }
}
