//! The `quintain` command. What it does is in the library beside it; `dispatch.rs` lists the commands.

fn main() -> std::process::ExitCode {
    quintain_cli::main(std::env::args_os()).into()
}
