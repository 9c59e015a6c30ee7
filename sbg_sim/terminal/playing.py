"""A game at the terminal from its first question to its end: an unfinished game is offered again, nothing is lost."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sbg_sim.errors import QuestionError, SbgError
from sbg_sim.phase.record import resumed
from sbg_sim.phase.turn_taking import IllegalMoveError
from sbg_sim.terminal.board_session import BoardSession
from sbg_sim.terminal.easel import Easel
from sbg_sim.terminal.journal import Journal, left_off
from sbg_sim.terminal.priority import dice_after
from sbg_sim.terminal.session import Session
from sbg_sim.terminal.spoken import Spoken, guarded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from sbg_sim.boards.room import Scenario
    from sbg_sim.document import Document
    from sbg_sim.table.board import Table
    from sbg_sim.terminal.journal import Kept
    from sbg_sim.terminal.prompt import Prompt

_YES: Final = frozenset({"", "y", "yes"})
_NO: Final = frozenset({"n", "no", "new"})
_SIGNALS: Final = ("SIGTERM", "SIGHUP")
_AGAIN: Final = 5.0  # seconds after which a signal is repeated that has not ended the program
_NOT_PLAYED: Final = "the moves of the file's record are not played; --resume goes on where they end"

S = TypeVar("S", bound=Spoken)


def opened_session(
    source: Document,
    table: Table,
    prompt: Prompt,
    tell: Callable[[str], None],
    *,
    priority: str | None = None,
    resume: bool = False,
    seed: int | None = None,
) -> Session:
    """Begin a game, or continue one from its journal or the file's record.

    Parameters
    ----------
    source, table
        The file, and its table.
    prompt, tell
        Functions that ask the player, and tell.
    priority
        The side that moves first in a new game; if None, the player is asked.
    resume
        Whether to continue at the end of the journal, or else of the file's record.
    seed
        Seed of the dice that the program rolls.

    Raises
    ------
    SbgError
        When another session plays the file, or there is no game to continue.

    """
    journal, kept = _left_off(source, prompt, tell, resume=resume)
    if kept is not None:
        found = _taken_up(kept, table, journal, prompt, tell)
    elif resume:
        phase = resumed(table)
        found = Session(prompt.ask, phase, dice_after(seed, 0), seed=seed, saved=phase)
    else:
        if table.record is not None and (table.record.moves or table.record.later):
            tell(_NOT_PLAYED)
        found = Session.begin(table, priority, prompt.ask, seed)
    return _kept_beside(found, source, journal, tell, fresh=kept is None, resume=resume)


def opened_game(
    source: Document, scenario: Scenario[Any], prompt: Prompt, tell: Callable[[str], None], *, resume: bool = False
) -> BoardSession:
    """Begin a board game, or continue one from its journal or the file's record; parameters as above."""
    journal, kept = _left_off(source, prompt, tell, resume=resume)
    found = BoardSession.begin(scenario, prompt.ask, resume=resume if kept is None else bool(kept.head.get("resumed")))
    if kept is None:
        if scenario.file.moves and not resume:
            tell(_NOT_PLAYED)
        return _kept_beside(found, source, journal, tell, fresh=True, resume=resume)
    for line in kept.done:
        if "undo" in line:
            found.take_back(int(line["undo"]))
        elif not found.redo(str(line.get("do"))):
            raise _changed(journal, f"{line.get('do')!r} is no legal move here")
    journal.go_on(kept)
    tell(f"resumed after {_moves(kept)}")
    return _kept_beside(found, source, journal, tell, fresh=False, resume=True)


def _left_off(
    source: Document, prompt: Prompt, tell: Callable[[str], None], *, resume: bool
) -> tuple[Journal, Kept | None]:
    """Return the journal of a file, with its content if the game continues; else the old journal is set aside."""
    journal = Journal.beside(source.name)
    kept = journal.kept()
    if kept is None and journal.displaced():
        other = journal.path
        tell(f"{other} is no journal of a game; it is kept in {journal.set_aside()}")
    if kept is None or resume or _wanted(kept, journal, prompt, tell):
        return journal, kept
    tell(f"a new game begins; the one left off is kept in {journal.set_aside()}")
    return journal, None


def _kept_beside(
    found: S, source: Document, journal: Journal, tell: Callable[[str], None], *, fresh: bool, resume: bool
) -> S:
    found.file, found.text, found.journal = source.name, source.text.decode("utf-8"), journal
    if fresh:
        found.begin_journal(was_resumed=resume)
    elif not journal.began_with(source.text):
        tell(f"{source.name} has been changed since; the game goes on with what it holds now")
    return found


def _moves(kept: Kept) -> str:
    return f"{kept.moves} move{'s' if kept.moves != 1 else ''}"


def _changed(journal: Journal, why: object) -> SbgError:
    return SbgError(
        f"{journal.path} cannot be played on this file any more, which has been changed since: {why}; "
        f"move the journal away to begin anew"
    )


def _wanted(kept: Kept, journal: Journal, prompt: Prompt, tell: Callable[[str], None]) -> bool:
    """Ask whether to continue an unfinished game; an unclear answer starts a new one only if no person is asked."""
    tell(f"{journal.path} keeps a game of this file: {_moves(kept)}, left off {left_off(journal.path)}")
    while True:
        try:
            said = prompt.ask("resume it? (y/n): ")
        except EOFError:
            return True
        word = said.strip().casefold()
        if word in _YES or word == "resume":
            return True
        if word in _NO:
            return False
        if not prompt.rich and not sys.stdin.isatty():
            prompt.back.append(said)
            return False


def _taken_up(kept: Kept, table: Table, journal: Journal, prompt: Prompt, tell: Callable[[str], None]) -> Session:
    try:
        phase = kept.played(table)
    except (IllegalMoveError, QuestionError) as error:
        raise _changed(journal, error) from error
    seed = kept.head.get("seed")
    journal.go_on(kept)
    session = Session(
        prompt.ask,
        phase,
        dice_after(seed, kept.rolled),
        journal=journal,
        seed=seed,
        rolled=kept.rolled,
        pending=kept,
    )
    tell(f"resumed after {_moves(kept)}")
    return session


def play(session: Spoken, prompt: Prompt, tell: Callable[[str], None], *, watch: str | None = None) -> None:
    """Read and do line after line until the player leaves; end of input, SIGTERM and a closed terminal keep the game.

    Parameters
    ----------
    session, prompt, tell
        The game, and functions that ask and tell.
    watch
        A file into which the table is written after every move.

    """
    prompt.session = session
    easel = Easel()
    with _ending_well():
        try:
            if session.pending is not None and session.pending.asked is not None:
                tell(f"{session.pending.asked.model} was about to move; the dice so far: {_dice_told(session)}")
                _answer(tell, _gone_on(session))
            tell(session.status())
            while not session.finished:
                _one_line(session, prompt, tell, easel, watch)
        except EOFError:
            tell("")
        finally:
            easel.close()
            _left(session, tell)


def _gone_on(session: Spoken) -> str:
    try:
        return session.go_on()
    except KeyboardInterrupt:
        return "\nthat move is dropped"


def _dice_told(session: Spoken) -> str:
    dice = () if session.pending is None else session.pending.dice
    return ", ".join(map(str, dice)) or "none"


def _one_line(session: Spoken, prompt: Prompt, tell: Callable[[str], None], easel: Easel, watch: str | None) -> None:
    before = session.standing
    try:
        answer = guarded(session, prompt.ask("> "))
    except KeyboardInterrupt:
        answer = "\nthat line is dropped, and the game stands as it was; say `quit` to leave"
    _answer(tell, answer)
    if session.journal is not None and session.journal.trouble:
        tell(session.journal.trouble)
        session.journal = None
    files = [path for path in (session.picture, watch) if path is not None]
    if files and session.standing is not before:
        easel.put(session.drawing(), files)
    if easel.trouble:
        tell(easel.trouble)
        easel.trouble = ""


def _answer(tell: Callable[[str], None], answer: str) -> None:
    if answer:
        tell(answer)


def _left(session: Spoken, tell: Callable[[str], None]) -> None:
    """Delete the journal if the game is saved, else tell where it is."""
    journal = session.journal
    if journal is None:
        return
    if session.standing is session.saved and not journal.under_way:
        journal.remove()
    elif journal.path.exists():
        with contextlib.suppress(OSError):
            tell(f"the game is kept in {journal.path}; `sbg-sim {session.command} {session.file} --resume` goes on")
    journal.close()


@contextlib.contextmanager
def _ending_well() -> Iterator[None]:
    """Handle signals that end the program like `quit`: the terminal is restored, the journal closed."""

    def leave(number: int, _: FrameType | None) -> None:
        if hasattr(signal, "pthread_kill"):
            # An exception raised within a callback can be lost: the signal is then repeated.
            again.append(threading.Timer(_AGAIN, signal.pthread_kill, (threading.main_thread().ident, number)))
            again[-1].daemon = True
            again[-1].start()
        raise SystemExit(128 + number)

    kept, again = {}, list[threading.Timer]()
    for name in _SIGNALS:
        number = getattr(signal, name, None)
        if number is not None:
            with contextlib.suppress(ValueError):  # not in the main thread
                kept[number] = signal.signal(number, leave)
    try:
        yield
    finally:
        for timer in again:
            timer.cancel()
        for number, handler in kept.items():
            signal.signal(number, handler)
