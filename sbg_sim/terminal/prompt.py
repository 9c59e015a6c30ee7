"""Lines from the player: with editing, history and completion on a terminal, plain from other inputs."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.errors import plain

_ROOM: Final = 20  # columns for an answer after its question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sbg_sim.terminal.spoken import Spoken


def on_terminal() -> bool:
    """Say whether input and output are a terminal that can move its cursor."""
    if sys.platform == "win32" or os.environ.get("TERM", "") in {"", "dumb"}:
        return False
    return sys.stdin.isatty() and sys.stdout.isatty()


class Prompt:
    """Asks for lines. Lines that were put back are read first.

    Parameters
    ----------
    plain
        Whether to read without editing, even on a terminal.

    """

    def __init__(self, *, plain: bool = False) -> None:
        self.session: Spoken | None = None
        self.back: list[str] = []
        self._lines: Any = None
        self.rich = on_terminal() and not plain

    def ask(self, question: str) -> str:
        """Return the answer to a question; EOFError at the end, KeyboardInterrupt on Ctrl-C."""
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
    """Return the line editor; its library is imported here, with the first line."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion

    class Words(Completer):
        """Completes names and verbs."""

        def get_completions(self, document: Any, complete_event: Any) -> Iterator[Completion]:  # noqa: ARG002
            """Yield completions of the line."""
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
    """Return an output for the editor that begins after the question, which is written here instead.

    An editor redraws its question with the line, and draws blanks as cursor moves; but a script that types waits for
    the exact question, once.
    """
    from prompt_toolkit.data_structures import Size
    from prompt_toolkit.output.vt100 import Vt100_Output

    class Behind(Vt100_Output):
        """An output in which every line begins after the question."""

        width = 0

        def ask(self, question: str) -> None:
            """Write the question, and begin after it."""
            columns = super().get_size().columns
            if len(question) > columns - _ROOM:
                question += "\n"
            self.width = 0 if question.endswith("\n") else len(question)
            self.write_raw(question)
            self.flush()

        def done(self) -> None:
            """Begin at the first column again."""
            self.width = 0
            self.write_raw("\r")
            self.flush()

        def get_size(self) -> Size:
            """Return the size of the room after the question."""
            size = super().get_size()
            return Size(rows=size.rows, columns=max(_ROOM, size.columns - self.width))

        def write(self, data: str) -> None:
            """Write text; a return to the beginning of a line moves after the question."""
            super().write(data)
            if self.width and data.startswith("\r"):
                self.cursor_forward(self.width)

    made = Behind.from_pty(sys.stdout)
    made.enable_cpr = False  # the cursor's place is not needed, and not every terminal answers
    return made
