"""Loads a folder that `quintain demos` wrote (all four formats) with the loaders that trainers use.

    python check_demos.py FOLDER

Needs `datasets` and `pillow`. Where `llamafactory` or `trl` can be imported, their own code takes the data too; where one
cannot, that is said, and its documented form is checked here instead.
"""

import glob
import importlib.machinery
import importlib.util
import io
import json
import sys
import types
from pathlib import Path

from datasets import Image, load_dataset
from PIL import Image as Pil

ROOT = Path(sys.argv[1])


def rows(folder, ending):
    return sorted(glob.glob(str(ROOT / folder / f"*.{ending}")))


def lines(path):
    """What the lines of a file say, one after the other: files may be long."""
    with open(path) as file:
        yield from map(json.loads, file)


def check_index():
    facts = [fact for path in rows("index", "jsonl") for fact in lines(path)]
    starts = {fact["start"] for fact in facts}
    problems = {fact["problem"] for fact in facts}
    evaluation = {start for line in lines(ROOT / "evaluation.jsonl") for start in line["starts"]}
    assert len(problems) == len(facts), "two begin alike and ask for the same"
    assert not starts & evaluation, "one begins like an instance of the evaluation"
    seeds = [int(fact["instance"].rsplit("#", 1)[1]) for fact in facts]
    assert min(seeds) >= 2**48, "a seed is one of the evaluation"
    print(f"index: {len(facts)} demonstrations, {len(starts)} starts, none of {len(evaluation)} in the evaluation")
    return len(facts)


def check_parquet(n):
    data = load_dataset("parquet", data_files=rows("parquet", "parquet"), split="train", cache_dir=str(ROOT / ".cache"))
    assert data.num_rows == n, (data.num_rows, n)
    assert isinstance(data.features["images"].feature, Image), data.features["images"]
    for row in data.select(range(min(n, 50))):
        shown = [part for message in row["messages"] for part in message["content"] if part["type"] == "image"]
        assert len(shown) == len(row["images"]) == sum(said["value"].count("<image>") for said in row["sharegpt"])
        assert all(image.mode == "RGB" for image in row["images"])
        roles = [message["role"] for message in row["messages"]]
        assert roles == ["system"] + ["user", "assistant"] * row["turns"]
        assert row["messages"][0]["content"] == [{"type": "text", "text": row["system"]}]
    print(f"datasets: {n} rows with decoded images")
    return data


def check_llamafactory_form(n):
    info = json.loads((ROOT / "dataset_info.json").read_text())["quintain"]
    tags, columns, count = info["tags"], info["columns"], 0
    for path in rows(info["file_name"], "json"):
        for row in json.loads(Path(path).read_text()):
            said = row[columns["messages"]]
            expected = [tags["user_tag"], tags["assistant_tag"]] * (len(said) // 2)
            assert [one[tags["role_tag"]] for one in said] == expected
            marks = sum(one[tags["content_tag"]].count("<image>") for one in said)
            assert marks == len(row[columns["images"]])
            assert isinstance(row[columns["system"]], str)
            assert all((ROOT / image).is_file() for image in row[columns["images"]])
            count += 1
    assert count == n
    print(f"LLaMA-Factory's documented form: {n} rows")


def check_llamafactory_code(n):
    """Its own reader of `dataset_info.json`, its loader and its converter."""
    # It wants to be able to read sound, of which there is none here.
    import transformers  # noqa: F401 - looks for it before it is replaced

    sys.modules["torchaudio"] = types.ModuleType("torchaudio")
    sys.modules["torchaudio"].__spec__ = importlib.machinery.ModuleSpec("torchaudio", None)
    from llamafactory.data.loader import _load_single_dataset
    from llamafactory.data.parser import get_dataset_list
    from llamafactory.hparams import DataArguments, ModelArguments
    from transformers import Seq2SeqTrainingArguments

    for name in ["quintain", "quintain_parquet"]:
        [attributes] = get_dataset_list([name], str(ROOT))
        arguments = DataArguments(dataset=name, dataset_dir=str(ROOT), media_dir=str(ROOT))
        model = ModelArguments(model_name_or_path="none", cache_dir=str(ROOT / ".cache"))
        training = Seq2SeqTrainingArguments(output_dir=str(ROOT / ".cache" / "out"), use_cpu=True)
        data = _load_single_dataset(attributes, model, arguments, training)
        assert len(data) == n, (name, len(data), n)
        row = data[0]
        assert row["_prompt"][0]["role"] == "user" and row["_response"][0]["role"] == "assistant", row
        assert row["_system"] and len(row["_images"]) > 0
        if name == "quintain":
            assert Path(row["_images"][0]).is_file(), row["_images"][0]
    print(f"LLaMA-Factory's own loader: {n} rows, from conversations and from Parquet")


def check_trl(data):
    """Its own test of the form, and its preparation of messages with images."""
    from trl.data_utils import is_conversational, prepare_multimodal_messages

    row = data[0]
    assert is_conversational({"messages": row["messages"]})
    prepared = prepare_multimodal_messages(row["messages"], images=list(row["images"]))
    shown = [part for message in prepared for part in message["content"] if part["type"] == "image"]
    assert len(shown) == len(row["images"])
    print("TRL: conversational, images in their places")


def check_openai(n):
    count = 0
    for path in rows("openai", "jsonl"):
        for line in lines(path):
            messages = line["messages"]
            assert messages[0]["role"] == "system" and messages[-1]["role"] == "assistant"
            parts = [part for message in messages[1::2] for part in message["content"] if isinstance(part, dict)]
            urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
            assert urls and all((ROOT / url).is_file() for url in urls)
            count += 1
    assert count == n
    print(f"OpenAI messages: {n} lines")


def check_atif(n):
    """One trajectory a line; its pictures are named from the folder of the trajectories."""
    count = 0
    for path in rows("atif", "jsonl"):
        for trajectory in lines(path):
            assert trajectory["schema_version"].startswith("ATIF-v"), trajectory["schema_version"]
            assert [step["step_id"] for step in trajectory["steps"]] == list(range(1, len(trajectory["steps"]) + 1))
            paths = list(pictures(trajectory))
            assert paths and all(named.startswith("../images/") for named in paths), paths
            assert all((ROOT / "atif" / named).is_file() for named in paths)
            count += 1
    assert count == n, (count, n)
    print(f"ATIF: {n} lines")


def pictures(value):
    """The paths of all pictures within a trajectory."""
    if isinstance(value, dict):
        if value.get("type") == "image":
            yield value["source"]["path"]
        for inner in value.values():
            yield from pictures(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from pictures(inner)


def check_images():
    paths = glob.glob(str(ROOT / "images" / "*" / "*.png"))
    for path in paths[:200]:
        Pil.open(io.BytesIO(Path(path).read_bytes())).verify()
    print(f"images: {len(paths)} files")


def main():
    n = check_index()
    data = check_parquet(n)
    check_llamafactory_form(n)
    check_openai(n)
    check_atif(n)
    check_images()
    for package, check in [("llamafactory", lambda: check_llamafactory_code(n)), ("trl", lambda: check_trl(data))]:
        if importlib.util.find_spec(package) is None:
            print(f"{package} is not installed: its own code was not run")
        else:
            check()


if __name__ == "__main__":
    main()
