"""Environments that are read: the web of the chains as text, without a browser."""

from __future__ import annotations

import json

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import quintain

CHAIN = "chains/science-lineage-sole"


def test_gymnasium_is_content() -> None:
    check_env(quintain.make_text(CHAIN, preset="easy", seed=3), skip_render_check=True)


def test_the_solver_solves_by_calls() -> None:
    env = quintain.make_text(CHAIN, preset="easy", seed=1)
    text, info = env.reset()
    assert text.startswith("https://find.web/\n") and info["seed"] == 1
    assert [call["name"] for call in env.actions()] == ["search", "open", "find", "submit", "more"]
    steps = [env.step(action) for action in env.solve()]
    _, reward, terminated, truncated, info = steps[-1]
    assert (reward, terminated, truncated, info["solved"]) == (1.0, True, False, True)
    assert all(step[1] == 0.0 and not step[2] and not step[3] for step in steps[:-1])
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step("more()")
    env.reset()
    assert env.instructions()


def test_pages_are_gone_through_in_words() -> None:
    env = quintain.make_text(CHAIN, preset="easy", seed=1)
    env.reset()
    text, *_, info = env.step("search('university')")
    assert text.startswith("https://find.web/search?q=university\n") and info["effect"] == "changed"
    text, *_ = env.step(json.dumps({"do": "call", "name": "open", "args": ["https://scholar.web/"]}))
    assert "Form 1:" in text
    text, *_, info = env.step("open('4711')")
    assert info["effect"] == "refused" and "There is no link 4711" in info["feedback"]
    *_, info = env.step("what?")
    assert info["effect"] == "misread"


def test_a_vector_plays_what_single_environments_play() -> None:
    vector = quintain.make_text_vec(CHAIN, 3, threads=2, preset="easy", seed=5)
    texts, infos = vector.reset(seed=5)
    assert infos["seed"].tolist() == [5, 6, 7] and len(texts) == 3
    assert vector.observation_space.contains(texts)
    actions = vector.solve(1)
    single = quintain.make_text(CHAIN, preset="easy", seed=6)
    single.reset()
    for action in actions:
        texts, rewards, terminated, _, _ = vector.step(["more()", action, "more()"])
        text, reward, over, _, _ = single.step(action)
        assert (texts[1], rewards[1], terminated[1]) == (text, reward, over)
    assert rewards.tolist() == [0.0, 1.0, 0.0]
    _, infos = vector.reset()
    assert infos["seed"].tolist() == [8, 9, 10]


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(quintain.QuintainError, match="cannot be read as text"):
        quintain.make_text("puzzles/maze-2d")
