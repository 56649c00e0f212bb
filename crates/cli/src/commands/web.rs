//! `quintain web`: the sites of a world, for a person to browse.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use quintain_bridge::SiteHosting;
use quintain_workshop::{BrowsedWorld, WorldSize};
use serde_json::json;

use crate::args::{WebArgs, WebSize};
use crate::exit::Exit;
use crate::interrupt;
use crate::printer::Printer;

/// How often a stop is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);

pub(crate) fn web(args: &WebArgs, printer: Printer) -> anyhow::Result<Exit> {
    let size = match args.size {
        WebSize::Small => WorldSize::Small,
        WebSize::Standard => WorldSize::Standard,
        WebSize::Large => WorldSize::Large,
    };
    let world = Arc::new(BrowsedWorld::new(args.seed, size));
    let hosting = SiteHosting::open(args.port, world)
        .with_context(|| format!("cannot listen on port {}\nhint: choose another --port", args.port))?;
    let addresses = hosting.addresses();
    printer.data(&json!({ "seed": args.seed, "sites": addresses }), || words(&addresses))?;
    let stop = interrupt::flag_on_signal(|| {})?;
    while !stop.load(Ordering::SeqCst) {
        thread::park_timeout(LOOK_EVERY);
    }
    Ok(Exit::Success)
}

fn words(addresses: &[String]) -> String {
    let first = addresses.first().map_or("", String::as_str);
    format!("{}\n\nopen {first} in a browser; Ctrl-C stops it", addresses.join("\n"))
}
