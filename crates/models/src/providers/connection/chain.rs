//! What a provider that keeps conversations already knows of one.

use crate::model::{Message, Request, Tool};
use crate::providers::codec::ConversationLink;

/// The last question that was answered, and the answer. A question that begins the same way need only send what is new.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    last: Option<KnownAnswer>,
}

#[derive(Debug)]
struct KnownAnswer {
    system: String,
    tools: Vec<Tool>,
    /// The messages of the question, and the answer.
    messages: Vec<Message>,
    response_id: String,
}

impl Chain {
    /// Remembers an answer, if the provider gave it a name to refer to.
    pub(crate) fn extend(&mut self, request: &Request, answer: &Message, response_id: Option<String>) {
        self.last = response_id.map(|response_id| KnownAnswer {
            system: request.system.clone(),
            tools: request.tools.clone(),
            messages: request.messages.iter().chain([answer]).cloned().collect(),
            response_id,
        });
    }

    /// Where a question goes on from, if it goes on from the last one.
    pub(crate) fn link(&self, request: &Request) -> Option<ConversationLink> {
        let known = self.last.as_ref()?;
        let goes_on = request.messages.len() > known.messages.len()
            && request.messages.starts_with(&known.messages)
            && request.system == known.system
            && request.tools == known.tools;
        goes_on.then(|| ConversationLink { response_id: known.response_id.clone(), n_messages: known.messages.len() })
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::books::Purpose;

    use super::*;
    use crate::model::{MessageRole, Piece};

    fn request(messages: &[&str]) -> Request {
        let message = |(number, text): (usize, &&str)| Message {
            role: if number % 2 == 0 { MessageRole::User } else { MessageRole::Assistant },
            pieces: vec![Piece::text(*text)],
        };
        Request {
            system: "be brief".to_owned(),
            messages: messages.iter().enumerate().map(message).collect(),
            tools: Vec::new(),
            must_call: false,
            max_output: 100,
            effort: None,
            purpose: Purpose::Act,
            step_idx: 0,
        }
    }

    #[test]
    fn only_a_question_that_goes_on_is_linked() {
        let mut chain = Chain::default();
        assert_eq!(chain.link(&request(&["a"])), None);
        let answer = request(&["a", "b"]).messages.remove(1);
        chain.extend(&request(&["a"]), &answer, Some("resp_1".to_owned()));
        let link = chain.link(&request(&["a", "b", "c"])).unwrap();
        assert_eq!((link.response_id.as_str(), link.n_messages), ("resp_1", 2));
        assert_eq!(chain.link(&request(&["a", "other", "c"])), None);
        assert_eq!(chain.link(&request(&["a", "b"])), None, "nothing new");
        assert_eq!(chain.link(&Request { system: "be long".to_owned(), ..request(&["a", "b", "c"]) }), None);
        chain.extend(&request(&["a"]), &answer, None);
        assert_eq!(chain.link(&request(&["a", "b", "c"])), None);
    }
}
