"""Compares what this project makes of Harbor's format with what the package `harbor` makes of it.

python check.py CASES.json

The file names folders of tasks and holds rewards and steps, each with what came of it here. Every disagreement is printed.
"""

import json
import logging
import sys
import tempfile
import warnings
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from harbor.environments.definition import has_agent_environment_definition
from harbor.models.task.config import MultiStepRewardStrategy, StepConfig
from harbor.models.task.task import Task
from harbor.models.task.verifier_mode import resolve_step_verifier_mode, resolve_task_verifier_mode
from harbor.models.trial.paths import TrialPaths
from harbor.models.trial.result import ExceptionInfo, StepResult
from harbor.models.verifier.result import VerifierResult
from harbor.trial.multi_step import MultiStepTrial
from harbor.trial.trial import Trial
from harbor.verifier.verifier import RewardFileEmptyError, Verifier, VerifierOutputParseError

warnings.simplefilter("ignore")


def read_task(folder):
    """A task by the package's own models, as far as both sides tell it."""
    try:
        task = Task(folder)
    except (OSError, ValueError):
        return None
    config, paths = task.config, task.paths
    rounds = []
    for step in config.steps or [None]:
        if step is None:
            instruction, script = task.instruction, paths.discovered_test_path_for(config.environment.os)
            mode, timeout = resolve_task_verifier_mode(config), config.agent.timeout_sec
        else:
            instruction = task.step_instruction(step.name)
            script = paths.discovered_step_test_path_for(step.name, config.environment.os)
            script = script or paths.discovered_test_path_for(config.environment.os)
            mode = resolve_step_verifier_mode(config, step)
            own = step.agent.timeout_sec
            timeout = own if own is not None else config.agent.timeout_sec
        rounds.append(
            {
                "instruction": instruction,
                "script": script.resolve().relative_to(paths.task_dir).as_posix(),
                "separate": mode.value == "separate",
                "agent_timeout_sec": timeout,
                "verifier_timeout_sec": (step or config).verifier.timeout_sec,
                "min_reward": None if step is None else thresholds(step.min_reward),
            }
        )
    environment = config.environment
    return {
        "schema_version": config.schema_version,
        "memory_mb": environment.memory_mb,
        "storage_mb": environment.storage_mb,
        "network": environment.network_mode.value,
        "strategy": (config.multi_step_reward_strategy or MultiStepRewardStrategy.MEAN).value,
        "rounds": rounds,
    }


def thresholds(min_reward):
    """A number alone is about the reward called so."""
    return {"reward": min_reward} if isinstance(min_reward, float) else min_reward


def is_valid_export(folder):
    task = Task(folder)
    mode = resolve_task_verifier_mode(task.config).value
    is_built = has_agent_environment_definition(task.paths.environment_dir)
    return Task.is_valid_dir(folder) and mode == "separate" and is_built and task.config.artifacts == ["/work/output"]


def read_rewards(case):
    """What the package's own verifier reads of reward files; nothing where that is an error."""
    with tempfile.TemporaryDirectory() as room:
        paths = TrialPaths(Path(room))
        paths.verifier_dir.mkdir(parents=True)
        for path, content in ((paths.reward_json_path, case["json"]), (paths.reward_text_path, case["text"])):
            if content is not None:
                path.write_bytes(bytes(content))
        verifier = Verifier.__new__(Verifier)
        verifier.trial_paths = paths
        try:
            if paths.reward_json_path.exists():
                rewards = verifier._parse_reward_json()
            elif paths.reward_text_path.exists():
                rewards = verifier._parse_reward_text()
            else:
                return None
            return VerifierResult(rewards=rewards).rewards
        except (RewardFileEmptyError, VerifierOutputParseError, ValueError):
            return None


def play_steps(case):
    """How many steps the package would begin, and what they come to."""
    config = SimpleNamespace(verifier=SimpleNamespace(disable=False))
    failure = MultiStepTrial._min_reward_failure
    trial = SimpleNamespace(config=config, logger=logging.getLogger("check"), _min_reward_failure=failure)
    results = []
    for rewards, min_reward in case["steps"]:
        step = StepConfig(name="step", min_reward=min_reward)
        result = StepResult(step_name="step")
        if rewards is None:
            result.exception_info = ExceptionInfo.from_exception(RuntimeError("no reward"))
        else:
            result.verifier_result = VerifierResult(rewards=rewards)
        results.append(result)
        if MultiStepTrial._should_stop_after_step(trial, step, result):
            break
    trial.result = SimpleNamespace(step_results=results)
    trial.task = SimpleNamespace(
        config=SimpleNamespace(multi_step_reward_strategy=MultiStepRewardStrategy(case["strategy"]))
    )
    trial._aggregate_step_rewards = partial(Trial._aggregate_step_rewards, trial)
    made = Trial._select_multi_step_reward(trial)
    return {"n_begun": len(results), "rewards": made and made.rewards}


def main(path):
    cases = json.loads(Path(path).read_text())
    wrong = []

    def compare(what, ours, theirs):
        if ours != theirs:
            wrong.append(f"{what}\n  here:   {ours}\n  harbor: {theirs}")

    for case in cases["tasks"]:
        compare(case["folder"], case["ours"], read_task(case["folder"]))
    for folder in cases["exports"]:
        compare(folder, True, is_valid_export(folder))
    for case in cases["rewards"]:
        told = {key: bytes(case[key]) for key in ("json", "text") if case[key] is not None}
        compare(f"reward {told}", case["ours"], read_rewards(case))
    for case in cases["steps"]:
        compare(f"steps {case['strategy']} {case['steps']}", case["ours"], play_steps(case))
    print("\n".join(wrong) or {name: len(all_cases) for name, all_cases in cases.items()})
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
