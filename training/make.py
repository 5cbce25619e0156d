"""Make the tagger that the package ships, from the corpora, with one command.

    python -m training.make --data ../shared/data --out build/tagger

prepares the pages of folds 1 to 4, trains a tagger on all of them and one without each fold (networks, then trees),
fits the judge on what those say about the fold they have not seen, and puts tagger, judge and model card into the
package. Each step can be run by itself (`prepare`, `train`, `grow`, `join`, `judge`, `card`), so that an accelerator is
needed for `train` alone.
"""

import argparse
import json
import multiprocessing
import pickle
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import torch

from training.card import write_card
from training.corpus import HAND, SOURCES, read_corpus, source_number
from training.export import differences, export
from training.network import Network, Together
from training.prepare import Example, prepare
from training.train import MEMBERS, Examples, measure, train
from training.trees import chosen_examples, grow, plant

FOLDS = (1, 2, 3, 4)
TAGGERS = {"full": None, **{f"oof{fold}": fold for fold in FOLDS}}
"""The taggers by name, and the fold that each has not seen."""
PACKAGE = Path("src/sitewright/tag/models/news")


def main() -> None:
    """Run the steps that the arguments name."""
    args = _arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    for step in STEPS if args.step == "all" else [args.step]:
        STEPS[step](args)


def _examples(args: argparse.Namespace) -> list[Example]:
    """Return the prepared examples, made once."""
    cache = args.out / "examples.pickle"
    if cache.exists():
        return pickle.loads(cache.read_bytes())  # written by the lines below
    start = time.time()
    examples = prepare(read_corpus(args.data, frozenset(args.prepare)), args.workers)
    cache.write_bytes(pickle.dumps(examples, protocol=5))
    counts = Counter(SOURCES[example.source] for example in examples if example.variant == 0)
    (args.out / "sources.json").write_text(json.dumps(counts), "utf-8")
    print(json.dumps({"examples": len(examples), "seconds": round(time.time() - start)}), flush=True)
    return examples


def _train(args: argparse.Namespace) -> None:
    """Train the networks of the taggers, all at once: none of them fills an accelerator."""
    examples = _examples(args)
    _side_by_side(
        [partial(_train_one, args, examples, name, member) for name in args.taggers for member in args.members]
    )


def _train_one(args: argparse.Namespace, examples: list[Example], name: str, member: str) -> None:
    torch.backends.cuda.matmul.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    without = {source_number(source) for source in args.without}
    unseen = TAGGERS[name]
    chosen = [e for e in examples if e.fold != unseen and e.source not in without]
    held = [e for e in examples if e.fold == unseen and e.variant == 0 and e.source == source_number(HAND)]
    plan = replace(MEMBERS[member], ablate=args.ablate, seconds=args.seconds)
    plan = replace(plan, epochs=args.epochs or plan.epochs, shape=replace(plan.shape, page=not args.alone))
    data = Examples(chosen, device, plan.ablate)
    test = Examples(held, device, plan.ablate) if held else None
    print(name, member, len(chosen), "examples", int(data.lengths.sum()), "units", plan, flush=True)
    network = train(data, plan, test)
    said = measure(network, test) if test is not None else ""
    print(name, member, said, flush=True)
    state = {"state": network.state_dict(), "plan": plan, "held_out": said}
    torch.save(state, args.out / f"{name}{args.suffix}.{member}.pt")


def _side_by_side(jobs: Sequence[Callable[[], None]]) -> None:
    """Run jobs in forks of this process, which share what it has read."""
    fork = multiprocessing.get_context("fork")
    processes = [fork.Process(target=job) for job in jobs]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    if failed := sum(process.exitcode != 0 for process in processes):
        sys.exit(f"{failed} of {len(processes)} failed")


def _load(path: Path) -> Network:
    saved = torch.load(path, map_location="cpu", weights_only=False)  # written by _train
    network = Network(saved["plan"].shape)
    network.load_state_dict(saved["state"])
    return network.eval()


def _grow(args: argparse.Namespace) -> None:
    """Grow the trees of the taggers, all at once."""
    examples = chosen_examples(_examples(args))
    _side_by_side([partial(_grow_one, args, examples, name) for name in args.taggers])


def _grow_one(args: argparse.Namespace, examples: list[Example], name: str) -> None:
    start = time.time()
    without = {source_number(source) for source in args.without}
    grove = grow([e for e in examples if e.fold != TAGGERS[name] and e.source not in without], workers=args.threads)
    _grove(args, name).write_bytes(pickle.dumps(grove))
    print(name, "trees", round(time.time() - start), "s", flush=True)


def _grove(args: argparse.Namespace, name: str) -> Path:
    return Path(args.out / f"{name}{args.suffix}.trees.pickle")


def _join(args: argparse.Namespace) -> None:
    """Put networks and trees of each tagger together and export them."""
    for name in args.taggers:
        both = _together(args, name)
        path = args.out / f"{name}{args.suffix}.onnx"
        export(both, path)
        cache = args.out / "examples.pickle"
        if cache.exists():
            few = Examples(_examples(args)[:20], "cpu")
            print(name, path.stat().st_size, "bytes; differs by", differences(both, path, few), flush=True)
        plant(pickle.loads(_grove(args, name).read_bytes()), path)  # written by _grow
    if "full" in args.taggers and not args.suffix:
        shutil.copy(args.out / "full.onnx", PACKAGE / "tagger.onnx")


def _together(args: argparse.Namespace, name: str) -> Together:
    """Return the networks of a tagger that were trained: those that only help the judge may do with fewer."""
    parts: dict[bool, list[Network]] = {True: [], False: []}
    for member, plan in MEMBERS.items():
        path = args.out / f"{name}{args.suffix}.{member}.pt"
        if path.exists():
            parts["text" in plan.fields].append(_load(path))
    return Together(parts[False], parts[True])


def _judge(args: argparse.Namespace) -> None:
    """Fit the judge, in a process of its own: it forks workers, which a process with an accelerator must not."""
    command = [sys.executable, "-m", "training.judge", "--data", args.data, "--models", args.out]
    subprocess.run([*map(str, command), "--out", str(PACKAGE / "judge.json")], check=True)


def _card(args: argparse.Namespace) -> None:
    write_card(args.out, PACKAGE, Path("docs/model-card.md"))


STEPS = {"prepare": _examples, "train": _train, "grow": _grow, "join": _join, "judge": _judge, "card": _card}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", nargs="?", default="all", choices=["all", *STEPS])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("build/tagger"), help="the folder to work in")
    parser.add_argument("--taggers", nargs="+", default=list(TAGGERS), choices=list(TAGGERS))
    parser.add_argument("--members", nargs="+", default=list(MEMBERS), choices=list(MEMBERS))
    parser.add_argument("--prepare", type=int, nargs="+", default=list(FOLDS), metavar="FOLD", help="folds to prepare")
    parser.add_argument("--without", nargs="*", default=[], metavar="CORPUS", help="corpora to leave out")
    parser.add_argument("--epochs", type=int, help="instead of what the plans say")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop each training after so many seconds")
    parser.add_argument("--suffix", default="", help="added to the names of the files, for comparisons")
    parser.add_argument("--alone", action="store_true", help="judge each unit by itself")
    parser.add_argument("--ablate", default="", choices=["", "metadata", "names", "all-but-text"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2, help="processes of each tagger's trees")
    return parser.parse_args()


if __name__ == "__main__":
    main()
