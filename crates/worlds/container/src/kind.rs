//! The kind of world `harbor`.

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_core::instance::render;
use quintain_core::offering::{NeedScope, WorldNeed};
use quintain_core::world::{OpenContext, OracleStyle, WorldSupport};
use quintain_core::{Agent, Digest, FileSet, Instance, InstanceId, Offering, Pick, Task, World, WorldError, WorldKind};
use quintain_process::sandbox::this_host;
use quintain_root_tree::TreeStore;
use rustix::process::geteuid;
use serde_json::json;

use crate::host_trees::host_trees;
use crate::reward_check::RewardJudging;
use crate::test_run::HarborTests;
use crate::world::{DOCUMENT, OpenContainer};

/// Counts up whenever a system behaves otherwise.
const VERSION: u32 = 1;

/// The kind of world `harbor`: tasks in Harbor's format, imported.
#[derive(Clone, Debug)]
pub struct HarborPlay {
    /// Where the trees are; nothing where there is no place for any.
    trees: Option<TreeStore>,
}

impl HarborPlay {
    /// Everything that is known of them.
    pub fn offering() -> Offering {
        Self::over(host_trees())
    }

    /// The same, with trees that are kept elsewhere.
    pub fn over(trees: Option<TreeStore>) -> Offering {
        let root = WorldNeed {
            name: "layers",
            label: "systems that can be changed",
            purpose: "for tasks in Harbor's format",
            look: Arc::new(|| {
                this_host().map_err(|fault| fault.to_string())?;
                if geteuid().is_root() {
                    Ok("overlayfs, by root".to_owned())
                } else {
                    Err("only root can put a layer of changes over a tree".to_owned())
                }
            }),
            mend: "run it as root; docs/harbor.md says why",
            scope: NeedScope::EveryTask,
        };
        Offering {
            checks: vec![Arc::new(RewardJudging)],
            verifiers: vec![Arc::new(HarborTests { trees: trees.clone() })],
            needs: vec![root],
            document: |_task| DOCUMENT.to_owned(),
            ..Offering::of(Arc::new(Self { trees }))
        }
    }
}

impl WorldKind for HarborPlay {
    fn kind(&self) -> &'static str {
        "harbor"
    }

    /// What the tree is built from is among the files of the task, which has a digest of its own.
    fn digest(&self, _task: &Task) -> Digest {
        Digest::of(format!("harbor {VERSION}").as_bytes())
    }

    /// Programs run on real processors in real time.
    fn is_deterministic(&self) -> bool {
        false
    }

    fn is_costly(&self) -> bool {
        true
    }

    fn instantiate_whole(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        let parameters = task.parameters(pick);
        let digests: BTreeMap<&String, String> =
            task.input.iter().map(|(path, file)| (path, file.digest().to_string())).collect();
        Ok(Instance {
            id: InstanceId { task: task.id.clone(), pick: pick.clone() },
            instruction: render(task, &parameters).map_err(WorldError::setup)?,
            parameters,
            start: json!({ "files": digests }),
            secrets: Vec::new(),
            source: None,
        })
    }

    fn open(&self, _instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        Ok(Box::new(OpenContainer::open(&FileSet::new(), self.trees.as_ref())?))
    }

    fn open_with(&self, _instance: &Instance, given: &OpenContext<'_>) -> Result<Box<dyn World + Send>, WorldError> {
        Ok(Box::new(OpenContainer::open(given.inputs, self.trees.as_ref())?))
    }

    fn supports(&self, _task: &Task) -> WorldSupport {
        WorldSupport { inputs: true, file_results: true, wall_clock: true }
    }

    /// Solutions are written down with their tasks; where one has none, nobody here knows one.
    fn oracle(&self, instance: &Instance, _style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        Err(WorldError::setup(format!("`{}` came without a solution", instance.id)))
    }
}
