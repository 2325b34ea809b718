//! Model files of one folder, and nothing else.

use crate::served::{Scratch, Served, settings, small};
use catena_server::{ServeError, Server, ServerSettings};
use serde_json::json;

fn serving(folder: &Scratch) -> Served {
    Served::with(ServerSettings { folder: Some(folder.path("")), ..settings(small()) })
}

fn put(
    served: &Served,
    name: &str,
    headers: &str,
    text: impl AsRef<[u8]>,
) -> crate::client::Answer {
    let headers = format!("Content-Type: application/toml\r\n{headers}");
    served.send(&format!("PUT /api/1/files/{name}"), &headers, text)
}

#[test]
fn without_a_folder_no_file_is_touched() {
    let served = Served::new(small());
    let list = served.get("GET /api/1/files", "");
    assert_eq!(list.json(), json!({ "folder": null, "files": [], "more": 0 }));
    let expected =
        "request: this server has no folder of models (start it with one: catena serve FOLDER)";
    for answer in [served.get("GET /api/1/files/a.toml", ""), put(&served, "a.toml", "", "x")] {
        assert_eq!((answer.status(), answer.error().as_str()), (404, expected));
    }
}

#[test]
fn models_of_the_folder_are_listed_read_and_written() {
    let folder = Scratch::new();
    folder.write("b.toml", "title = \"B\"");
    folder.write("secret.txt", "not a model");
    let served = serving(&folder);
    let created = put(&served, "My%20model.toml", "", "title = \"A\"");
    assert_eq!(created.status(), 201);
    assert_eq!(folder.read("My model.toml"), "title = \"A\"");
    let list = served.get("GET /api/1/files", "").json();
    let names: Vec<&str> = list["files"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|file| file["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["My model.toml", "b.toml"]);
    let read = served.get("GET /api/1/files/b.toml", "");
    assert_eq!((read.status(), read.text()), (200, "title = \"B\""));
    assert_eq!(read.header("content-type"), Some("application/toml"));
    let missing = served.get("GET /api/1/files/c.toml", "");
    assert_eq!(missing.status(), 404);
    assert!(missing.error().contains("there is no file `c.toml` in the folder"));
}

#[test]
fn what_was_modified_meanwhile_is_not_overwritten() {
    let folder = Scratch::new();
    folder.write("a.toml", "one");
    let served = serving(&folder);
    let blind = put(&served, "a.toml", "", "two");
    assert_eq!(blind.status(), 428);
    assert!(blind.error().contains("`a.toml` exists already"), "{}", blind.error());
    let seen = served.get("GET /api/1/files/a.toml", "");
    let tag = seen.header("etag").expect("a tag").to_owned();
    folder.write("a.toml", "somebody else");
    let late = put(&served, "a.toml", &format!("If-Match: {tag}\r\n"), "two");
    assert_eq!(late.status(), 412);
    assert!(late.error().contains("`a.toml` was modified meanwhile"), "{}", late.error());
    assert_eq!(folder.read("a.toml"), "somebody else");
    folder.write("a.toml", "one");
    let written = put(&served, "a.toml", &format!("If-Match: {tag}\r\n"), "two");
    assert_eq!((written.status(), folder.read("a.toml").as_str()), (204, "two"));
    // the new tag goes on from there
    let tag = written.header("etag").expect("a tag").to_owned();
    assert_eq!(put(&served, "a.toml", &format!("If-Match: {tag}\r\n"), "three").status(), 204);
    assert_eq!(put(&served, "new.toml", &format!("If-Match: {tag}\r\n"), "x").status(), 412);
    assert_eq!(put(&served, "a.toml", "If-None-Match: *\r\n", "x").status(), 412);
    assert_eq!(put(&served, "new.toml", "If-None-Match: *\r\n", "x").status(), 201);
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let folder = Scratch::new();
    std::fs::create_dir(folder.path("inner")).expect("a folder");
    folder.write("outside.toml", "title = \"outside\"");
    let served =
        Served::with(ServerSettings { folder: Some(folder.path("inner")), ..settings(small()) });
    let absolute = folder.path("outside.toml").display().to_string().replace('/', "%2f");
    for name in [
        "../outside.toml",
        "..%2foutside.toml",
        "%2e%2e%2foutside.toml",
        "%2e%2e/outside.toml",
        "..%5coutside.toml",
        "..%252foutside.toml",
        ".%00./outside.toml",
        "outside.toml%00.toml",
        "/outside.toml",
        &absolute,
        "%zz.toml",
        "nul.toml",
        "",
        "%2e",
        "..",
    ] {
        for answer in
            [served.get(&format!("GET /api/1/files/{name}"), ""), put(&served, name, "", "x")]
        {
            assert!(matches!(answer.status(), 400 | 404), "{name}: {answer:?}");
            assert!(!answer.text().contains("title"), "{name}");
        }
    }
    assert_eq!(folder.read("outside.toml"), "title = \"outside\"");
    let inside = std::fs::read_dir(folder.path("inner")).expect("a folder");
    assert_eq!(inside.count(), 0, "nothing was written");
}

#[test]
#[cfg(unix)]
fn links_devices_and_pipes_are_left_alone() {
    use std::os::unix::fs::symlink;
    let folder = Scratch::new();
    std::fs::create_dir(folder.path("inner")).expect("a folder");
    folder.write("outside.toml", "title = \"outside\"");
    symlink("../outside.toml", folder.path("inner/link.toml")).expect("a link");
    symlink("/dev/zero", folder.path("inner/zero.toml")).expect("a link");
    symlink("nowhere", folder.path("inner/broken.toml")).expect("a link");
    std::fs::create_dir(folder.path("inner/folder.toml")).expect("a folder");
    let pipe = folder.path("inner/pipe.toml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    let served =
        Served::with(ServerSettings { folder: Some(folder.path("inner")), ..settings(small()) });
    for name in ["link.toml", "zero.toml", "broken.toml", "folder.toml", "pipe.toml"] {
        let read = served.get(&format!("GET /api/1/files/{name}"), "");
        let written = put(&served, name, "If-Match: *\r\n", "x");
        let created = put(&served, name, "", "x");
        for answer in [read, written, created] {
            assert_eq!(answer.status(), 403, "{name}: {answer:?}");
            let expected = format!(
                "request: `{name}` is not a plain file (folders, links and devices are neither read nor written here)"
            );
            assert_eq!(answer.error(), expected);
        }
    }
    assert_eq!(served.get("GET /api/1/files", "").json()["files"], json!([]));
    assert_eq!(folder.read("outside.toml"), "title = \"outside\"");
}

#[test]
fn files_that_are_too_large_are_neither_read_nor_written() {
    let folder = Scratch::new();
    let large = vec![b'#'; catena::model::MAX_FILE_SIZE + 1];
    folder.write("large.toml", &large);
    let served = serving(&folder);
    for answer in [
        served.get("GET /api/1/files/large.toml", ""),
        put(&served, "new.toml", "", &large),
        put(&served, "new.toml", "", vec![b'#'; 6_000_000]),
    ] {
        assert_eq!(answer.status(), 413);
        assert!(answer.error().starts_with("limit: "), "{}", answer.error());
    }
    assert!(!folder.path("new.toml").exists());
    let binary = put(&served, "new.toml", "", [0xff, 0xfe]);
    assert_eq!(binary.error(), "request: the model is not text (write it in UTF-8)");
}

#[test]
fn a_folder_must_be_there() {
    let folder = Scratch::new();
    folder.write("file.toml", "");
    for name in ["nowhere", "file.toml"] {
        let folder = Some(folder.path(name));
        let error = Server::bind(ServerSettings { folder, ..settings(small()) }).err();
        assert!(matches!(error, Some(ServeError::NoFolder { .. })), "{error:?}");
    }
}

#[test]
fn a_port_that_is_taken_is_told_with_one_that_is_free() {
    let served = Served::new(small());
    let taken = served.address.port();
    let error = Server::bind(ServerSettings { port: taken, ..settings(small()) }).err();
    let Some(ServeError::PortTaken { port, free: Some(free) }) = &error else {
        panic!("{error:?}")
    };
    assert_eq!(*port, taken);
    assert!(*free > taken, "{free}");
}
