//! What a long formula or a large system costs: linear in its terms, from the text to the first step.

use catena::{CoordinateSet, Extent, Format, RunSettings};
use catena_tests::{ready, written};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// Bytes of this thread: asked for so far, in use now, and the most that were in use.
    static ASKED: Cell<usize> = const { Cell::new(0) };
    static IN_USE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: every call goes on to the system's allocator
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + layout.size());
        IN_USE.set(IN_USE.get() + layout.size() as isize);
        PEAK.set(PEAK.get().max(IN_USE.get()));
        // SAFETY: as the caller promises
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.set(IN_USE.get() - layout.size() as isize);
        // SAFETY: as the caller promises
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that were asked for, and the most that were in use at a time.
fn memory<T>(work: impl FnOnce() -> T) -> (f64, f64) {
    let (asked, in_use) = (ASKED.get(), IN_USE.get());
    PEAK.set(in_use);
    drop(work());
    ((ASKED.get() - asked) as f64, (PEAK.get() - in_use) as f64)
}

/// A point in a plane under a potential, with more sections.
fn model_text(potential: &str, more: &str) -> String {
    format!(
        r#"
        coordinates = {{ x = "along", y = "across" }}
        [energy]
        kinetic = "1/2*x'^2 + 1/2*y'^2"
        potential = "{potential}"
        {more}
        [initial]
        x = 0.3123
        "#
    )
}

/// Terms for k = 1, 2, …, joined by an operator.
fn joined(count: usize, operator: &str, term: impl Fn(usize) -> String) -> String {
    (1..=count).map(term).collect::<Vec<_>>().join(operator)
}

fn sum(count: usize, term: impl Fn(usize) -> String) -> String {
    joined(count, " + ", term)
}

/// A kind of long formula, by name, with the text of a model that has so many terms.
type Shape = (&'static str, fn(usize) -> String);

const SHAPES: [Shape; 10] = [
    ("sines", |n| model_text(&sum(n, |k| format!("sin({k}*x)/{k}")), "")),
    ("exponentials", |n| model_text(&sum(n, |k| format!("exp(-x^2*{k}/{n})")), "")),
    ("products of functions", |n| model_text(&sum(n, |k| format!("sin({k}*x)*cos({k}*y)")), "")),
    ("squares of sine and cosine", |n| {
        model_text(&sum(n, |k| format!("sin({k}*x)^2 + cos({k}*x)^2*x")), "")
    }),
    ("polynomial", |n| model_text(&sum(n, |k| format!("{k}*x^{}*y^{}", k % 40, k / 40 % 40)), "")),
    ("one product", |n| model_text(&joined(n, "*", |k| format!("(1 + x/{k}^2)")), "")),
    ("quotients", |n| model_text(&sum(n, |k| format!("1/(x + {k})")), "")),
    ("constraint", |n| {
        let surface = sum(n, |k| format!("sin({k}*x)/{k}^2"));
        model_text("x^2 + y", &format!("[constraints]\nground = \"y - ({surface})\""))
    }),
    ("drives", |n| {
        let force = sum(n, |k| format!("x*sin({k}*t/{n})"));
        model_text("x^2", &format!("[forces]\nx = \"{force}\""))
    }),
    ("kinks", |n| model_text(&sum(n, |k| format!("max(x - {k}/10, 0)^2")), "")),
];

/// From the text to the first step.
fn first_step(text: &str) {
    let request = RunSettings {
        t_end: Some(1e-9),
        every: Some(1e-9),
        no_certify: true,
        ..RunSettings::default()
    };
    catena::run(&written(text), &request).expect("it runs");
}

#[test]
fn memory_is_linear_in_the_terms_of_a_formula() {
    for (name, text) in SHAPES {
        let [few, many] = [500, 4000].map(|terms| memory(|| first_step(&text(terms))));
        // eight times the terms: quadratic growth would be 64 times
        assert!(many.0 < 20.0 * few.0, "{name}: {:.1e} bytes became {:.1e}", few.0, many.0);
        assert!(many.1 < 20.0 * few.1, "{name}: {:.1e} bytes became {:.1e}", few.1, many.1);
        assert!(many.1 < 100e6, "{name}: {:.1e} bytes for 4000 terms", many.1);
    }
}

#[test]
fn a_thousand_links_are_examined_without_an_expression_for_every_mass() {
    let model = ready("chain", &["links=1000"]);
    let (_, peak) = memory(|| {
        let diagnosis = catena::diagnose(&model);
        assert!(diagnosis.can_run() && diagnosis.freedom_by_rank() == 1000);
    });
    // M is 8 MB as numbers; as expressions it took 700
    assert!(peak < 100e6, "{peak:.1e} bytes");
}

#[test]
fn a_large_mass_matrix_is_examined_as_a_small_one_is() {
    let line = |massless: usize| {
        let coordinates = (1..=80).map(|k| format!("x{k} = \"{k}\"\n")).collect::<String>();
        let kinetic = sum(80, |k| format!("{}*x{k}'^2", if k == massless { "0" } else { "1/2" }));
        written(&format!("[coordinates]\n{coordinates}[energy]\nkinetic = \"{kinetic}\""))
    };
    assert!(catena::diagnose(&line(0)).can_run());
    let diagnosis = catena::diagnose(&line(33));
    assert!(!diagnosis.can_run());
    let messages: Vec<String> = diagnosis.findings.iter().map(|f| f.kind.message()).collect();
    assert!(messages.iter().any(|message| message.contains("`x33` has no mass")), "{messages:?}");
}

#[test]
fn large_systems_are_written_out_as_far_as_people_read() {
    let told = |links: usize, extent: Extent| {
        let model = ready("chain", &[&format!("links={links}")]);
        catena::derive_as_far(&model, CoordinateSet::Own, extent).expect("both routes agree")
    };
    let text = |links, extent| told(links, extent).write(Format::Text { color: false });
    assert_eq!(text(12, Extent::Readable), text(12, Extent::Everything));
    let large = told(60, Extent::Readable);
    let lines = large.write(Format::Text { color: false });
    assert!(lines.contains("the first 10 of them"), "it says what is left out");
    assert!(lines.contains("up to index 10"), "of matrices too");
    assert!(lines.lines().count() < 3000, "{} lines", lines.lines().count());
    assert_eq!((large.mass_matrix.len(), large.forces.len()), (10, 10));
    // what is written is what the whole has there
    let whole = told(60, Extent::Everything);
    assert_eq!(whole.mass_matrix.len(), 60);
    for (row, all) in large.mass_matrix.iter().zip(&whole.mass_matrix) {
        assert_eq!(row[..], all[..10]);
    }
    assert_eq!(large.forces[..], whole.forces[..10]);
}
