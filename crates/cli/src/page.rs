//! `catena page`

use crate::destinations::Destinations;
use crate::{output, report};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Page {
    /// The page
    #[arg(short, long, value_name = "FILE", default_value = "catena.html")]
    output: PathBuf,
}

impl Page {
    pub(crate) fn run(self) -> ExitCode {
        self.attempt().unwrap_or_else(|code| code)
    }

    fn attempt(&self) -> Result<ExitCode, ExitCode> {
        Destinations::default().add(Some(&self.output), &["html"])?;
        let core = catena_page::core().ok_or_else(|| {
            report::error(
                "this program was built without the core that the page needs",
                Some("build it with install/page, or use the page from this program: catena serve --open"),
            )
        })?;
        let page = catena_page::html(Some(core));
        catena::write(&self.output, page.as_bytes())
            .map_err(|error| report::error(&error.to_string(), None))?;
        let kilobytes = page.len().div_ceil(1000);
        let shown = self.output.display();
        Ok(output::print(&format!("the workbench as one page of {kilobytes} kB: {shown}\n")))
    }
}
