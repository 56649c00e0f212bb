use serde_json::{Value, json};

use super::{DEEPEST, cleaned, outline, read};

fn told(source: &str) -> Value {
    outline(&read(&cleaned(&format!("\\begin{{document}}\n{source}\n\\end{{document}}\nnot read"))))
}

#[test]
fn comments_are_no_part_of_a_paper_and_what_is_verbatim_is_no_latex() {
    let source = "50\\% of it % \\section{No}\n  goes on\n\\begin{verbatim}\n\\section{No}\n\\end{verbatim}\n\
                  \\verb|\\cite{no}| here\\iffalse \\ref{no}\\fi.\n%\n\nNext";
    assert_eq!(told(source)["prose"], json!(["50% of it goes on \\cite{no} here.", "Next"]));
    assert_eq!(told(source)["sections"], json!([]));
}

#[test]
fn signs_are_the_same_however_they_are_written() {
    for name in ["run\\_4", "\\verb|run_4|", "\\texttt{run\\_4}", "run{\\_}4", "run\\textunderscore{}4"] {
        assert_eq!(told(&format!("The file {name} is there."))["prose"], json!(["The file run_4 is there."]), "{name}");
    }
    for authors in ["A \\and B", "A\\and B", "A\n\\and\n  B", "A \\and{} B"] {
        assert_eq!(told(&format!("\\author{{{authors}}}"))["front"]["author"], "A \\and B", "{authors}");
    }
}

#[test]
fn prose_is_told_in_order_without_its_markup_and_its_floats() {
    let source = "\\section {One}\\label{s}\nA \\textbf{bold}~word, see\n\\ref{s} \\cite{b, a}.\n\\begin{figure}\n\\caption{C}\n\\end{figure}\n\
                  $x_{1} = 2$ ends it.\n\n\\subsection*{Two}\n\\begin{itemize}\n\\item a\n\\item b \\& c\n\\end{itemize}";
    let prose = json!([
        "# section: One",
        "A bold word, see [ref s] [cite b,a]. x_1=2 ends it.",
        "# subsection*: Two",
        "* a",
        "* b & c",
    ]);
    let outline = told(source);
    assert_eq!(outline["prose"], prose);
    assert_eq!(outline["lists"], json!([{ "kind": "itemize", "items": ["a", "b & c"] }]));
    assert_eq!((&outline["labels"], &outline["references"]), (&json!(["s"]), &json!(["s"])));
    assert_eq!(outline["citations"], json!(["b", "a"]));
}

#[test]
fn tables_are_read_as_cells() {
    let table = |format: &str, body: &str| {
        let source = format!(
            "\\begin{{table}}[h]\\caption{{C $x$}}\\label{{t}}\\begin{{tabular}}{{{format}}}{body}\\end{{tabular}}\\end{{table}}"
        );
        told(&source)["tables"][0].clone()
    };
    let rows = json!([["A & B", "Sum"], ["1.5", "2"]]);
    let wanted = json!({ "caption": "C x", "label": "t", "columns": "lr", "rows": rows, "section": null });
    for (format, body) in [
        ("lr", "A \\& B & Sum \\\\ 1.5 & 2 \\\\"),
        ("|l|r|", "\\hline A \\& B & \\textbf{Sum} \\\\[2pt] \\hline $1.5$&2\\\\\\hline"),
        ("@{ }l@{}r", "A \\& B & {Sum} \\tabularnewline\n%x & y\\\\\n1.5 & 2"),
    ] {
        assert_eq!(table(format, body), wanted, "{format}");
    }
    assert_eq!(table("*{2}{r}p{2cm}", "a")["columns"], "rrp");
}

#[test]
fn figures_tell_what_they_show_and_how_wide() {
    let figure = |graphic: &str| {
        told(&format!("\\section{{S}}\\begin{{figure}}{graphic}\\caption{{C}}\\label{{f}}\\end{{figure}}"))["figures"]
            [0]
        .clone()
    };
    let wanted = json!({ "caption": "C", "label": "f", "graphic": "figures/a", "width": "0.5\\textwidth", "section": "section: S" });
    assert_eq!(figure("\\includegraphics[width=.5\\linewidth]{figures/a.pdf}"), wanted);
    assert_eq!(figure("\\centering \\includegraphics[clip, width = 0.50 \\textwidth]{./figures/a}"), wanted);
    assert_ne!(figure("\\includegraphics[width=0.5\\textwidth,width=2cm]{figures/a}"), wanted);
}

#[test]
fn what_is_broken_or_bottomless_is_read_all_the_same() {
    for source in ["\\begin{itemize}\\item a", "}{{{$", "\\", "\\begin", "\\section{", "\\end{x}\\end{y}"] {
        assert!(told(source)["prose"].is_array(), "{source}");
    }
    let deep = "{\\begin{center}".repeat(50 * DEEPEST);
    assert!(told(&deep)["prose"].is_array());
}
