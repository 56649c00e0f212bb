//! `quintain steward`

use std::sync::Arc;

use quintain_fleet::bond::bind;
use quintain_fleet::limits::{Keeper, KeeperOptions};
use quintain_fleet::metrics::Metrics;
use quintain_fleet::steward::{Grants, Steward, StewardOptions};
use tokio::sync::watch;

use crate::args::StewardArgs;
use crate::exit::Exit;
use crate::fleet::{self, Fleet};
use crate::interrupt;
use crate::printer::Printer;

pub(crate) fn steward(args: &StewardArgs, printer: Printer) -> anyhow::Result<Exit> {
    let archive = fleet::archive(&args.reached)?;
    let reached = Fleet::reach(&args.reached)?;
    reached.wait(archive.check())?;
    reached.wait(bind(&reached.client, &reached.names, &archive))?;
    let metrics = Arc::<Metrics>::default();
    let _served = fleet::serve_metrics(&reached, args.metrics.as_deref(), &metrics, printer)?;
    let name = fleet::here();
    printer.say(format!("steward `{name}` of fleet `{}`", args.reached.fleet));
    let options = StewardOptions {
        name: name.clone(),
        metrics,
        tell: Arc::new(move |what| printer.say(format!("{name} {what}"))),
        ..StewardOptions::default()
    };
    let (stop, stopped) = watch::channel(false);
    let _signalled = interrupt::flag_on_signal(move || {
        stop.send_replace(true);
    })?;
    let (client, names, engine) = (reached.client.clone(), reached.names.clone(), Arc::clone(&reached.engine));
    reached.wait(async {
        let keeper = Keeper::open(client.clone(), names.clone(), KeeperOptions::default()).await?;
        let grants: Arc<dyn Grants> = Arc::new(keeper);
        let steward = Steward::new(engine, client, names, archive, grants, options).await?;
        anyhow::Ok(steward.serve(stopped).await?)
    })?;
    Ok(Exit::Success)
}
