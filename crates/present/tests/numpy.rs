//! Archives as NumPy reads them: names, kinds, shapes, and every bit. Needs python3; NumPy is installed into a virtual
//! environment under `target` where the interpreter does not have it.

use catena_present::{Document, Sheet, write_document, write_table};
use catena_simulation::Table;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// An interpreter that has NumPy.
fn python() -> &'static Path {
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
        let version = Command::new(&system).arg("--version").output();
        assert!(
            version.is_ok_and(|output| output.status.success()),
            "this test reads archives with NumPy: install python3 (with its venv module)"
        );
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("numpy-environment");
        let own = folder.join("bin").join("python");
        if has_numpy(&own) {
            return own;
        }
        let run = |program: &Path, arguments: &[&str]| {
            let output = Command::new(program).args(arguments).output().expect("it can be started");
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            let cure = "install NumPy (python3 -m pip install numpy) and python3's venv module";
            assert!(output.status.success(), "{cure}: {arguments:?} failed:\n{message}");
        };
        run(&system, &["-m", "venv", "--clear", &folder.to_string_lossy()]);
        run(&own, &["-m", "pip", "install", "--quiet", "numpy"]);
        own
    })
}

/// What a script prints about an archive, which it finds as `archive`.
fn told(name: &str, write: impl FnOnce(&Path), script: &str) -> String {
    let path = std::env::temp_dir().join(format!("catena-{}-{name}.npz", std::process::id()));
    write(&path);
    let script = format!("import sys, numpy\narchive = numpy.load(sys.argv[1])\n{script}");
    let answer = Command::new(python()).args(["-c", &script]).arg(&path).output();
    let answer = answer.expect("python3 can be started");
    // a file that stays behind is no reason to fail
    let _ = std::fs::remove_file(&path);
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    String::from_utf8(answer.stdout).expect("it prints text")
}

/// A line for each array: name, kind, shape, bytes or words.
const EVERYTHING: &str = "
for name in archive.files:
    array = archive[name]
    values = array.tobytes().hex() if array.dtype.kind == 'f' else '|'.join(array.ravel())
    print(name, array.dtype.str, array.shape, values, sep='\\t')
";

fn hexadecimal(numbers: &[f64]) -> String {
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

const SPECIAL: [f64; 6] =
    [0.0, -0.0, 1.0 / 3.0, f64::MIN_POSITIVE / 4.0, f64::INFINITY, f64::NEG_INFINITY];

#[test]
fn numbers_words_and_grids_come_back_as_they_were() {
    let quiet_nan = f64::from_bits(0x7ff8_0000_0000_0123);
    let rates = [quiet_nan, 1.0, 2.0, 3.0, f64::MAX, 5e-324];
    let grid = Table::default().with_numbers("theta", "rad", SPECIAL.to_vec()).with_numbers(
        "theta'",
        "rad/s",
        rates.to_vec(),
    );
    let words = ["aufwärts", "", "φ₁ = 0, \"down\""].map(str::to_owned);
    let events = Table::default().with_words("event", words.to_vec()).with_numbers(
        "t",
        "s",
        vec![0.5, 1.0, 1.5],
    );
    let none = Table::default().with_words("note", Vec::new()).with_numbers("t", "s", Vec::new());
    let told = told(
        "everything",
        |path| {
            let mut document = Document::of_table("run", &grid);
            document.sheets[0].shape = Some(&[2, 3]);
            document.sheets.push(Sheet { name: "events", rows: &events, shape: None });
            // a shape that the values do not fill
            document.sheets.push(Sheet { name: "none", rows: &none, shape: Some(&[2, 3]) });
            write_document(&document, path).expect("the temporary folder can be written");
        },
        EVERYTHING,
    );
    let expected = [
        format!("theta\t<f8\t(2, 3)\t{}", hexadecimal(&SPECIAL)),
        format!("theta'\t<f8\t(2, 3)\t{}", hexadecimal(&rates)),
        format!("events.event\t<U14\t(3,)\t{}", words.join("|")),
        format!("events.t\t<f8\t(3,)\t{}", hexadecimal(&[0.5, 1.0, 1.5])),
        "none.note\t<U1\t(0,)\t".to_owned(),
        "none.t\t<f8\t(0,)\t".to_owned(),
    ];
    assert_eq!(told.lines().collect::<Vec<_>>(), expected);
}

/// The directory of a plain archive counts to 65 535.
#[test]
fn more_columns_than_sixteen_bits_can_count_are_all_there() {
    const COLUMNS: usize = 70_000;
    let names = (0..COLUMNS).map(|at| format!("x{at}"));
    let mut table = Table::new(names, 1);
    table.push((0..COLUMNS).map(|at| at as f64));
    let told = told(
        "many",
        |path| write_table(&table, path).expect("the temporary folder can be written"),
        "print(len(archive.files), *(archive[f'x{at}'][0] for at in (0, 65534, 65535, 65536, 69999)))",
    );
    assert_eq!(told.trim(), "70000 0.0 65534.0 65535.0 65536.0 69999.0");
}

#[test]
fn the_same_table_gives_the_same_bytes() {
    let table = Table::default().with_numbers("t", "s", SPECIAL.to_vec());
    let written = ["one", "two"].map(|name| {
        let path = std::env::temp_dir().join(format!("catena-{}-{name}.npz", std::process::id()));
        write_table(&table, &path).expect("the temporary folder can be written");
        let bytes = std::fs::read(&path).expect("it was just written");
        let _ = std::fs::remove_file(&path);
        bytes
    });
    assert!(written[0] == written[1]);
}
