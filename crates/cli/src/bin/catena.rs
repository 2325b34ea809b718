//! The program `catena`.

use std::process::ExitCode;

fn main() -> ExitCode {
    catena_cli::main()
}
