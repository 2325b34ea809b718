//! The page that needs no server, from the command line.

mod process;

use process::Folder;

/// Whether the program under test was built with a core inside (`install/page`).
const HAS_CORE: bool = option_env!("CATENA_CORE").is_some();

#[test]
fn the_page_is_written_or_the_program_says_how_to_get_one() {
    let folder = Folder::new("the page");
    let ended = folder.run(&["page", "-o", "p.html"]);
    if HAS_CORE {
        assert!(ended.printed().ends_with("p.html\n"));
        let page = folder.text("p.html");
        assert!(page.starts_with("<!doctype html>") && page.contains("id=\"core\""));
        return;
    }
    let said = ended.refused(1);
    assert!(said.contains("this program was built without the core that the page needs"), "{said}");
    assert!(said.contains("install/page") && said.contains("catena serve --open"), "{said}");
    assert!(!folder.path("p.html").exists());
}

#[test]
fn a_page_is_html() {
    let said = Folder::new("a page is HTML").run(&["page", "-o", "p.pdf"]).refused(2);
    assert!(said.contains(".html"), "{said}");
}
