use super::*;

#[test]
fn the_built_in_list_can_be_read_and_names_a_licence_for_everything() {
    let manifest = DataManifest::built_in().unwrap();
    let sets: Vec<String> = manifest
        .sets
        .iter()
        .map(|set| {
            format!("{} {} {} kB {}: {}", set.name, set.files.len(), set.n_bytes() / 1000, set.feeds, set.licence)
        })
        .collect();
    insta::assert_snapshot!(sets.join("\n"), @"
    coco-photos 150 23279 kB photos: per file: CC BY 2.0 or CC BY-SA 2.0
    skimage-photos 12 3531 kB photos: CC0 1.0 or public domain
    sklearn-photos 2 339 kB photos: CC BY 2.0
    scanned-objects 20 9957 kB meshes: CC BY 4.0
    ");
    let coco = &manifest.sets[0];
    assert!(coco.files.iter().all(|file| file.licence.is_some() && file.from.is_some()));
    assert!(coco.notice().contains("000000000790.jpg: CC BY 2.0, http://farm9.staticflickr.com/"));
}

#[test]
fn a_list_that_leads_astray_is_refused() {
    let sum = "0".repeat(64);
    let list = |path: &str, url: &str, sum: &str| {
        format!(
            "format = 1\n[[set]]\nname = 'a'\nwhat = ''\nlicence = ''\nlicence_url = ''\ncredit = ''\nfeeds = 'photos'\n\
             files = [{{ path = '{path}', url = '{url}', size = 1, sha256 = '{sum}' }}]"
        )
    };
    assert!(DataManifest::parse(&list("x/y.jpg", "https://example.org/y", &sum), "a test").is_ok());
    let wrong = [
        list("../y", "https://example.org/y", &sum),
        list("/etc/y", "https://example.org/y", &sum),
        list("y", "file:///etc/passwd", &sum),
        list("y", "https://example.org/y", "00"),
        list("y", "https://example.org/y", &sum).replace("name = 'a'", "name = 'a/b'"),
        list("y", "https://example.org/y", &sum).replace("format = 1", "format = 2"),
        list("y", "https://example.org/y", &sum).replace("what", "whatever"),
        list("y", "https://example.org/y", &sum).replace("'photos'", "'Photos'"),
    ];
    for wrong in wrong {
        assert!(DataManifest::parse(&wrong, "a test").is_err(), "{wrong}");
    }
}

/// A list of one set that feeds an option, with files of these names.
fn fed(option: &str, paths: &[&str]) -> Result<DataManifest, DataError> {
    let sum = "0".repeat(64);
    let file =
        |path: &&str| format!("{{ path = '{path}', url = 'https://example.org/y', size = 1, sha256 = '{sum}' }}");
    let files: Vec<String> = paths.iter().map(file).collect();
    let text = format!(
        "format = 1\n[[set]]\nname = 'a'\nwhat = ''\nlicence = ''\nlicence_url = ''\ncredit = ''\nfeeds = '{option}'\n\
         files = [{}]",
        files.join(", ")
    );
    DataManifest::parse(&text, "a test")
}

#[test]
fn a_set_feeds_an_option_that_there_is() {
    insta::assert_snapshot!(fed("videos", &["b.mp4"]).unwrap_err().to_string(), @"a test is no list of data: a: it feeds `videos`, which is none of `photos`, `labels`, `clips`, `meshes`");
    for option in ["photos", "labels", "clips", "meshes"] {
        assert!(fed(option, &["b"]).is_ok(), "{option}");
    }
}

#[test]
fn labels_are_given_as_a_file_and_the_others_as_a_folder() {
    let given = |option, paths: &[&str]| fed(option, paths).unwrap().sets[0].given().display().to_string();
    let paths = ["images/1.jpg", "labels/val.json", "labels/train.json"];
    assert_eq!(given("labels", &paths), "a/labels/val.json");
    assert_eq!(given("photos", &paths), "a");
    assert_eq!(given("labels", &paths[..1]), "a");
}
