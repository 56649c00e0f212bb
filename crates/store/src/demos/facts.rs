//! What trainers are told of the folder.

use serde_json::{Map, Value, json};

use super::DemoFormat;

/// What LLaMA-Factory needs to know to take the folder as it is; nothing where no format is for it.
pub(super) fn dataset_info(formats: &[DemoFormat]) -> String {
    let mut info = Map::new();
    for (format, name) in [(DemoFormat::ShareGpt, "quintain"), (DemoFormat::Parquet, "quintain_parquet")] {
        if formats.contains(&format) {
            info.insert(name.to_owned(), dataset(format));
        }
    }
    if info.is_empty() { String::new() } else { format!("{:#}\n", Value::Object(info)) }
}

fn dataset(format: DemoFormat) -> Value {
    let talk = if format == DemoFormat::Parquet { "sharegpt" } else { "conversations" };
    json!({
        "file_name": format.name(),
        "formatting": "sharegpt",
        "columns": {"messages": talk, "system": "system", "images": "images"},
        "tags": {"role_tag": "from", "content_tag": "value", "user_tag": "human", "assistant_tag": "gpt"},
    })
}

/// What Hugging Face `datasets` needs to know of the columns of a Parquet file.
pub(super) fn features() -> String {
    let text = json!({"dtype": "string", "_type": "Value"});
    let number = |dtype: &str| json!({"dtype": dtype, "_type": "Value"});
    let list = |of: Value| json!({"feature": of, "_type": "List"});
    let part = json!({"type": text, "text": text});
    json!({"info": {"features": {
        "n": number("int64"),
        "id": text,
        "task": text,
        "preset": text,
        "seed": number("int64"),
        "strategy": text,
        "start": text,
        "turns": number("int32"),
        "system": text,
        "messages": list(json!({"role": text, "content": list(part)})),
        "sharegpt": list(json!({"from": text, "value": text})),
        "reasons": list(json!({"reason": text, "origin": text})),
        "images": list(json!({"_type": "Image"})),
    }}})
    .to_string()
}
