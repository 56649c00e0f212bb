//! `SeaweedFS`: an object store that speaks S3.

use std::path::PathBuf;
use std::process::Command;

use quintain_core::variables;

use super::process::Process;
use super::{free_port, fresh_dir, http, program};
use crate::wait_for;

/// A running object store with one bucket. It ends when this is dropped.
pub struct Weed {
    /// Where it listens, as `AWS_ENDPOINT_URL` wants it.
    pub endpoint: String,
    /// The bucket.
    pub bucket: String,
    /// The access key.
    pub access: String,
    /// The secret key.
    pub secret: String,
    host: String,
    ports: [u16; 8],
    dir: PathBuf,
    process: Option<Process>,
}

impl Weed {
    /// Starts an object store on loopback, and waits until it takes objects.
    pub fn start() -> Self {
        Self::on("127.0.0.1")
    }

    /// Starts an object store that listens on an address, and waits until it takes objects.
    pub fn on(host: &str) -> Self {
        let ports: [u16; 8] = std::array::from_fn(|_| free_port());
        let mut weed = Self {
            endpoint: format!("http://{host}:{}", ports[6]),
            bucket: "quintain".to_owned(),
            access: "quintain".to_owned(),
            secret: "a secret of no worth".to_owned(),
            host: host.to_owned(),
            ports,
            dir: fresh_dir("weed"),
            process: None,
        };
        std::fs::write(weed.dir.join("s3.json"), weed.identities()).expect("a configuration can be written");
        weed.restart();
        weed
    }

    /// What a process needs in its environment to reach it.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        vec![
            ("AWS_ENDPOINT_URL", self.endpoint.clone()),
            ("AWS_ACCESS_KEY_ID", self.access.clone()),
            ("AWS_SECRET_ACCESS_KEY", self.secret.clone()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
        ]
    }

    /// Ends it as `kill -9` does. Its files stay.
    pub fn kill(&mut self) {
        self.process = None;
    }

    /// Starts it again after it was killed, with the same ports and files, and waits until it takes objects.
    pub fn restart(&mut self) {
        let mut command = Command::new(program(variables::WEED, "weed"));
        command.arg("server").args(self.arguments());
        self.process = Some(Process::start(&mut command, &self.dir, "weed"));
        let log = self.dir.join("weed.log");
        wait_for(&format!("the object store; see {}", log.display()), || {
            let ended = self.process.as_mut().is_none_or(Process::has_ended);
            assert!(!ended, "the object store ended: {}", std::fs::read_to_string(&log).unwrap_or_default());
            self.is_ready()
        });
    }

    /// A directory under `/buckets` of the filer is a bucket.
    fn is_ready(&self) -> bool {
        let bucket = http("POST", &self.host, self.ports[4], &format!("/buckets/{}/", self.bucket));
        let has_bucket = matches!(bucket, Some((201 | 409, _)));
        let assign = has_bucket.then(|| http("GET", &self.host, self.ports[0], "/dir/assign")).flatten();
        let takes_objects = matches!(assign, Some((200, body)) if body.contains("fid"));
        takes_objects && matches!(http("GET", &self.host, self.ports[6], "/healthz"), Some((200, _)))
    }

    fn identities(&self) -> String {
        let actions = ["Admin", "Read", "Write", "List", "Tagging"];
        let keys = serde_json::json!({"accessKey": self.access, "secretKey": self.secret});
        let identity = serde_json::json!({"name": "tests", "credentials": [keys], "actions": actions});
        serde_json::json!({"identities": [identity]}).to_string()
    }

    fn arguments(&self) -> Vec<String> {
        let names = ["master.port", "master.port.grpc", "volume.port", "volume.port.grpc"];
        let more = ["filer.port", "filer.port.grpc", "s3.port", "s3.port.grpc"];
        let mut arguments: Vec<String> =
            names.iter().chain(&more).zip(self.ports).map(|(name, port)| format!("-{name}={port}")).collect();
        let (host, dir) = (&self.host, self.dir.display());
        arguments.extend([format!("-ip={host}"), format!("-ip.bind={host}"), format!("-dir={dir}")]);
        arguments.push(format!("-s3.config={dir}/s3.json"));
        let fixed = ["-s3", "-filer", "-s3.port.iceberg=0", "-s3.port.lance=0", "-master.telemetry=false"];
        arguments.extend(fixed.map(str::to_owned));
        arguments.extend(["-master.volumeSizeLimitMB=1024", "-volume.max=60"].map(str::to_owned));
        arguments
    }
}

impl Drop for Weed {
    fn drop(&mut self) {
        self.process = None;
        std::fs::remove_dir_all(&self.dir).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_store_keeps_its_files_when_it_is_killed() {
        let mut weed = Weed::start();
        let folder = format!("/buckets/{}/folder/", weed.bucket);
        let status = |weed: &Weed| http("POST", &weed.host, weed.ports[4], &folder).map(|(status, _)| status);
        assert_eq!(status(&weed), Some(201));
        weed.kill();
        assert_eq!(status(&weed), None);
        weed.restart();
        assert_eq!(status(&weed), Some(409), "it was there before");
    }
}
