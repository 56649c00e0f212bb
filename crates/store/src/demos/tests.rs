use std::fs;
use std::path::Path;

use quintain_core::{Picture, TrialId};
use serde_json::{Value, json};

use super::*;
use crate::run::LineRange;

fn picture(shade: u8) -> (Digest, PackedPicture) {
    let picture = Picture::filled(4, 3, [shade, 0, 0]);
    (picture.digest(), quintain_png::encode(&picture).unwrap().into())
}

fn demo(n: u64) -> Demonstration {
    let instance: InstanceId = format!("puzzles/maze-2d@easy#{n}").parse().unwrap();
    let (first, second) = (picture(0), picture(n as u8 + 1));
    let user = |pieces| DemoMessage { speaker: Speaker::User, pieces };
    let assistant =
        |text: &str| DemoMessage { speaker: Speaker::Assistant, pieces: vec![ProsePiece::Text(text.to_owned())] };
    Demonstration {
        facts: DemoFacts {
            n,
            instance: instance.clone(),
            start: Digest::of(&n.to_le_bytes()),
            problem: Digest::of(&n.to_le_bytes()),
            strategy: None,
            length: None,
            turns: 2,
            reasons: vec![SolverReason {
                turn: 0,
                reason: "The goal is there.".to_owned(),
                origin: ReasonOrigin::Solver,
            }],
            segments: Vec::new(),
        },
        system: "Reach the goal.".to_owned(),
        messages: vec![
            user(vec![ProsePiece::Text("Turn 1.".to_owned()), ProsePiece::Picture(first.0)]),
            assistant("('move', 0)"),
            user(vec![
                ProsePiece::Text("Turn 2. Say <image>".to_owned()),
                ProsePiece::Picture(second.0),
                ProsePiece::Picture(first.0),
            ]),
            assistant("('stop', 'stop')"),
        ],
        pictures: vec![first, second],
        packing: PicturePacking::Png,
        record: AttemptRecord {
            trial: TrialId { instance, agent: "oracle".to_owned(), repeat: 0 },
            attempt: 1,
            events: Vec::new(),
            place: LineRange { segment: "demos".to_owned(), start: 0, end: 0 },
            continues: None,
            torn: false,
        },
    }
}

fn write(root: &Path, formats: &[DemoFormat], pictures: PictureForm) {
    let dir = DemoDir::open(root, json!({"n": 3}), formats, pictures).unwrap();
    let mut shard = dir.shard(0, "0").unwrap();
    for n in 0..3 {
        dir.keep_pictures(&demo(n)).unwrap();
        shard.add(&demo(n)).unwrap();
    }
    shard.finish(&json!(["so far"])).unwrap();
    dir.finish(&json!({"n": 3})).unwrap();
}

fn files(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|inner| format!("{name}/{inner}")));
        } else {
            found.push(name);
        }
    }
    found.sort();
    found
}

#[test]
fn pictures_are_stored_once_and_marked_as_often_as_they_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[DemoFormat::ShareGpt, DemoFormat::OpenAi], PictureForm::Linked);
    let found = files(folder.path());
    assert_eq!(found.iter().filter(|name| name.starts_with("images/")).count(), 4, "one is shared by all three");

    let text = fs::read_to_string(folder.path().join("sharegpt/00000.json")).unwrap();
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(rows.len(), 3);
    for row in &rows {
        let images = row["images"].as_array().unwrap();
        let marks: usize = row["conversations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|said| said["value"].as_str().unwrap().matches("<image>").count())
            .sum();
        assert_eq!((marks, images.len()), (3, 3));
        assert!(images.iter().all(|path| folder.path().join(path.as_str().unwrap()).exists()));
    }
    assert_eq!(rows[0]["reasons"], json!([{"turn": 0, "reason": "The goal is there.", "origin": "solver"}]));
    insta::assert_snapshot!(rows[0]["conversations"], @r#"[{"from":"human","value":"Turn 1.\n<image>"},{"from":"gpt","value":"('move', 0)"},{"from":"human","value":"Turn 2. Say < image>\n<image>\n<image>"},{"from":"gpt","value":"('stop', 'stop')"}]"#);
}

#[test]
fn pictures_may_stand_in_the_text() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[DemoFormat::OpenAi], PictureForm::Inline);
    insta::assert_snapshot!(files(folder.path()).join("\n"), @"
    demos.json
    index/00000.jsonl
    openai/00000.jsonl
    shards/00000.json
    ");
    let text = fs::read_to_string(folder.path().join("openai/00000.jsonl")).unwrap();
    let row: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let url = row["messages"][1]["content"][1]["image_url"]["url"].as_str().unwrap();
    assert!(url.starts_with("data:image/png;base64,iVBOR"), "{url}");
    assert_eq!(row["messages"][2]["content"], "('move', 0)");
}

#[test]
fn another_plan_and_another_process_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let open = |n: u32| DemoDir::open(folder.path(), json!({"n": n}), &[DemoFormat::OpenAi], PictureForm::Linked);
    let dir = open(3).unwrap();
    assert!(open(3).unwrap_err().to_string().contains("another process is making these"));
    drop(dir);
    assert!(open(4).unwrap_err().to_string().contains("`n` differs"));
    let marks: Vec<ShardMark<Value>> = open(3).unwrap().marks().unwrap();
    assert_eq!(marks, []);
}

#[test]
fn drafts_of_a_killed_process_are_removed_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[DemoFormat::OpenAi], PictureForm::Linked);
    let whole = files(folder.path());
    let image = whole.iter().find_map(|name| name.strip_prefix("images/")?.split('/').next()).unwrap();
    for within in [String::new(), "shards/".to_owned(), format!("images/{image}/")] {
        fs::write(folder.path().join(format!("{within}.draft-1-0")), "half of").unwrap();
    }
    write(folder.path(), &[DemoFormat::OpenAi], PictureForm::Linked);
    assert_eq!(files(folder.path()), whole);
}

#[test]
fn nothing_stays_of_a_shard_that_is_let_go() {
    let folder = tempfile::tempdir().unwrap();
    let dir = DemoDir::open(folder.path(), json!({"n": 3}), &DemoFormat::ALL, PictureForm::Linked).unwrap();
    dir.shard(0, "0").unwrap().discard().unwrap();
    dir.finish(&json!({"n": 0})).unwrap();
    assert_eq!(files(folder.path()), ["dataset_info.json", "demos.json"]);
}

#[test]
fn a_parquet_file_says_what_its_columns_are_and_keeps_the_same_picture_once() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[DemoFormat::Parquet], PictureForm::Linked);
    let file = fs::File::open(folder.path().join("parquet/00000.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let metadata = reader.metadata().file_metadata();
    let keys = metadata.key_value_metadata().unwrap();
    let features: Value = serde_json::from_str(keys[0].value.as_ref().unwrap()).unwrap();
    assert_eq!(features["info"]["features"]["images"]["feature"]["_type"], "Image");
    assert_eq!(metadata.num_rows(), 3);

    let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    assert_eq!(rows[1].matches(".png").count(), 3, "{}", rows[1]);
    assert!(rows[1].contains(r#"{type: "image", text: null}"#), "{}", rows[1]);
    let reasons = r#"[{reason: "The goal is there.", origin: "solver"}, {reason: "", origin: ""}]"#;
    assert!(rows[1].contains(reasons), "{}", rows[1]);
    let system = r#"[{role: "system", content: [{type: "text", text: "Reach the goal."}]}"#;
    assert!(rows[1].contains(system), "{}", rows[1]);
    assert!(rows[1].contains(r#"{from: "gpt", value: "('stop', 'stop')"}"#), "{}", rows[1]);
    let distinct: usize = (0..4).map(|shade| picture(shade).1.len()).sum();
    let bytes = reader
        .metadata()
        .row_group(0)
        .columns()
        .iter()
        .find(|column| column.column_path().string().ends_with("bytes"))
        .unwrap();
    assert!((bytes.compressed_size() as usize) < distinct + 300, "{} for {distinct}", bytes.compressed_size());
}

#[test]
fn pictures_may_be_packed_with_losses() {
    let (_, png) = picture(9);
    let packing: PicturePacking = "jpeg:60".parse().unwrap();
    assert_eq!(
        (packing.to_string(), packing.ending(), packing.media_type()),
        ("jpeg:60".to_owned(), ".jpg", "image/jpeg")
    );
    assert!(packing.pack(&png).unwrap().starts_with(&[0xff, 0xd8, 0xff]));
    assert_eq!(PicturePacking::Png.pack(&png).unwrap(), png);
    for wrong in ["gif", "png:3", "jpeg:0", "jpeg:101", "webp:3"] {
        assert!(wrong.parse::<PicturePacking>().is_err(), "{wrong}");
    }
}
