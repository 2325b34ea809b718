//! Jobs that end well, badly, late or never: the server goes on, and the next job has what it needs.

use crate::served::{Served, small, until};
use catena_server::Limits;
use serde_json::{Value, json};
use std::time::Duration;

/// A process that is killed is gone at once; one that ignores that its job was cancelled is given this long.
const SHORT: Duration = Duration::from_millis(200);

fn process_of(reply: &Value) -> u64 {
    reply["process"].as_u64().expect("the stand-in says who it is")
}

fn lives(process: u64) -> bool {
    std::path::Path::new(&format!("/proc/{process}")).exists()
}

/// The job that a stream begins with.
fn accepted(client: &mut crate::client::Client) -> String {
    let (name, data) = client.event().expect("a first event");
    assert_eq!(name, "accepted");
    data["job"].as_str().expect("a name").to_owned()
}

#[test]
fn events_come_in_their_order_and_the_reply_is_the_last() {
    let served = Served::new(small());
    let request = json!({
        "do": "run", "progress": [0.25], "parts": [{ "run": 1 }, { "run": 2 }], "reply": { "x": 5 },
    });
    let mut client = served.stream(&request);
    accepted(&mut client);
    let events = client.events();
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["progress", "part", "part", "done"]);
    assert_eq!(events[0].1, json!({ "part": 0.25 }));
    assert_eq!(events[1].1, json!({ "run": 1 }));
    assert_eq!(events[3].1["x"], 5);
}

#[test]
fn the_reply_alone_has_a_status_that_says_whether_the_question_was_answered() {
    let served = Served::new(small());
    let status = |kind: &str| {
        let reply = json!({ "error": { "kind": kind, "message": "so" } });
        served.ask(&json!({ "do": "run", "reply": reply })).status()
    };
    assert_eq!(served.ask(&json!({ "do": "run" })).status(), 200);
    assert_eq!(["model", "refused", "limit", "cancelled"].map(status), [200; 4]);
    assert_eq!(status("request"), 400);
    assert_eq!(status("failed"), 500);
    let lines = "{\r\n\"do\":\n\"run\",\"reply\":{\"text\":\"a\\nb\"}}";
    let headers = "Content-Type: application/json; charset=utf-8\r\nAccept: application/json\r\n";
    assert_eq!(served.send("POST /api/1/ask", headers, lines).json()["text"], "a\nb");
}

#[test]
fn a_worker_stays_warm_for_the_next_job() {
    let served = Served::new(small());
    let process = || process_of(&served.ask(&json!({ "do": "run" })).json());
    assert_eq!(process(), process());
}

#[test]
fn quick_work_does_not_wait_behind_long_work() {
    let served = Served::new(small());
    let mut long = served.stream(&json!({ "do": "run", "sleep": 60 }));
    accepted(&mut long);
    for work in ["catalogue", "model", "pose"] {
        assert_eq!(served.ask(&json!({ "do": work })).status(), 200, "{work}");
    }
}

#[test]
fn jobs_wait_with_a_position_and_the_queue_is_bounded() {
    let served = Served::new(small());
    let long = json!({ "do": "run", "sleep": 60 });
    let mut first = served.stream(&long);
    let first_job = accepted(&mut first);
    let mut others: Vec<_> = (0..2).map(|_| served.stream(&long)).collect();
    for (at, client) in others.iter_mut().enumerate() {
        accepted(client);
        assert_eq!(client.event(), Some(("queued".to_owned(), json!({ "position": at + 1 }))));
    }
    let busy = served.ask(&long);
    assert_eq!((busy.status(), busy.header("retry-after")), (429, Some("2")));
    assert_eq!(busy.error(), "busy: busy, position 3 (the queue is full; ask again in a moment)");
    // everybody moves up when the first one ends
    assert_eq!(served.get(&format!("DELETE /api/1/jobs/{first_job}"), "").status(), 204);
    assert_eq!(others[1].event(), Some(("queued".to_owned(), json!({ "position": 1 }))));
}

#[test]
fn a_cancelled_job_ends_and_its_worker_does_the_next_one() {
    let served = Served::new(small());
    let before = process_of(&served.ask(&json!({ "do": "run" })).json());
    let mut client = served.stream(&json!({ "do": "run", "sleep": 60 }));
    let job = accepted(&mut client);
    assert_eq!(served.get(&format!("DELETE /api/1/jobs/{job}"), "").status(), 204);
    let (name, reply) = client.event().expect("a last event");
    assert_eq!((name.as_str(), &reply["error"]["kind"]), ("done", &json!("cancelled")));
    assert_eq!(process_of(&served.ask(&json!({ "do": "run" })).json()), before);
    let gone = served.get(&format!("DELETE /api/1/jobs/{job}"), "");
    assert_eq!(gone.status(), 404);
    assert_eq!(gone.error(), "request: no job of this name waits or runs ()");
}

#[test]
fn closing_the_connection_cancels_the_job() {
    let served = Served::new(Limits { cancel_timeout: SHORT, queue: 8, ..small() });
    // one that stops when it is told to, one that does not, and one whose reply alone was asked for
    let mut client = served.stream(&json!({ "do": "run", "sleep": 60 }));
    accepted(&mut client);
    drop(client);
    let mut client = served.stream(&json!({ "do": "run", "hang": 60 }));
    accepted(&mut client);
    drop(client);
    let body = json!({ "do": "run", "sleep": 60 }).to_string();
    let headers = "Content-Type: application/json\r\nAccept: application/json\r\n";
    let mut client = served.client();
    client.write(
        served.head("POST /api/1/ask", &format!("{headers}Content-Length: {}\r\n", body.len())),
    );
    client.write(body);
    drop(client);
    assert_eq!(served.ask(&json!({ "do": "run" })).status(), 200);
}

#[test]
fn a_job_that_runs_too_long_is_cut_off() {
    let limits = Limits { run_time: SHORT, cancel_timeout: SHORT, ..small() };
    let served = Served::new(limits);
    for habit in ["sleep", "hang"] {
        let answer = served.ask(&json!({ "do": "run", habit: 60 }));
        assert_eq!(
            answer.error(),
            "limit: the job was ended after 0.2 s (ask for less, or start the server with a larger `--seconds`)"
        );
        assert_eq!(answer.status(), 200);
    }
    assert_eq!(served.ask(&json!({ "do": "run" })).status(), 200);
}

#[test]
#[cfg(target_os = "linux")]
fn a_job_that_needs_too_much_memory_is_cut_off() {
    let served = Served::new(Limits { memory: 200 << 20, ..small() });
    let answer = served.ask(&json!({ "do": "run", "hold": 400 << 20 }));
    assert_eq!(
        answer.error(),
        "limit: the job needs more memory than 200 MB (ask for fewer rows or cells, or start the server with a larger `--memory`)"
    );
    assert_eq!(served.ask(&json!({ "do": "run" })).status(), 200);
}

#[test]
#[cfg(target_os = "linux")]
fn a_worker_that_keeps_too_much_memory_is_replaced() {
    let served = Served::new(Limits { idle_memory: 1, ..small() });
    let process = process_of(&served.ask(&json!({ "do": "run" })).json());
    until("the worker is gone", || !lives(process));
    assert_ne!(process_of(&served.ask(&json!({ "do": "run" })).json()), process);
}

#[test]
#[cfg(target_os = "linux")]
fn a_worker_without_work_is_dismissed_and_all_end_with_the_server() {
    let served = Served::new(Limits { idle_time: SHORT, ..small() });
    let process = process_of(&served.ask(&json!({ "do": "run" })).json());
    until("the worker is gone", || !lives(process));
    let served = Served::new(small());
    let idle = process_of(&served.ask(&json!({ "do": "run" })).json());
    let mut client = served.stream(&json!({ "do": "model", "parts": [{}], "hang": 60 }));
    accepted(&mut client);
    client.event();
    drop(served);
    until("the worker is gone", || !lives(idle));
    // the connection of the one that was at work is closed, too
    let mut rest = Vec::new();
    let _ = std::io::Read::read_to_end(&mut client.stream, &mut rest);
    assert!(!String::from_utf8_lossy(&rest).contains("done"));
}

#[test]
fn a_crash_ends_the_job_and_nothing_else() {
    let served = Served::new(small());
    let answer = served.ask(&json!({ "do": "run", "crash": "index out of bounds" }));
    assert_eq!(answer.status(), 500);
    let error = answer.error();
    assert!(
        error.starts_with("failed: the job ended the process that computed it (signal: 6"),
        "{error}"
    );
    assert!(error.contains("this is a fault in Catena"), "{error}");
    assert!(error.contains("index out of bounds"), "{error}");
    let memory =
        served.ask(&json!({ "do": "run", "crash": "memory allocation of 8 bytes failed" }));
    assert!(memory.error().starts_with("limit: the job needs more memory than 1 GB"));
    assert_eq!(served.ask(&json!({ "do": "run" })).status(), 200);
}

#[test]
fn an_answer_that_is_too_long_is_cut_off() {
    let served = Served::new(Limits { reply: 100_000, ..small() });
    let answer = served.ask(&json!({ "do": "run", "write": 200_000 }));
    assert_eq!(
        answer.error(),
        "limit: the answer is longer than 97.7 kB (ask for fewer rows or columns, or use the command line)"
    );
    assert_eq!(served.ask(&json!({ "do": "run", "write": 90_000 })).status(), 200);
}

#[test]
fn a_worker_that_says_what_nobody_understands_is_replaced() {
    let served = Served::new(small());
    for words in ["hello", "{\"event\":\"done\"}", "[1]"] {
        let answer = served.ask(&json!({ "do": "run", "garble": words }));
        assert!(answer.error().starts_with("failed: the worker answered what nobody understands"));
    }
    assert_eq!(served.ask(&json!({ "do": "run" })).status(), 200);
}

#[test]
fn a_client_that_does_not_read_is_given_up() {
    let limits = Limits { write_timeout: SHORT, ..small() };
    let served = Served::new(limits);
    // more than the buffers of a connection hold
    let mut deaf = served.stream(&json!({ "do": "run", "write": 30_000_000, "sleep": 60 }));
    accepted(&mut deaf);
    assert_eq!(served.ask(&json!({ "do": "run" })).status(), 200);
    drop(deaf);
}

#[test]
fn a_program_that_is_no_worker_is_told_of() {
    let mut settings = crate::served::settings(small());
    settings.worker.program = "/nowhere/catena".into();
    let served = Served::with(settings);
    let answer = served.ask(&json!({ "do": "run" }));
    assert!(answer.error().starts_with("failed: no worker could be started: "), "{answer:?}");
}
