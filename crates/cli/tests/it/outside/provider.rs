//! A provider of chat completions that says what an oracle did, by the number of the turn it is shown.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Map, Value, json};

/// A provider on loopback, until the process ends.
pub(crate) struct Provider {
    pub(crate) url: String,
}

impl Provider {
    /// The only key that it takes.
    pub(crate) const KEY: &str = "sk-the-real-key-of-the-user";

    /// A provider that knows these steps.
    pub(crate) fn start(steps: &[Value]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let actions: Vec<Value> = steps.iter().map(|step| step["action"].clone()).collect();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                answer(stream, &actions);
            }
        });
        Self { url }
    }
}

fn answer(stream: TcpStream, actions: &[Value]) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).is_ok_and(|n_read| n_read > 0) {}
    let head = head.to_lowercase();
    let field =
        |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned();
    let mut body = vec![0; field("content-length:").parse().unwrap_or(0)];
    reader.read_exact(&mut body).expect("the whole request");
    let (status, said) = if field("authorization:") == format!("bearer {}", Provider::KEY) {
        ("200 OK", completion(&String::from_utf8_lossy(&body), actions))
    } else {
        ("401 Unauthorized", json!({ "error": { "message": "no such key" } }))
    };
    let said = said.to_string();
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", said.len());
    write!(reader.into_inner(), "{head}connection: close\r\n\r\n{said}").expect("it is heard");
}

fn completion(request: &str, actions: &[Value]) -> Value {
    let turn = request.rsplit("Turn ").next().and_then(|rest| rest.split('.').next()?.parse::<usize>().ok());
    let action = &actions[turn.expect("the turn is told") - 1];
    let (name, arguments) = match action["name"].as_str() {
        Some(name) => (name, named(request, name, &action["args"])),
        None => ("done", Map::new()),
    };
    let function = json!({ "name": name, "arguments": Value::Object(arguments).to_string() });
    let call = json!({ "id": "c", "type": "function", "function": function });
    let message = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
    json!({
        "id": "x", "object": "chat.completion", "model": "sim",
        "choices": [{ "index": 0, "finish_reason": "tool_calls", "message": message }],
        "usage": { "prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100 },
    })
}

/// The arguments by the names that the offered function has for them.
fn named(request: &str, name: &str, args: &Value) -> Map<String, Value> {
    let request: Value = serde_json::from_str(request).expect("it is JSON");
    let tools = request["tools"].as_array().expect("tools are offered");
    let tool = tools.iter().find(|tool| tool["function"]["name"] == name).expect("the function is offered");
    let names = tool["function"]["parameters"]["required"].as_array().expect("it takes arguments");
    let names = names.iter().map(|name| name.as_str().expect("a name").to_owned());
    names.zip(args.as_array().expect("arguments").iter().cloned()).collect()
}
