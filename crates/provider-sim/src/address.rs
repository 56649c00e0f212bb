//! What a request's path says: which instance, which units, which wire format.

use quintain_core::percent::percent_decoded;

use super::asked::{Api, Units};
use super::hosts::HostRules;

/// Where a request goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RequestAddress {
    pub(super) api: Api,
    /// The instance that the mind is to play.
    pub(super) instance: Option<String>,
    pub(super) units: Units,
    /// The model, where the path names it.
    pub(super) model: Option<String>,
    /// Whether the path asks for a stream.
    pub(super) streams: bool,
    /// The service that it is asked as; nothing for the provider itself.
    pub(super) host: Option<&'static HostRules>,
}

impl RequestAddress {
    /// Reads `[/mind/INSTANCE][/points/UNITS][/at/HOST]/v1/...`, or says what is wrong with it.
    pub(super) fn read(path: &str) -> Result<Self, String> {
        let mut rest = path.trim_matches('/');
        let (mut instance, mut units) = (None, None);
        if let Some((segment, after)) = named(rest, "mind/") {
            instance =
                Some(percent_decoded(segment).ok_or_else(|| format!("`{segment}` is not percent-encoded text"))?);
            rest = after;
        }
        if let Some((segment, after)) = named(rest, "points/") {
            let named = Units::named(segment);
            units =
                Some(named.ok_or_else(|| {
                    format!("there are no points in `{segment}`: pixels, thousandths, unit or resized")
                })?);
            rest = after;
        }
        let mut host = None;
        if let Some((segment, after)) = named(rest, "at/") {
            host = Some(HostRules::named(segment).ok_or_else(|| format!("there is no service `{segment}`"))?);
            rest = after;
        }
        let (api, model, streams) = match host {
            Some(host) => host.endpoint(rest).and_then(|(api, last)| at_host(api, last)),
            None => endpoint(rest),
        }
        .ok_or_else(|| format!("there is nothing at `{path}`"))?;
        Ok(Self { api, instance, units: units.unwrap_or_else(|| Units::usual(api)), model, streams, host })
    }
}

/// The segment after this prefix, and what follows it.
fn named<'a>(rest: &'a str, prefix: &str) -> Option<(&'a str, &'a str)> {
    rest.strip_prefix(prefix)?.split_once('/')
}

fn endpoint(rest: &str) -> Option<(Api, Option<String>, bool)> {
    match rest {
        "v1/messages" => return Some((Api::Anthropic, None, false)),
        "v1/responses" => return Some((Api::Responses, None, false)),
        "v1/chat/completions" => return Some((Api::Chat, None, false)),
        _ => {}
    }
    // The package `google-genai` asks at `v1` from 3.0.0 on, at `v1beta` before (`_api_client.py`).
    let last = rest.strip_prefix("v1beta/models/").or_else(|| rest.strip_prefix("v1/models/"))?;
    at_host(Api::Google, Some(percent_decoded(last)?))
}

/// What the last part of a path says where it is a model and a method.
fn at_host(api: Api, last: Option<String>) -> Option<(Api, Option<String>, bool)> {
    let Some(last) = last else { return Some((api, None, false)) };
    let (model, method) = last.rsplit_once(':')?;
    let streams = match (api, method) {
        (Api::Google, "generateContent") | (Api::Anthropic, "rawPredict") => false,
        (Api::Google, "streamGenerateContent") | (Api::Anthropic, "streamRawPredict") => true,
        _ => return None,
    };
    Some((api, Some(model.to_owned()), streams))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_path_names_instance_units_and_format() {
        let read = |path| RequestAddress::read(path).unwrap();
        assert_eq!(
            read("/mind/puzzles%2Fmaze-2d%40easy%230/points/unit/v1/messages"),
            RequestAddress {
                api: Api::Anthropic,
                instance: Some("puzzles/maze-2d@easy#0".to_owned()),
                units: Units::Unit,
                model: None,
                streams: false,
                host: None,
            }
        );
        assert_eq!(read("/v1/chat/completions").instance, None);
        let google = read("/mind/a/v1beta/models/sim-1:streamGenerateContent");
        assert_eq!((google.api, google.model.as_deref(), google.streams), (Api::Google, Some("sim-1"), true));
        let claude =
            read("/at/vertex/v1/projects/p/locations/l/publishers/anthropic/models/claude-opus-4-6:streamRawPredict");
        assert_eq!((claude.api, claude.model.as_deref()), (Api::Anthropic, Some("claude-opus-4-6")));
        assert_eq!(read("/mind/a/at/azure-dated/openai/deployments/d/chat/completions").api, Api::Chat);
        for wrong in [
            "/",
            "/v1/message",
            "/mind/a%2/v1/messages",
            "/mind/a%+1/v1/messages",
            "/points/miles/v1/messages",
            "/v1beta/models/x:sing",
            "/at/home/v1/messages",
            "/at/azure/v1/responses",
            "/at/vertex/v1/projects/p/locations/l/publishers/anthropic/models/claude:generateContent",
        ] {
            assert!(RequestAddress::read(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_path_is_read_or_refused(path in "\\PC{0,60}") {
            drop(RequestAddress::read(&path));
        }

        #[test]
        fn every_instance_survives_the_path(instance in "\\PC{1,30}") {
            let encoded = instance.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat();
            let address = RequestAddress::read(&format!("/mind/{encoded}/v1/responses")).unwrap();
            prop_assert_eq!(address.instance, Some(instance));
        }
    }
}
