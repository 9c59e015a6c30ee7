"""``verify``: certificates, checked with the referee alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sbg_sim.cli import show
from sbg_sim.cli.opening import asked_of

if TYPE_CHECKING:
    from sbg_sim.solver.verdict import Verdict


@click.command(short_help="Judge a certificate without the program that made it.")
@click.argument("certificate")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def verify(ctx: click.Context, certificate: str, as_json: bool) -> None:
    """Verify a CERTIFICATE with the referee alone, and say what could be confirmed and what could not.

    The name of a file, or - for standard input.

    Exit code 0: nothing in it is wrong. 1: something is refuted. 2: it cannot be understood.
    """
    from sbg_sim.certificate import MOST_BYTES, CertificateError, read_bytes
    from sbg_sim.certificate import verify as judge

    asked_of(certificate)
    if certificate == "-":
        paper = read_bytes(sys.stdin.buffer.read(MOST_BYTES + 1), "<stdin>")
        try:
            found = judge(paper)
        except CertificateError as error:
            raise CertificateError(f"<stdin>: {error}") from None
    else:
        found = judge(certificate)
    if as_json:
        show.as_json(found.as_json())
    else:
        show.line(f"{certificate}: {'nothing in it is wrong' if found.sound else 'refuted'}")
        for label, lines in (
            ("refuted", found.refuted),
            ("confirmed", found.confirmed),
            ("not tried", found.unconfirmed),
        ):
            for line in lines:
                show.line(f"  {label:<10} {line}")
    ctx.exit(0 if found.sound else 1)


def written(verdict: Verdict, path: str) -> None:
    """Write the certificate of a verdict to a file."""
    from sbg_sim import certificate, report
    from sbg_sim.document import write_whole

    paper = certificate.issue(verdict.table, verdict.name, report.as_json(verdict), _maker())
    write_whole(path, certificate.text_of(paper).encode("utf-8"))


def laid_out(verdict: Verdict, path: str, file: str) -> None:
    """Write the sheet about a verdict to a file."""
    from sbg_sim.document import write_whole
    from sbg_sim.sheet import sheet

    write_whole(path, sheet(verdict, Path(path).suffix, file=Path(file).name, version=_maker()))


def _maker() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"sbg_sim {version('sbg_sim')}"
    except PackageNotFoundError:
        return "sbg_sim"
