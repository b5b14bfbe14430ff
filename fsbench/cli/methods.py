"""`fsbench methods`: every ranker, classifier and search with parameters, defaults and reference."""

from __future__ import annotations

from typing import Any

import click

__all__ = ["command"]


@click.command("methods")
@click.argument("name", required=False)
@click.option("--format", "format_", type=click.Choice(["table", "json"]), default="table", show_default=True)
def command(name: str | None, format_: str) -> None:
    """List the methods, or show NAME alone, with parameters, defaults and references."""
    from fsbench import registry
    from fsbench.errors import MethodError, nearest

    rows = [_describe(kind, method) for kind in registry.METHODS for method in registry.names(kind)]
    if name is not None:
        wanted = {name, *(aliases.get(name.lower(), name) for aliases in registry.ALIASES.values())}
        valid = [row["name"] for row in rows]
        rows = [row for row in rows if row["name"] in wanted]
        if not rows:
            raise MethodError(f"unknown method {name!r}; {nearest(name, valid)}")
    if format_ == "json":
        import json

        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        _print(rows)


def _describe(kind: str, name: str) -> dict[str, Any]:
    """Return what is to be said of one method."""
    import dataclasses
    import inspect
    import re
    import typing

    from fsbench import registry
    from fsbench.method import Method

    method = registry.load_class(kind, name)
    fields = dataclasses.fields(method) if isinstance(method, type) and issubclass(method, Method) else ()
    hints = typing.get_type_hints(method) if fields else {}
    return {
        "kind": kind,
        "name": name,
        "aliases": [alias for alias, target in registry.ALIASES.get(kind, {}).items() if target == name],
        "title": getattr(method, "title", "") or name,
        # Marks of the reference list, such as [1]_, mean nothing without the list.
        "summary": re.sub(r"\s*\[\d+\]_", "", (inspect.getdoc(method) or "").split("\n")[0]),
        "reference": getattr(method, "reference", ""),
        "params": [
            {
                "name": f.name,
                "default": f.default,
                "choices": _choices(hints[f.name]),
                "help": f.metadata.get("help", ""),
            }
            for f in fields
        ],
    }


def _choices(hint: Any) -> list[Any]:
    """Return the literal values that a parameter may take besides those of other types, such as any number."""
    import typing

    if typing.get_origin(hint) is typing.Literal:
        return list(typing.get_args(hint))
    return [choice for part in typing.get_args(hint) for choice in _choices(part)]


def _after(text: str) -> str:
    return f": {text}" if text else ""


def _print(rows: list[dict[str, Any]]) -> None:
    kind = None
    for row in rows:
        if row["kind"] != kind:
            kind = row["kind"]
            click.echo(f"{kind.upper()}{'ES' if kind.endswith('h') else 'S'}\n")
        alias = f" (also {', '.join(row['aliases'])})" if row["aliases"] else ""
        click.echo(f"{row['name']}{alias}: {row['title']}")
        for text in (row["summary"], row["reference"]):
            if text:
                click.echo(f"    {text}")
        for p in row["params"]:
            words = " | ".join(str(choice) for choice in p["choices"])
            click.echo(f"    {p['name']} = {p['default']}{f' [{words}]' if words else ''}{_after(p['help'])}")
        click.echo()
    click.echo(
        "What is not listed is named by its place: my_file.py:Class or package.module:Class of your own, "
        "sklearn.svm:SVC of scikit-learn."
    )
