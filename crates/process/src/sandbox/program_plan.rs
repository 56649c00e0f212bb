//! A program of the host in a sandbox: it sees itself, what interprets it, the files that its command line names and
//! whatever else it is granted. Nothing of Quintain is among that: whoever can run it can ask it for solutions.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::{env, fs};

use crate::search_path::{on_search_path, search_path};

use super::plan::{Binding, SandboxLimits, SandboxPlan};

/// How long a chain of links and interpreters may be.
const MAX_HOPS: usize = 8;
/// The longest first line of a script that the kernel reads.
const MAX_FIRST_LINE: u64 = 256;
/// What of a system is in every sandbox.
const SYSTEM: [&str; 5] = ["/usr", "/bin", "/sbin", "/lib", "/lib64"];
/// What we are called, as a program and as a package.
const OURS: &str = "quintain";

impl SandboxPlan {
    /// A plan in which a command line works as it does here, as far as it names what it needs. `files` are seen besides.
    pub fn for_program(argv: &[String], files: &[PathBuf]) -> io::Result<Self> {
        let folder = env::current_dir()?;
        let program = argv.first().ok_or_else(|| io::Error::other("no program is named"))?;
        let mut seen = SeenPlaces::default();
        seen.program(&found(program, &folder).ok_or_else(|| not_found(program))?);
        for word in &argv[1..] {
            let path = folder.join(word);
            if path.is_file() {
                seen.file(&path);
            }
        }
        for path in files {
            seen.file(&folder.join(path));
        }
        let (bindings, masked) = (seen.bindings(), seen.masked());
        let variables = [("PATH".to_owned(), seen.search_path())].into();
        let keeps_user = !bindings.iter().all(|binding| is_public(&binding.host));
        Ok(Self { bindings, masked, variables, folder, limits: limits(), keeps_user, ..Self::default() })
    }

    /// Covers our own program and package where the system has them.
    pub fn hide_ourselves(&mut self) {
        self.masked.extend(SeenPlaces::default().masked());
    }
}

/// An agent may have a model of its own in it: it is kept from running away, not from working.
fn limits() -> SandboxLimits {
    let n_cores = available_parallelism().map_or(1, std::num::NonZero::get);
    SandboxLimits {
        memory_bytes: 16 << 30,
        n_processes: 4096,
        cpu_millis: 1000 * n_cores as u64,
        tmp_bytes: 1 << 30,
        ..SandboxLimits::default()
    }
}

/// Whether every user can come to it and read it.
fn is_public(path: &Path) -> bool {
    let allows =
        |path: &Path, rights: u32| fs::metadata(path).is_ok_and(|data| data.permissions().mode() & rights == rights);
    let Ok(whole) = fs::canonicalize(path) else { return false };
    allows(&whole, 0o004) && whole.ancestors().skip(1).all(|above| allows(above, 0o001))
}

fn not_found(program: &str) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("there is no program `{program}`"))
}

/// Where a program is, by its path or by a name on the search path.
fn found(program: &str, folder: &Path) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(folder.join(program)).filter(|path| path.is_file());
    }
    on_search_path(program)
}

/// Places of the host that are to be seen besides the system.
#[derive(Default)]
struct SeenPlaces(BTreeSet<PathBuf>);

impl SeenPlaces {
    /// A program, what it is a link to, what interprets it, and the installations that these are part of.
    fn program(&mut self, path: &Path) {
        let (mut todo, mut n_hops) = (vec![path.to_owned()], 0);
        while let Some(path) = todo.pop().filter(|_| n_hops < MAX_HOPS) {
            n_hops += 1;
            match installation(&path) {
                Some(prefix) => self.file(&prefix),
                None => self.file(&path),
            }
            if let (Ok(target), Some(folder)) = (fs::read_link(&path), path.parent()) {
                todo.push(folder.join(target));
            }
            todo.extend(interpreter(&path));
        }
    }

    fn file(&mut self, path: &Path) {
        if !is_of_system(path) && path.exists() {
            self.0.insert(path.to_owned());
        }
    }

    /// A place within another that is seen needs no binding of its own.
    fn bindings(&self) -> Vec<Binding> {
        let is_within = |path: &Path| path.ancestors().skip(1).any(|above| self.0.contains(above));
        self.0.iter().filter(|path| !is_within(path)).map(Binding::in_place).collect()
    }

    fn is_seen(&self, path: &Path) -> bool {
        is_of_system(path) || path.ancestors().any(|above| self.0.contains(above))
    }

    /// The search path as far as it is seen, and the system's.
    fn search_path(&self) -> String {
        let mut places: Vec<PathBuf> = search_path().into_iter().filter(|place| self.is_seen(place)).collect();
        for usual in ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from) {
            if !places.contains(&usual) {
                places.push(usual);
            }
        }
        // A place with a colon in its name cannot be on a path at all.
        env::join_paths(places).unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Our own program and package, wherever they are seen.
    fn masked(&self) -> Vec<PathBuf> {
        let mut found: BTreeSet<PathBuf> = env::current_exe().and_then(fs::canonicalize).into_iter().collect();
        let prefixes = self.0.iter().cloned().chain(["/usr", "/usr/local"].map(PathBuf::from));
        for prefix in prefixes {
            found.extend(packages(&prefix).into_iter().chain([prefix.join("bin").join(OURS)]));
        }
        found.extend(search_path().iter().map(|place| place.join(OURS)));
        // What is a link is covered where it leads to.
        found.into_iter().filter_map(|path| fs::canonicalize(path).ok()).filter(|path| self.is_seen(path)).collect()
    }
}

fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

/// Our package in the libraries of every Python of an installation.
fn packages(prefix: &Path) -> Vec<PathBuf> {
    let pythons = entries(&prefix.join("lib")).into_iter().filter(|path| path.is_dir() && starts(path, "python3"));
    let libraries = pythons.flat_map(|python| ["site-packages", "dist-packages"].map(|name| python.join(name)));
    libraries.map(|library| library.join(OURS)).filter(|package| package.exists()).collect()
}

/// The installation that a program is part of: a virtual environment, a Python, a Node, or a folder of shims, behind
/// each of which stands whatever it chooses from.
fn installation(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let prefix = folder.parent()?;
    let has_libraries = || {
        let libraries = entries(&prefix.join("lib"));
        libraries.iter().any(|path| starts(path, "python3") || starts(path, "node_modules"))
    };
    let is_one = match folder.file_name()?.to_str()? {
        "bin" => prefix.join("pyvenv.cfg").is_file() || has_libraries(),
        "shims" => true,
        _ => false,
    };
    is_one.then(|| prefix.to_owned())
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn starts(path: &Path, name: &str) -> bool {
    path.file_name().and_then(|found| found.to_str()).is_some_and(|found| found.starts_with(name))
}

/// What a script names in its first line.
fn interpreter(path: &Path) -> Option<PathBuf> {
    let mut line = Vec::new();
    let start = fs::File::open(path).ok()?.take(MAX_FIRST_LINE);
    BufReader::new(start).read_until(b'\n', &mut line).ok()?;
    let line = String::from_utf8(line).ok()?;
    let mut words = line.strip_prefix("#!")?.split_whitespace();
    let first = PathBuf::from(words.next()?);
    if first.file_name()? != "env" {
        return Some(first);
    }
    let named = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    found(named, Path::new("/"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn written(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_command_line_brings_its_program_its_interpreter_and_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in
            ["venv/pyvenv.cfg", "venv/lib/python3.11/site-packages/quintain/x.py", "real/python", "notes.txt", "more/a"]
        {
            written(&at(name), "");
        }
        fs::create_dir(at("venv/bin")).unwrap();
        symlink(at("real/python"), at("venv/bin/python")).unwrap();
        written(&at("agent"), &format!("#!{} -I\n", at("venv/bin/python").display()));
        let argv = [at("agent"), at("notes.txt"), at("missing")].map(|path| path.to_str().unwrap().to_owned());
        let plan = SandboxPlan::for_program(&argv, &[at("more"), at("more/a")]).unwrap();
        let seen: Vec<&Path> =
            plan.bindings.iter().map(|binding| binding.inside.strip_prefix(folder.path()).unwrap()).collect();
        assert_eq!(seen, ["agent", "more", "notes.txt", "real/python", "venv"].map(Path::new));
        assert!(plan.masked.contains(&at("venv/lib/python3.11/site-packages/quintain")), "{:?}", plan.masked);
    }

    #[test]
    fn the_folder_that_a_program_lies_in_is_not_seen_for_its_sake() {
        let folder = tempfile::tempdir().unwrap();
        let agent = folder.path().join("bin/agent");
        written(&agent, "");
        let plan = SandboxPlan::for_program(&[agent.to_str().unwrap().to_owned()], &[]).unwrap();
        assert_eq!(plan.bindings, [Binding::in_place(&agent)]);
        let missing = SandboxPlan::for_program(&["/no/such/program".to_owned()], &[]).unwrap_err();
        assert_eq!(missing.to_string(), "there is no program `/no/such/program`");
    }
}
