"""Lines from the player: with editing, history and completion on a terminal, plainly from anything else."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.errors import plain

_ROOM: Final = 20  # columns for an answer beside its question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sbg_sim.terminal.spoken import Spoken


def on_terminal() -> bool:
    """Say whether a person at a terminal that can move its cursor is typing."""
    if sys.platform == "win32" or os.environ.get("TERM", "") in {"", "dumb"}:
        return False
    return sys.stdin.isatty() and sys.stdout.isatty()


class Prompt:
    """Asks for lines. Lines that are handed back are read again first.

    Parameters
    ----------
    plain
        Whether to read without editing, whatever the terminal can.

    """

    def __init__(self, *, plain: bool = False) -> None:
        self.session: Spoken | None = None
        self.back: list[str] = []
        self._lines: Any = None
        self.rich = on_terminal() and not plain

    def ask(self, question: str) -> str:
        """Return what is typed after a question; EOFError at the end, KeyboardInterrupt on Ctrl-C."""
        if self.back:
            return self.back.pop(0)
        *told, question = plain(question, lines=True).split("\n")
        for line in told:
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
        if not self.rich:
            return input(question)
        if self._lines is None:
            self._lines = _line_editor(lambda: self.session)
        return str(self._lines(question))


def _line_editor(session: Callable[[], Spoken | None]) -> Callable[[str], str]:
    """Return the line editor; it is loaded here, when the first line is wanted."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion

    class Words(Completer):
        """Completes names and verbs."""

        def get_completions(self, document: Any, complete_event: Any) -> Iterator[Completion]:  # noqa: ARG002
            """Yield what could be typed next."""
            playing = session()
            if playing is None:
                return
            for word, back in playing.completions(document.text_before_cursor):
                yield Completion(word, start_position=-back)

    output = _output()
    editor: PromptSession[str] = PromptSession(completer=Words(), output=output, complete_while_typing=False)

    def asked(question: str) -> str:
        output.ask(question)
        try:
            return str(editor.prompt())
        finally:
            output.done()

    return asked


def _output() -> Any:
    """Return an output for the editor that begins behind the question, which we have written ourselves.

    An editor draws its question anew with the line, and its blanks as moves of the cursor; who types by a script waits
    for the question, just as it is and once.
    """
    from prompt_toolkit.data_structures import Size
    from prompt_toolkit.output.vt100 import Vt100_Output

    class Behind(Vt100_Output):
        """Takes the end of the question for the beginning of every line."""

        width = 0

        def ask(self, question: str) -> None:
            """Write the question, and begin behind it."""
            columns = super().get_size().columns
            if len(question) > columns - _ROOM:
                question += "\n"
            self.width = 0 if question.endswith("\n") else len(question)
            self.write_raw(question)
            self.flush()

        def done(self) -> None:
            """Go back to the first column."""
            self.width = 0
            self.write_raw("\r")
            self.flush()

        def get_size(self) -> Size:
            """Return the room behind the question."""
            size = super().get_size()
            return Size(rows=size.rows, columns=max(_ROOM, size.columns - self.width))

        def write(self, data: str) -> None:
            """Write text; what goes to the beginning of a line goes behind the question."""
            super().write(data)
            if self.width and data.startswith("\r"):
                self.cursor_forward(self.width)

    made = Behind.from_pty(sys.stdout)
    made.enable_cpr = False  # the cursor's place is not needed, and not every terminal answers
    return made
