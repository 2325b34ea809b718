//! `catena serve` with real workers: the same numbers as the command line, hostile models, and an end in good order.
#![cfg(unix)]

#[path = "../../server/tests/server/client.rs"]
mod client;
mod process;

use client::{Answer, Client};
use process::{Folder, Running, catena};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A program that serves, and where.
struct Served {
    folder: Folder,
    running: Running,
    address: SocketAddr,
}

impl Served {
    fn new(arguments: &[&str]) -> Served {
        let folder = Folder::new("serve");
        let mut running = folder.start(&[&["serve", "--port", "0"], arguments].concat());
        let address = |_: &mut Child| {
            let output = folder.text("output");
            let (_, rest) = output.split_once("http://")?;
            rest.split_once('/')?.0.parse().ok()
        };
        let address = running.until("it says where it is", address).expect("an address");
        Served { folder, running, address }
    }

    fn head(&self, accept: &str, length: usize) -> String {
        format!(
            "POST /api/1/ask HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Accept: {accept}\r\nContent-Length: {length}\r\n\r\n",
            self.address
        )
    }

    fn ask(&self, request: &Value) -> Answer {
        let mut client = Client::new(self.address);
        let body = request.to_string();
        client.write(self.head("application/json", body.len()));
        client.write(body);
        client.answer().expect("an answer")
    }

    fn events(&self, request: &Value) -> Vec<(String, Value)> {
        let mut client = Client::new(self.address);
        let body = request.to_string();
        client.write(self.head("text/event-stream", body.len()));
        client.write(body);
        assert_eq!(client.head().expect("an answer").status, 200);
        client.events()
    }

    /// Whether work is done as ever.
    fn goes_on(&self) {
        let answer = self.ask(&json!({ "do": "model", "model": { "name": "single-pendulum" } }));
        assert_eq!((answer.status(), &answer.json()["problems"]), (200, &json!([])));
        let run = json!({ "do": "run", "model": { "name": "single-pendulum" }, "options": { "t_end": "1" } });
        assert_eq!(self.ask(&run).json()["certificate"]["stop"], "finished");
    }
}

/// Processes that a process has started.
fn children(process: u32) -> Vec<String> {
    let listed = Command::new("ps").args(["-o", "pid=", "--ppid", &process.to_string()]).output();
    let listed = String::from_utf8(listed.expect("ps runs").stdout).expect("numbers");
    listed.split_whitespace().map(str::to_owned).collect()
}

fn lives(process: &str) -> bool {
    let mut test = Command::new("kill");
    test.args(["-0", process]).stderr(Stdio::null());
    test.status().is_ok_and(|status| status.success())
}

fn until(what: &str, mut condition: impl FnMut() -> bool) {
    for _ in 0..6000 {
        if condition() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("waited a minute until {what}");
}

/// Little-endian floats in base64.
fn floats(text: &str) -> Vec<f64> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        let value = LETTERS.iter().position(|known| *known == letter).expect("base64");
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    bytes.chunks_exact(8).map(number).collect()
}

/// The columns of a table as it is written with all digits.
fn written(table: &str) -> Vec<(String, Vec<f64>)> {
    let mut lines = table.lines();
    let titles = lines.next().expect("a line of titles").split(',');
    let mut columns: Vec<_> = titles.map(|title| (title.to_owned(), Vec::new())).collect();
    for line in lines {
        for ((_, numbers), text) in columns.iter_mut().zip(line.split(',')) {
            numbers.push(text.parse().expect("a number"));
        }
    }
    columns
}

#[test]
fn the_server_and_the_command_line_give_the_same_bits() {
    let served = Served::new(&[]);
    for (name, end) in [
        ("double-pendulum", "5"),
        ("four-bar", "2"),
        ("slider-crank", "2"),
        ("triple-pendulum", "2"),
        ("chain", "2"),
    ] {
        let file = format!("{name}.csv");
        served.folder.run(&["run", name, "--to", end, "-o", &file]).printed();
        let expected = written(&served.folder.text(&file));
        let request =
            json!({ "do": "run", "model": { "name": name }, "options": { "t_end": end } });
        let events = served.events(&request);
        let (_, part) = events.iter().find(|(event, _)| event == "part").expect("a part");
        let columns = part["run"]["columns"].as_array().expect("columns");
        assert_eq!(columns.len(), expected.len(), "{name}");
        for (column, (title, expected)) in columns.iter().zip(expected) {
            assert_eq!(column["name"], title, "{name}");
            let numbers = floats(column["values"].as_str().expect("numbers"));
            assert!(expected.len() > 20, "{name} {title}");
            let bits = |numbers: &[f64]| numbers.iter().map(|n| n.to_bits()).collect::<Vec<_>>();
            assert!(bits(&numbers) == bits(&expected), "{name} {title}");
        }
    }
}

#[test]
fn every_example_of_the_description_is_answered() {
    let served = Served::new(&[]);
    let description: Value = serde_json::from_str(catena_server::description()).expect("JSON");
    let body =
        &description["paths"]["/api/1/ask"]["post"]["requestBody"]["content"]["application/json"];
    let examples = body["examples"].as_object().expect("examples");
    let schemas = &description["components"]["schemas"];
    for (verb, example) in examples {
        let answer = served.ask(&example["value"]);
        assert_eq!(answer.status(), 200, "{verb}");
        let reply = answer.json();
        let mut name = format!("{verb}Reply");
        name[..1].make_ascii_uppercase();
        for key in schemas[&name]["required"].as_array().expect("required keys") {
            let key = key.as_str().expect("a key");
            assert!(reply.get(key).is_some(), "{verb} has no `{key}`: {reply}");
        }
    }
}

#[test]
fn a_request_that_looks_like_a_cancel_is_answered() {
    let served = Served::new(&[]);
    let answer = served.ask(&json!({ "do": "catalogue", "cancel": true }));
    assert_eq!(answer.status(), 400);
    assert!(answer.error().contains("nothing reads `cancel`"), "{}", answer.error());
}

#[test]
fn hostile_models_are_cut_off_and_the_server_goes_on() {
    let served = Served::new(&["--seconds", "1"]);
    let pendulum = json!({ "name": "double-pendulum" });
    // a run without an end says what it has by then
    let options = json!({ "t_end": "1e12", "every": "1e9" });
    let endless = served.ask(&json!({ "do": "run", "model": pendulum, "options": options })).json();
    let late = endless["late"].as_str().or_else(|| endless["error"]["message"].as_str());
    assert!(late.is_some_and(|words| words.contains("stopped after 1 s")), "{endless}");
    served.goes_on();
    // rows by the thousand million are refused before the first one
    let options = json!({ "t_end": "10", "every": "1e-8" });
    let rows = served.ask(&json!({ "do": "run", "model": pendulum, "options": options }));
    assert!(rows.error().contains("rows"), "{}", rows.error());
    // nor is a model read that is longer than any
    let text = format!("# {}", "x".repeat(2_000_000));
    let long = served.ask(&json!({ "do": "model", "model": { "name": "long", "text": text } }));
    assert!(long.error().starts_with("limit: "), "{}", long.error());
    // equations that take long to derive: nothing in there looks at the clock
    let chain = "title = \"Long\"\n[chain]\nlinks = 1500\nmass = 1\nlength = 1\n";
    let derive = served.ask(&json!({ "do": "derive", "model": { "name": "long", "text": chain } }));
    assert!(derive.error().contains("limit: the job was ended after 1 s"), "{}", derive.error());
    served.goes_on();
}

#[test]
fn a_job_that_outgrows_its_memory_is_cut_off_and_the_server_goes_on() {
    let served = Served::new(&["--memory", "64M"]);
    let options = json!({ "t_end": "9", "every": "1e-5", "columns": ["theta1", "theta2"] });
    let model = json!({ "name": "double-pendulum" });
    let memory = served.ask(&json!({ "do": "run", "model": model, "options": options }));
    assert!(memory.error().contains("the job needs more memory than 64 MB"), "{}", memory.error());
    served.goes_on();
}

#[test]
fn workers_end_with_the_server_however_it_ends() {
    for signal in ["INT", "TERM", "KILL"] {
        let served = Served::new(&[]);
        served.goes_on();
        // one at work that looks at nothing
        let chain = "title = \"Long\"\n[chain]\nlinks = 1500\nmass = 1\nlength = 1\n";
        let body =
            json!({ "do": "derive", "model": { "name": "long", "text": chain } }).to_string();
        let mut client = Client::new(served.address);
        client.write(served.head("text/event-stream", body.len()));
        client.write(body);
        client.head();
        let workers = children(served.running.id());
        assert!(workers.len() >= 2, "{workers:?}");
        served.running.signal(signal);
        let Served { folder, running, .. } = served;
        let status = running.wait();
        if signal != "KILL" {
            let answer = folder.answer(status);
            assert_eq!((answer.code, answer.message.as_str()), (Some(0), ""), "{signal}");
        }
        until("all workers are gone", || !workers.iter().any(|worker| lives(worker)));
    }
}

#[test]
fn a_port_that_is_taken_is_told_with_one_that_is_free() {
    let served = Served::new(&[]);
    let port = served.address.port().to_string();
    let message = catena(&["serve", "--port", &port]).refused(2);
    assert!(message.contains(&format!("error: port {port} is taken")), "{message}");
    assert!(message.contains("is free, and `--port 0` takes any"), "{message}");
}

#[test]
fn wrong_limits_and_folders_are_refused() {
    for (arguments, reason) in [
        (&["nowhere"][..], "cannot use the folder `nowhere`"),
        (&["--memory", "much"], "write a size as 500M or 2G"),
        (&["--memory", "99999999999G"], "write a size as 500M or 2G"),
        (&["--seconds", "0"], "give a number of seconds greater than 0"),
        (&["--seconds", "nan"], "give a number of seconds greater than 0"),
        (&["--host", "256.256.256.256"], "cannot serve at 256.256.256.256"),
    ] {
        let message = catena(&[&["serve", "--port", "0"], arguments].concat()).refused(2);
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn where_no_browser_opens_the_address_is_there_to_be_opened() {
    let folder = Folder::new("open");
    let mut command =
        folder.command(env!("CARGO_BIN_EXE_catena"), &["serve", "--port=0", "--open"]);
    // nothing that could open anything
    command.env("PATH", folder.path(""));
    let mut running = Running::new(command.spawn().expect("the program starts"));
    let said = |_: &mut Child| (!folder.text("message").is_empty()).then_some(());
    running.until("it says something", said).expect("it runs on");
    let message = folder.text("message");
    assert!(message.contains("no browser could be opened"), "{message}");
    assert!(message.contains("open the address above yourself"), "{message}");
}
