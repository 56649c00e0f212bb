use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use image::{Rgb, RgbImage};
use quintain_core::rng::Rng;
use quintain_core::variables;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::MeshFolder;
use crate::sources::meshes::{Body, Meshes};

/// A folder called `toys`, in a place of its own.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(folder.path()).unwrap();
        folder
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("toys")
    }

    fn with(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    fn open(&self) -> MeshFolder {
        MeshFolder::open(self.path()).unwrap()
    }

    /// What opening it, or reading its first object, fails with.
    fn refusal(&self) -> String {
        match MeshFolder::open(self.path()) {
            Ok(folder) => folder.pick(&mut Rng::new(0)).unwrap_err(),
            Err(error) => error.to_string(),
        }
        .replace(&*self.0.path().canonicalize().unwrap().to_string_lossy(), "")
        .replace(&*self.0.path().to_string_lossy(), "")
    }
}

const PYRAMID: &str = "mtllib missing.mtl
v 0 0 0
v 2 0 0
v 0 2 0
v 0 0 1
vt 0 0
vt 1 0
vt 0 1
usemtl whatever
f 1/1 3/3 2/2
f 1/1/1 2/2/1 4/3/1
f -4/1 -1/3 -2/2
f 2/1 3/2 4/3
";

fn picture(color: [u8; 3]) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    RgbImage::from_pixel(4, 4, Rgb(color)).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// A triangle as GLB: a node that shifts and mirrors it, a material, and a picture inside the file if one is given.
fn glb(picture: Option<&[u8]>) -> Vec<u8> {
    let mut binary: Vec<u8> = Vec::new();
    let floats =
        |binary: &mut Vec<u8>, numbers: &[f32]| binary.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    floats(&mut binary, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    floats(&mut binary, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    binary.extend([0_u16, 1, 2, 0].iter().flat_map(|index| index.to_le_bytes()));
    let at = binary.len();
    binary.extend_from_slice(picture.unwrap_or_default());
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut scene = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "translation": [5, 0, 0], "scale": [-1, 1, 1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"},
            {"bufferView": 2, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 24},
            {"buffer": 0, "byteOffset": 60, "byteLength": 6},
        ],
        "buffers": [{"byteLength": binary.len()}],
    });
    if let Some(picture) = picture {
        scene["bufferViews"]
            .as_array_mut()
            .unwrap()
            .push(json!({"buffer": 0, "byteOffset": at, "byteLength": picture.len()}));
        scene["images"] = json!([{"bufferView": 3, "mimeType": "image/png"}]);
        scene["textures"] = json!([{"source": 0}]);
        scene["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": 0});
    }
    let mut text = scene.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let chunk = |kind: &[u8; 4], bytes: &[u8]| [&(bytes.len() as u32).to_le_bytes()[..], kind, bytes].concat();
    let chunks = [chunk(b"JSON", &text), chunk(b"BIN\0", &binary)].concat();
    [b"glTF", &2_u32.to_le_bytes()[..], &(12 + chunks.len() as u32).to_le_bytes()[..], &chunks].concat()
}

fn only(folder: &MeshFolder) -> Body {
    folder.load(&folder.pick(&mut Rng::new(0)).unwrap()).unwrap()
}

/// What can be told of a body in a line.
fn told(body: &Body) -> String {
    let parts = body.iter().map(|mesh| {
        let texel = mesh.skin.as_ref().map(|skin| skin.texture.texels()[0]);
        let low = |axis: usize| mesh.positions.iter().map(|at| at[axis]).fold(f32::MAX, f32::min);
        format!(
            "{} triangles, {:?}, texture {texel:?}, from {:.2} {:.2} {:.2}",
            mesh.triangles.len(),
            mesh.colors[0],
            low(0),
            low(1),
            low(2)
        )
    });
    parts.collect::<Vec<_>>().join("; ")
}

#[test]
fn an_obj_file_takes_the_picture_beside_it() {
    let folder = Folder::new().with("a/model.obj", PYRAMID).with("a/texture.png", picture([9, 200, 30]));
    insta::assert_snapshot!(told(&only(&folder.open())), @"4 triangles, [176, 178, 182], texture Some([9, 200, 30, 255]), from -0.67 -0.33 -0.67");
}

#[test]
fn an_obj_file_takes_the_materials_that_are_there() {
    let library = "newmtl red\nKd 1 0 0\nnewmtl cloth\nmap_Kd -s 1 1 1 cloth.png\n";
    let text = "mtllib my.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl red\nf 1 2 3\nusemtl cloth\nf 1/1 2/2 4/3\n";
    let folder = Folder::new().with("x.obj", text).with("my.mtl", library).with("cloth.png", picture([1, 2, 3]));
    insta::assert_snapshot!(told(&only(&folder.open())), @"1 triangles, [176, 178, 182], texture Some([1, 2, 3, 255]), from -0.58 -0.58 0.58; 1 triangles, [255, 0, 0], texture None, from -0.58 -0.58 -0.58");
}

#[test]
fn names_in_obj_files_may_have_spaces() {
    let library = "newmtl dark red\nKd 1 0 0\nnewmtl old cloth\nmap_Kd my cloth.png\nnewmtl wood\nmap_Kd -s 1 1 1 some wood.png\n";
    let text = "mtllib my things.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl dark red \nf 1 2 3\nusemtl old cloth\nf 1/1 2/2 3/3\nusemtl wood\nf 1/1 2/2 3/3\n";
    let folder = Folder::new()
        .with("x.obj", text)
        .with("my things.mtl", library)
        .with("my cloth.png", picture([1, 2, 3]))
        .with("some wood.png", picture([4, 5, 6]));
    let body = only(&folder.open());
    let told = body.iter().map(|mesh| (mesh.colors[0], mesh.skin.as_ref().map(|skin| skin.texture.texels()[0])));
    let told: Vec<_> = told.collect();
    let grey = [176, 178, 182];
    assert_eq!(told, [([255, 0, 0], None), (grey, Some([1, 2, 3, 255])), (grey, Some([4, 5, 6, 255]))]);
}

#[test]
fn a_glb_file_brings_its_own_colours_and_pictures() {
    let plain = Folder::new().with("one.glb", glb(None));
    let pictured = Folder::new().with("one.glb", glb(Some(&picture([7, 8, 9]))));
    insta::assert_snapshot!([&plain, &pictured].map(|folder| told(&only(&folder.open()))).join("\n"), @"
    1 triangles, [255, 0, 0], texture None, from -0.71 -0.71 0.00
    1 triangles, [255, 0, 0], texture Some([7, 8, 9, 255]), from -0.71 -0.71 0.00
    ");
    let mesh = &only(&plain.open())[0];
    let [a, b, c] = mesh.triangles[0].map(|i| mesh.positions[i as usize]);
    let turn = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    assert!(turn > 0.0, "a mirrored triangle still faces outward");
}

/// A scene of one triangle whose corners are in another file.
fn gltf(uri: &str) -> String {
    json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": uri}],
    })
    .to_string()
}

#[test]
fn names_in_gltf_files_may_be_escaped() {
    let corners: Vec<u8> =
        [0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|part| part.to_le_bytes()).collect();
    for (uri, file) in
        [("my%20data.bin", "my data.bin"), ("100%.bin", "100%.bin"), ("caf%C3%A9/a.bin", "caf\u{e9}/a.bin")]
    {
        let folder = Folder::new().with("a.gltf", gltf(uri)).with(file, &corners);
        assert_eq!(only(&folder.open())[0].triangles.len(), 1, "{uri}");
    }
    let outside =
        ["%2e%2e/x.bin", "..%2fx.bin", "%2Fx.bin"].map(|uri| Folder::new().with("a.gltf", gltf(uri)).refusal());
    insta::assert_snapshot!(outside.join("\n"), @"
    the mesh `/toys/a.gltf` cannot be understood: it needs `%2e%2e/x.bin`, which is not beside it
    the mesh `/toys/a.gltf` cannot be understood: it needs `..%2fx.bin`, which is not beside it
    the mesh `/toys/a.gltf` cannot be understood: it needs `%2Fx.bin`, which is not beside it
    ");
}

#[test]
fn nodes_below_themselves_are_refused() {
    let scene = |nodes: Value| {
        json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes}).to_string()
    };
    let circle = scene(json!([{"children": [1]}, {"children": [0]}]));
    insta::assert_snapshot!(Folder::new().with("a.gltf", circle).refusal(), @"the mesh `/toys/a.gltf` cannot be understood: its nodes lie more than 64 deep");
    let line = |n: usize| (1..n).map(|i| json!({"children": [i]})).chain([json!({})]).collect::<Vec<_>>();
    let said = [64, 65].map(|n| Folder::new().with("a.gltf", scene(json!(line(n)))).refusal());
    insta::assert_snapshot!(said.join("\n"), @"
    the mesh `/toys/a.gltf` cannot be understood: it has no triangles
    the mesh `/toys/a.gltf` cannot be understood: its nodes lie more than 64 deep
    ");
}

#[test]
fn objects_are_found_in_order_and_the_name_tells_the_content() {
    let make = || Folder::new().with("b/model.obj", PYRAMID).with("a.glb", glb(None)).with("notes.txt", "none");
    let (one, two) = (make(), make());
    let names: Vec<String> = one.open().files.iter().map(|file| file.name.clone()).collect();
    assert_eq!(names, ["a.glb", "b/model.obj"]);
    assert_eq!(one.open().name(), two.open().name());
    assert!(one.open().name().starts_with("folder `toys` "));
    let two = two.with("b/texture.png", picture([1, 2, 3]));
    assert_ne!(one.open().name(), two.open().name(), "the picture is part of the object");
    let object = one.open().pick(&mut Rng::new(4)).unwrap();
    assert!(make().open().load(&object).is_ok());
}

#[test]
fn files_that_change_are_refused() {
    let folder = Folder::new().with("model.obj", PYRAMID).with("texture.png", picture([1, 2, 3]));
    let open = folder.open();
    let folder = folder.with("texture.png", picture([3, 2, 1]));
    let said = open.pick(&mut Rng::new(0)).unwrap_err();
    assert!(said.ends_with("toys/texture.png` of a mesh has changed since the folder was opened"), "{said}");
    assert!(folder.open().pick(&mut Rng::new(0)).is_ok());
}

#[test]
fn what_is_no_mesh_is_refused_by_name() {
    let said = [
        Folder::new().with("notes.txt", "none").refusal(),
        Folder::new().refusal(),
        Folder::new().with("a.obj", "v 0 0 0\n").refusal(),
        Folder::new().with("a.obj", "v 0 0\n").refusal(),
        Folder::new().with("a.obj", "v 0 0 0\nf 1 2 3\n").refusal(),
        Folder::new().with("a.obj", "v 0 zero 0\n").refusal(),
        Folder::new().with("a.obj", "v 0 0 NaN\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").refusal(),
        Folder::new().with("a.obj", PYRAMID).with("texture.png", "no picture").refusal(),
        Folder::new().with("a.glb", "no scene").refusal(),
        Folder::new()
            .with(
                "a.gltf",
                "{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"byteLength\": 4, \"uri\": \"../x.bin\"}]}",
            )
            .refusal(),
    ];
    insta::assert_snapshot!(said.join("\n"), @"
    no meshes found in `/toys`: OBJ or glTF files are wanted (.obj, .gltf, .glb)
    no meshes found in `/toys`: OBJ or glTF files are wanted (.obj, .gltf, .glb)
    the mesh `/toys/a.obj` cannot be understood: it has no triangles
    the mesh `/toys/a.obj` cannot be understood: line 1: a corner needs three numbers
    the mesh `/toys/a.obj` cannot be understood: line 2: `2` names no corner
    the mesh `/toys/a.obj` cannot be understood: line 1: `zero` is no number
    the mesh `/toys/a.obj` cannot be understood: a corner is not a number
    the mesh `/toys/a.obj` cannot be understood: its picture `/toys/texture.png` cannot be decoded: The image format could not be determined
    the mesh `/toys/a.glb` cannot be understood: expected ident at line 1 column 2
    the mesh `/toys/a.gltf` cannot be understood: it needs `../x.bin`, which is not beside it
    ");
}

#[test]
fn large_meshes_are_thinned_out() {
    let n = 120;
    let mut text = String::new();
    for i in 0..=n {
        for j in 0..=n {
            let (x, y) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
            writeln!(text, "v {x} {y} {}", x * x + y * y * y).unwrap();
        }
    }
    for i in 0..n {
        for j in 1..=n {
            let at = i * (n + 1) + j;
            writeln!(text, "f {at} {} {} {}", at + 1, at + n + 2, at + n + 1).unwrap();
        }
    }
    let body = only(&Folder::new().with("a.obj", text).open());
    let n_triangles = body[0].triangles.len();
    assert!((3000..=12_000).contains(&n_triangles), "{n_triangles}");
}

/// The sample objects, where they are at hand.
fn samples() -> Option<PathBuf> {
    let folder = std::env::var_os(variables::SAMPLES)
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data"), PathBuf::from);
    let folder = folder.join("objects3d");
    if !folder.is_dir() {
        eprintln!("real_objects_can_be_read: passed over, there is no `{}`", folder.display());
    }
    folder.is_dir().then_some(folder)
}

#[test]
fn real_objects_can_be_read() {
    let Some(path) = samples() else { return };
    let folder = MeshFolder::open(path).unwrap();
    assert!(folder.files.len() >= 2);
    for file in &folder.files {
        let (object, body) = folder.object(file).unwrap();
        let n_triangles: usize = body.iter().map(|mesh| mesh.triangles.len()).sum();
        assert!((500..=12_000).contains(&n_triangles), "{}: {n_triangles}", object.name);
        assert!(body.iter().any(|mesh| mesh.skin.is_some()), "{} has no texture", object.name);
    }
}
