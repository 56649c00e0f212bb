//! A `quintain` with one more kind of world in it: every command, the fleet and the bridges know it.

fn main() -> std::process::ExitCode {
    quintain_cli::main_with(std::env::args_os(), &own_world::parts()).into()
}
