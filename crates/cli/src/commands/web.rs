//! `quintain web`: the sites of a world, for a person to browse.

use std::sync::Arc;

use anyhow::Context;
use quintain_bridge::SiteHosting;
use quintain_workshop::{BrowsedWorld, WorldSize};
use serde_json::json;

use crate::args::{WebArgs, WebSize};
use crate::exit::Exit;
use crate::interrupt;
use crate::printer::Printer;

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
    interrupt::wait_for_stop(&stop);
    Ok(Exit::Success)
}

fn words(addresses: &[String]) -> String {
    let first = addresses.first().map_or("", String::as_str);
    format!("{}\n\nopen {first} in a browser; Ctrl-C stops it", addresses.join("\n"))
}
