//! Screens as a browser hands them out: files, each other than the one before.

use std::sync::Arc;

use quintain_core::Screen;

/// Screens of the apps, as Chromium wrote them.
const FILES: [&[u8]; 4] = [
    include_bytes!("../../docs/images/circuit-designer.png"),
    include_bytes!("../../docs/images/remove-node-2.png"),
    include_bytes!("../../docs/images/remove-node-3.png"),
    include_bytes!("../../docs/images/workflow-builder.png"),
];

/// So many screens. The number of each stands behind the end of its file, so that no two are the same.
pub(crate) fn screens(n: u32) -> Vec<Screen> {
    let screen = |(idx, file): (u32, &&[u8])| {
        let bytes: Arc<[u8]> = [file, idx.to_be_bytes().as_slice()].concat().into();
        Screen::Png { bytes, size: (1280, 720) }
    };
    (0..n).zip(FILES.iter().cycle()).map(screen).collect()
}
