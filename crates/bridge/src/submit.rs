//! Tells an opened trial, at its address, that it is done.

use std::time::Duration;

use quintain_models::providers::runtime::{client, runtime};

use super::served_app::{Submission, SubmissionResult};

/// The longest that judging may take.
const JUDGING_LIMIT: Duration = Duration::from_mins(10);

/// Why nothing was submitted.
#[derive(Debug, thiserror::Error)]
pub enum NotSubmitted {
    /// Nobody is there.
    #[error("nobody answers at {url}: {why}\nhint: `quintain open` prints the address, and must still be running")]
    Unreachable {
        /// Where.
        url: String,
        /// Why not.
        why: String,
    },
    /// Something else is there, or the trial broke.
    #[error("{url} answers {status}: {said}")]
    Refused {
        /// Where.
        url: String,
        /// With what status.
        status: u16,
        /// In what words.
        said: String,
    },
}

/// Tells the trial at an address that it is done, and waits until it is judged or refused. The address may be the
/// trial's or its app's.
pub fn submit(url: &str, submission: &Submission) -> Result<SubmissionResult, NotSubmitted> {
    let url = submit_url(url);
    runtime().block_on(async {
        let unreachable = |why: String| NotSubmitted::Unreachable { url: url.clone(), why };
        let client = client().map_err(unreachable)?;
        let sent = client.post(&url).json(submission).timeout(JUDGING_LIMIT).send().await;
        let response = sent.map_err(|error| unreachable(root_cause(&error)))?;
        let status = response.status();
        let said = response.text().await.map_err(|error| unreachable(root_cause(&error)))?;
        let refused = |said: String| NotSubmitted::Refused { url: url.clone(), status: status.as_u16(), said };
        if !status.is_success() {
            return Err(refused(said));
        }
        serde_json::from_str(&said).map_err(|error| refused(format!("{error} in `{said}`")))
    })
}

fn submit_url(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or(url).trim_end_matches('/');
    let url = url.strip_suffix("/app").or_else(|| url.strip_suffix("/submit")).unwrap_or(url);
    format!("{url}/submit")
}

/// What went wrong, without what every error of the client begins with.
fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trials_and_the_apps_address_both_lead_to_the_desk() {
        for url in
            ["http://h/t/x", "http://h/t/x/", "http://h/t/x/app/", "http://h/t/x/app/?q#a", "http://h/t/x/submit"]
        {
            assert_eq!(submit_url(url), "http://h/t/x/submit", "{url}");
        }
    }

    #[test]
    fn nobody_at_the_address_is_an_error_with_a_hint() {
        let error = submit("http://127.0.0.1:1/t/x", &Submission::default()).unwrap_err();
        assert!(error.to_string().contains("hint: `quintain open` prints the address"), "{error}");
    }
}
