//! Dockerfiles, and what is read in them.

use proptest::prelude::*;

use super::*;

fn canonical(text: &str) -> String {
    match TreeRecipe::read(text) {
        Ok(recipe) => {
            let remarks: Vec<String> = recipe
                .remarks
                .iter()
                .map(|remark| {
                    format!(
                        "# {remark}
"
                    )
                })
                .collect();
            recipe.canonical() + &remarks.concat()
        }
        Err(problems) => format!("{problems}\n"),
    }
}

fn check(text: &str, expected: &str) {
    assert_eq!(canonical(text), expected, "{text}");
}

#[test]
fn a_usual_one_is_read_whole() {
    let text = r#"# syntax=docker/dockerfile:1
# A comment.
ARG TAG=24.04
FROM ubuntu:${TAG} AS base
ENV DEBIAN_FRONTEND=noninteractive APP="my \"app\"" \
    # between
    ROOT=/srv
LABEL a=b
RUN apt-get update && \
    apt-get install -y python3 \

    && rm -rf /var/lib/apt/lists/*
WORKDIR $ROOT/${APP:+code}
WORKDIR inner/../src
COPY --chown=me:me --chmod=755 a.py ./b/*.txt ./
ADD ["with space", "/opt/$APP"]
ENV OLD the rest of it
RUN --mount=type=cache,target=/root/.cache ["pip", "install", "requests"]
SHELL ["/bin/bash", "-c"]
run echo $ROOT
EXPOSE 80
USER root
ENTRYPOINT ["python3"]
CMD python3 a.py
"#;
    check(
        text,
        r#"FROM ubuntu:24.04
ENV DEBIAN_FRONTEND="noninteractive"
ENV APP="my \"app\""
ENV ROOT="/srv"
RUN ["/bin/sh","-c","apt-get update &&     apt-get install -y python3     && rm -rf /var/lib/apt/lists/*"]
WORKDIR "/srv/code"
WORKDIR "/srv/code/src"
COPY --chmod=755 ["a.py","b/*.txt","/srv/code/src/"]
COPY ["with space","/opt/my \\\"app\\\""]
ENV OLD="the rest of it"
RUN ["pip","install","requests"]
RUN ["/bin/bash","-c","echo $ROOT"]
CMD ["/bin/bash","-c","python3 a.py"]
ENTRYPOINT ["python3"]
# FROM ubuntu:24.04 is played on Debian 12
# line 15: --chown=me:me is passed over: all files are root's
"#,
    );
}

#[test]
fn all_problems_are_told_at_once() {
    let text = "FROM node:20\nRUN curl -fsSL https://x.test | sh\nUSER agent\nCOPY ../x /\nFROM debian\nRUN cat <<EOF > f\n\
                FETCH x\nEOF\nFETCH x\nCOPY a b c\nCOPY --from=base /a /b\nADD https://x.test/y /y\nADD data.tar.gz /\n\
                ENV 1=2\nWORKDIR ${A?x}\n";
    check(
        text,
        "line 1: FROM node:20: only debian, ubuntu and python can be played, all on Debian 12\n\
         line 2: `curl` fetches something from elsewhere\n\
         line 3: USER agent: there is only root in a tree\n\
         line 4: `../x` leads out of the context\n\
         line 5: a second stage is not built; write one that makes the whole\n\
         line 6: a text in place (`<<`) is not read; put it into a file and COPY that\n\
         line 9: `FETCH` is no instruction\n\
         line 10: several files are copied into a folder: write `c/`\n\
         line 11: COPY --from needs a second stage or another image; there is none\n\
         line 12: ADD of an address fetches something from elsewhere; put the file into the context\n\
         line 13: ADD would unpack data.tar.gz; COPY it and RUN tar\n\
         line 14: `1` is no name of a variable\n\
         line 15: what follows `${A` is not read\n",
    );
    check("", "line 1: it has no FROM\n");
    check("RUN true", "line 1: RUN stands before FROM\n");
    check("# escape=`\nFROM debian:12\n", "line 1: ``` as the sign that continues lines is not read; write `\\`\n");
}

#[test]
fn bases_are_ours_or_stood_in_for() {
    let remark = |image: &str| canonical(&format!("FROM {image}")).lines().skip(1).collect::<String>();
    for own in ["debian:12", "debian:bookworm-slim", "docker.io/library/debian:12"] {
        assert_eq!(remark(own), "");
    }
    assert_eq!(remark("python:3.13-slim"), "# FROM python:3.13-slim is played on Debian 12");
    assert_eq!(remark("ubuntu"), "# FROM ubuntu is played on Debian 12");
    for other in ["scratch", "alpine:3", "ghcr.io/x/ubuntu:1", "ubuntu:", "$X"] {
        assert!(canonical(&format!("FROM {other}")).contains("only debian"), "{other}");
    }
}

#[test]
fn what_fetches_is_found() {
    let told = |line: &str| canonical(&format!("FROM debian:12\nRUN {line}")).replace("line 2: ", "");
    for (line, why) in [
        ("apt-get install -y x && wget -q y.test/z", "`wget` fetches something from elsewhere"),
        ("X=\"$(curl y)\"; echo", "`curl` fetches something from elsewhere"),
        ("bash -c 'cd /x && git clone z'", "`git clone` fetches something from elsewhere"),
        ("if true; then npm install; fi", "`npm` fetches something from elsewhere"),
        (
            "pip install --index-url=https://x.test/a b",
            "`pip` is given a source of its own (`--index-url=https://x.test/a`)",
        ),
        ("python3 -m pip install git+https://x.test/a", "`pip` is given the address `git+https://x.test/a`"),
        ("echo 'deb http://x.test y' > /etc/apt/sources.list.d/x.list", "it changes where packages come from"),
        ("python3 -c \"open('https://x.test')\"", "`python3` is given the address `open('https://x.test')`"),
        ("DEBIAN_FRONTEND=x add-apt-repository ppa:x", "`add-apt-repository` fetches something from elsewhere"),
    ] {
        assert_eq!(told(line), format!("{why}\n"), "{line}");
    }
    for line in [
        "apt-get update && apt-get install -y curl wget git npm",
        "pip3 install --no-cache-dir 'numpy==1.26' -r requirements.txt",
        "git config --global user.name x && git init /srv",
        "echo https://x.test > /srv/address && curl --version",
        "mkdir -p /etc/app && rm -rf /var/lib/apt/lists/*",
    ] {
        assert!(told(line).starts_with("FROM"), "{line}: {}", told(line));
    }
}

#[test]
fn packages_make_a_recipe() {
    let of = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        TreeRecipe::of_packages(&names).map_or_else(|problems| problems.to_string(), |recipe| recipe.canonical())
    };
    let install = "apt-get update && apt-get install -y --no-install-recommends jq libstdc++6";
    assert_eq!(of(&["jq", "libstdc++6"]), format!("FROM debian:12\nRUN [\"/bin/sh\",\"-c\",\"{install}\"]\n"));
    assert_eq!(of(&["jq; rm", "-y"]), "line 1: `jq; rm` is no name of a package\nline 1: `-y` is no name of a package");
}

/// Lines that look like a Dockerfile's, so that more of the reader is reached.
fn line() -> impl Strategy<Value = String> {
    let name =
        prop_oneof!["FROM debian:12", "RUN", "COPY", "ENV", "WORKDIR", "ARG", "CMD", "SHELL", "ADD", "[A-Z]{2,4}", ""];
    let word = prop_oneof![
        "[a-z/.*]{1,6}",
        "\\$\\{?[A-C]\\}?",
        "[A-C]=[a-z\"'\\\\$ ]{0,6}",
        "\"[a-z $\\\\]{0,5}\"",
        "'[^']{0,4}'",
        "<<E",
        "--[a-z]{1,4}=7",
        "\\[\"[a-z]{0,3}\", ?\"[a-z/']{1,3}\"\\]",
        "\\\\",
        "\\PC{0,3}",
        "\\$\\{A:[-+?][a-z$\\{\\}]{0,4}\\}?",
    ];
    (name, prop::collection::vec(word, 0..4), prop_oneof![Just(""), Just(" \\"), Just("\t")])
        .prop_map(|(name, words, end)| format!("{name} {}{end}", words.join(" ")))
}

proptest! {
    #[test]
    fn nothing_makes_the_reader_panic(text in "\\PC*|(\\PC|\\n|\\\\|\\$|\\{|\"|')*") {
        drop(TreeRecipe::read(&text));
    }

    #[test]
    fn what_is_printed_reads_as_the_same(lines in prop::collection::vec(line(), 0..6)) {
        let text = format!("FROM ubuntu:24.04\nENV A=x\\$y B='q\"\\\\'\n{}", lines.join("\n"));
        if let Ok(recipe) = TreeRecipe::read(&text) {
            let printed = recipe.canonical();
            let again = TreeRecipe::read(&printed).map_err(|problems| TestCaseError::fail(format!("{problems}\n{printed}")))?;
            let actions = |recipe: &TreeRecipe| recipe.steps.iter().map(|step| step.action.clone()).collect::<Vec<_>>();
            prop_assert_eq!(actions(&again), actions(&recipe));
            prop_assert_eq!((&again.command, &again.entry_point), (&recipe.command, &recipe.entry_point));
            prop_assert_eq!(again.canonical(), printed);
        }
    }
}
