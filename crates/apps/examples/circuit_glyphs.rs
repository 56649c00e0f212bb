//! Writes the glyphs by which the Circuit Designer's oracle reads values off the screen: `just glyphs`.
//!
//! The app draws every character of a value by itself, in a cell of its own, at whole pixels. This draws each character the
//! same way, in the app's own font in the same Chromium, and writes its shades down as text, 0 for paper and f for ink.

use std::error::Error;
use std::fmt::Write;
use std::io::Cursor;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Every character that values and their names are made of.
const CHARACTERS: &str = " 0123456789.+-=%VAWHzTGMkmµnpIPoutdbechrgisfyax";
/// The app's cell: width, height, baseline. See `web/apps/circuit-designer/src/draw/text.ts`.
const CELL: (u32, u32, u32) = (9, 18, 14);
const FONT: &str = "web/dist/circuit-designer/fonts/jetbrains-mono-latin-400-normal.woff2";
const GLYPHS: &str = "crates/apps/src/circuit/oracle/glyphs.txt";

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir()?;
    let (page, picture) = (folder.path().join("glyphs.html"), folder.path().join("glyphs.png"));
    fs::write(&page, html(&fs::read(root.join(FONT))?))?;
    let status = Command::new(quintain_browser::find_chromium().ok_or("there is no headless Chromium")?)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-lcd-text", "--font-render-hinting=none"])
        .args(["--force-color-profile=srgb", "--force-device-scale-factor=1", "--virtual-time-budget=5000"])
        .arg(format!("--user-data-dir={}", folder.path().display()))
        .arg(format!("--screenshot={}", picture.display()))
        .args(["--window-size=800,100", "--default-background-color=ffffffff"])
        .arg(format!("file://{}", page.display()))
        .status()?;
    if !status.success() {
        return Err(format!("Chromium ended with {status}").into());
    }
    fs::write(root.join(GLYPHS), glyphs(&fs::read(&picture)?)?)?;
    Ok(())
}

/// A page with one character per cell, in a row.
fn html(font: &[u8]) -> String {
    let (width, height, baseline) = CELL;
    let n = CHARACTERS.chars().count() as u32;
    format!(
        r##"<!doctype html><meta charset="utf-8"><style>
        @font-face {{ font-family: "JetBrains Mono"; src: url(data:font/woff2;base64,{font}); }}
        body {{ margin: 0; background: #ffffff; }} canvas {{ display: block; }}
        </style><canvas width="{all}" height="{height}"></canvas><script>
        document.fonts.load('14px "JetBrains Mono"', "{CHARACTERS}").then(() => {{
          const context = document.querySelector("canvas").getContext("2d", {{ alpha: false }});
          context.fillStyle = "#ffffff"; context.fillRect(0, 0, {all}, {height});
          context.fillStyle = "#111827"; context.font = '14px "JetBrains Mono"';
          [...{CHARACTERS:?}].forEach((glyph, idx) => context.fillText(glyph, idx * {width}, {baseline}));
        }});
        </script>"##,
        font = STANDARD.encode(font),
        all = n * width,
    )
}

/// The shades of every character, as text.
fn glyphs(png: &[u8]) -> Result<String, Box<dyn Error>> {
    let mut reader = png::Decoder::new(Cursor::new(png)).read_info()?;
    let mut bytes = vec![0; reader.output_buffer_size().ok_or("the picture is too large")?];
    let info = reader.next_frame(&mut bytes)?;
    let channels = info.color_type.samples();
    let (width, height, _) = CELL;
    let mut text =
        "# Made by `just glyphs`: the characters of the Circuit Designer's values, 0 for paper and f for ink.\n"
            .to_owned();
    for (idx, character) in CHARACTERS.chars().enumerate() {
        writeln!(text, "\nglyph {character}")?;
        for row in 0..height {
            let start = (row * info.width + idx as u32 * width) as usize * channels;
            let shades = bytes[start..].chunks(channels).take(width as usize).map(shade);
            writeln!(text, "{}", shades.collect::<String>())?;
        }
    }
    Ok(text)
}

/// The shade of a pixel, from white to the darkest ink.
fn shade(pixel: &[u8]) -> char {
    let dark = (255 - u32::from(pixel[0])) * 15 / 238;
    char::from_digit(dark.min(15), 16).expect("at most fifteen")
}
