//! Saves pictures of scenes and jigsaws, to be looked at: `cargo run --example jigsaw_pictures -- FOLDER [PHOTOS]`.

use std::path::Path;
use std::sync::Arc;

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_puzzles::MaterialSources;
use quintain_puzzles::Puzzle;
use quintain_puzzles::canvas::{Area, copy};
use quintain_puzzles::jigsaw::{Jigsaw, Parameters};
use quintain_puzzles::sources::photos::PhotoFolder;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("which folder?")?;
    let folder = Path::new(&folder);
    let mut sources = MaterialSources::default();
    if let Some(folder) = args.next() {
        sources.photos = Arc::new(PhotoFolder::open(folder)?);
    }
    for page in 0..3 {
        let mut sheet = Picture::filled(576 * 3, 432 * 3, [255; 3]);
        for place in 0..9 {
            let photo = sources.photos.pick(&mut Rng::new(page * 9 + place), 576, 432)?;
            let picture = sources.photos.load(&photo)?;
            let at = ((place % 3) as i32 * 576, (place / 3) as i32 * 432);
            copy(&picture, Area::new(0, 0, 576, 432), &mut sheet, at);
        }
        save(&sheet, &folder.join(format!("photos-{page}.png")))?;
    }
    for (name, rows, cols) in [("easy", 2, 2), ("hard", 3, 3), ("wide", 3, 5)] {
        let parameters = Parameters { rows, cols, width: 560, height: 400 };
        let start = Jigsaw::generate(&parameters, &mut Rng::new(7), &sources)?;
        let state = Jigsaw::initial(&start);
        let mut drawing = Jigsaw::draw(&start, &state, &sources)?;
        let picture = Jigsaw::redraw(&mut drawing, &start, &state);
        save(&picture, &folder.join(format!("jigsaw-{name}.png")))?;
    }
    Ok(())
}

fn save(picture: &Picture, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut encoder =
        png::Encoder::new(std::io::BufWriter::new(std::fs::File::create(path)?), picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&picture.rgb())?;
    Ok(())
}
