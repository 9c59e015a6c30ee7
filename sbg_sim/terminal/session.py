"""A Move phase played by words: each line said gets an answer, whatever its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sbg_sim.errors import QuestionError
from sbg_sim.phase.state import Phase
from sbg_sim.phase.turn import roll_off, side_of
from sbg_sim.phase.turn_taking import IllegalMoveError
from sbg_sim.terminal.names import Names, spoken, words_of
from sbg_sim.terminal.priority import dice_after, either, priority_asked, side_meant, sides
from sbg_sim.terminal.spoken import Spoken, steps_back
from sbg_sim.terminal.telling import (
    HELP,
    deploy_told,
    fights_told,
    models_told,
    reasons,
    record_told,
    turn_told,
    who_told,
)
from sbg_sim.terminal.words import COMMANDS, read_die, read_move, read_place, read_point

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from sbg_sim.phase.turn import Judged
    from sbg_sim.table.board import Table
    from sbg_sim.table.record import MoveRecord
    from sbg_sim.table.route import Test
    from sbg_sim.terminal.names import Word
    from sbg_sim.terminal.priority import Asker


@dataclass
class Session(Spoken):
    """A session of a Move phase: the phase, and the words understood about it.

    Parameters
    ----------
    phase
        The current phase.
    dice
        The dice that the program rolls if the player does not.
    width, height, colour
        Size of the terminal, letters and lines, and whether it has colours.

    """

    command = "phase"
    phase: Phase
    dice: random.Random
    width: int = 80
    height: int = 40
    colour: bool = False
    _rest: str = ""

    @classmethod
    def begin(cls, table: Table, priority: str | None, asker: Asker, seed: int | None = None) -> Session:
        """Begin a session; the player is asked for Priority if neither the caller nor the file gives it."""
        dice = dice_after(seed, 0)
        phase = Phase.begin(table, priority or priority_asked(table, asker, dice))
        return cls(asker, phase, dice, seed=seed, saved=phase)

    def hear(self, said: str) -> str:
        """Do what the player says and return the answer.

        Raises
        ------
        SbgError
            When it makes no sense; the phase is unchanged.

        """
        words = words_of(said)
        if not words:
            return ""
        verb = "quit" if words[0].verb == "exit" else words[0].verb
        self.leaving = self.leaving and verb == "quit"
        self._rest = said.strip().partition(" ")[2].strip().strip('"')
        if verb not in COMMANDS or self._names().at(words) is not None:
            return self._move(read_move(said, self.phase.table))
        answer: Callable[[list[Word]], str] = getattr(self, f"_{verb}")
        return answer(words[1:])

    @property
    def standing(self) -> Phase:
        """The current phase."""
        return self.phase

    def status(self) -> str:
        """Return the turn and the models that can move; their options are computed only on request."""
        if self.phase.over:
            return f"{turn_told(self.phase)}\n{fights_told(self.phase)}"
        return f"{turn_told(self.phase)}\n{models_told(self.phase, self.width)}"

    def completions(self, typed: str) -> list[tuple[str, int]]:
        """Return completions of a line, each with the number of letters before the cursor that it replaces."""
        from sbg_sim.terminal.completing import completions

        return completions(self.phase, typed)

    # -- moves --------------------------------------------------------------------------------------------

    def _names(self) -> Names:
        return Names(self.phase.table.models, "model")

    def _move(self, move: MoveRecord) -> str:
        judged = self.phase.judge(move)
        if judged.violations:
            return f"not allowed: {reasons(judged.violations)}"
        return self._make(judged, ())

    def _make(self, judged: Judged, given: tuple[int, ...]) -> str:
        """Play an allowed move; dice given with it come first, then the player is asked."""
        move = judged.move
        if move.rolls or not move.is_move:
            self.phase = self.phase.pushed(judged)
        else:
            waiting = list(given)
            asked = bool(given)

            def roller(test: Test) -> int:
                nonlocal asked
                if waiting:
                    return waiting.pop(0)
                if not asked and self.journal is not None:
                    self.journal.move(move, "asked")
                asked = True
                return self._die(test)

            try:
                self.phase = self.phase.pushed(judged, roller)
            except KeyboardInterrupt:
                if self.journal is not None:
                    self.journal.under_way = False
                    self.journal.note(dropped=True)
                raise
        step = self.phase.steps[-1]
        if self.journal is not None:
            self.journal.move(step.move)
        rules = f" [{', '.join(step.rules)}]" if step.rules else ""
        return f"{step.reason}{rules}"

    def go_on(self) -> str:
        """Finish the move that was interrupted at its dice when the last session ended."""
        kept, self.pending = self.pending, None
        if kept is None or kept.asked is None:
            return ""
        judged = self.phase.judge(kept.asked)
        if judged.violations:
            return f"not allowed any more: {reasons(judged.violations)}"
        return self._make(judged, kept.dice)

    def _die(self, test: Test) -> int:
        question = f"{test.named} (1 to 6, or nothing and I roll): "
        while True:
            word = self.asker(question).strip()
            if not word:
                return self._rolled()
            try:
                die = read_die(word)
            except QuestionError as error:
                question = f"{error}\n{test.named} (1 to 6, or nothing and I roll): "
                continue
            self.note(die=die)
            return die

    def _rolled(self) -> int:
        die = self.dice.randint(1, 6)
        self.rolled += 1
        self.note(die=die, rolled=True)
        return die

    def _place(self, rest: list[Word]) -> str:
        if not rest:
            raise QuestionError("set down whom, and where? say `place uruk-1 at 10 12`, `place uruk-1 prone`")
        return self._move(read_place(rest, self.phase.table))

    def _slay(self, rest: list[Word]) -> str:
        return self._befall(rest, "slay whom? say `slay uruk-1`", slain=True)

    def _delay(self, rest: list[Word]) -> str:
        return self._befall(rest, "delay whom? say `delay ranger-1 and ranger-2`", delayed=True)

    def _befall(self, rest: list[Word], question: str, **what: Any) -> str:
        from sbg_sim.table.record import MoveRecord

        names = self._names().within(rest)
        if not names:
            raise QuestionError(question)
        return "\n".join(self._move(MoveRecord(name, **what)) for name in dict.fromkeys(names))

    # -- what could be done -------------------------------------------------------------------------------

    def _help(self, _: list[Word]) -> str:
        return HELP

    def _who(self, rest: list[Word]) -> str:
        return who_told(self.phase, self._names().within(rest))

    def _why(self, rest: list[Word]) -> str:
        judged = self.phase.judge(read_move(spoken(rest), self.phase.table))
        if judged.violations:
            return f"not allowed: {reasons(judged.violations)}"
        dice = ", ".join(t.named for t in judged.route.tests)
        chance = f", with a chance of {judged.chance} ({dice})" if dice else ""
        return f"allowed{chance}: {judged.route.cost:.4f} in [{', '.join(judged.rules)}]"

    def _map(self, rest: list[Word]) -> str:
        from sbg_sim.terminal.map import drawn

        names = self._names().within(rest)
        if len(names) > 1:
            raise QuestionError("the reach of one model can be shaded: say `map gimli`")
        return drawn(self.phase.table, names[0] if names else None, self.width, self.height, colour=self.colour)

    def _deploy(self, rest: list[Word]) -> str:
        return deploy_told(self.phase, read_point([word.text for word in rest], "deploy"))

    # -- turns and fights ---------------------------------------------------------------------------------

    def _fights(self, rest: list[Word]) -> str:
        told = fights_told(self.phase)
        if not rest:
            return told
        from sbg_sim.phase.turn import Melee
        from sbg_sim.plot import save

        save(Melee(self.phase.table, self.phase.fights(), self.phase.chosen), self._rest, theme="auto")
        return f"{told}\ndrawn to {self._rest}"

    def _choose(self, rest: list[Word]) -> str:
        if len(rest) != 1 or not rest[0].text.isdigit():
            raise QuestionError("which way to pair off? `fights` numbers them: say `choose 2`")
        number = int(rest[0].text)
        for index, pairing in enumerate(self.phase.fights().each(), 1):
            if index == number:
                fights = [[*fight.good, *fight.evil] for fight in pairing]
                self.phase = self.phase.choose(fights)
                self.note(choose=fights)
                return fights_told(self.phase)
        raise QuestionError(f"there is no way number {number} to pair off; `fights` lists them")

    def _end(self, _: list[Word]) -> str:
        if self.phase.over:
            raise QuestionError("the Move phase is over: say `next` to begin the next turn")
        doing = self.phase.doing
        try:
            self.phase = self.phase.end()
        except IllegalMoveError as error:
            return f"not yet: {error}"
        self.note(end=doing)
        return self.status()

    def _next(self, rest: list[Word]) -> str:
        if not self.phase.over:
            raise QuestionError(f"not yet: {self.phase.doing} now; say `end` when they are done")
        said = rest[0].text if rest else ""
        told = ""
        if not said:
            said = self.asker(f"who has Priority, {either(sides(self.phase.table))}? (nothing and I roll): ").strip()
        if said.casefold() in {"", "roll"}:
            side, told = roll_off(self.phase.table, self.phase.priority, self._rolled)
        else:
            side = side_of(self.phase.table, side_meant(said, self.phase.table))
        self.phase = self.phase.next(side)
        self.note(next=side)
        return "\n".join(filter(None, (told, self.status())))

    def _undo(self, rest: list[Word]) -> str:
        wanted = steps_back(" ".join(word.text for word in rest) or "1")
        phase, count = self.phase, 0
        while count < wanted and phase.before is not None:
            phase, count = phase.pop(), count + 1
        if not count:
            raise QuestionError("there is nothing to take back: nothing has been done yet")
        self.phase = phase
        self.note(undo=count)
        short = f"only {count} could be taken back\n" if count < wanted else ""
        return f"{short}{self.status()}"

    def _show(self, rest: list[Word]) -> str:
        return self.show(self._rest, launch=not rest)

    def drawing(self) -> Callable[[str], None]:
        """Return a function that draws the table into a file, or writes it if the file ends in ``.toml``."""
        from sbg_sim.terminal.easel import put_down

        phase = self.phase

        def draw(path: str) -> None:
            if path.endswith(".toml"):
                put_down(phase, path)
                return
            from sbg_sim.plot import save

            save(phase, path, theme="auto")

        return draw

    def _save(self, _: list[Word]) -> str:
        return self.save(self._rest)

    def recorded(self) -> str:
        """Return the text of the file with the record of the moves played."""
        from sbg_sim.scenario import write
        from sbg_sim.scenario.edit import with_record

        table = self.phase.record()
        assert table.record is not None
        return with_record(self.text, table.record) if self.text else write(table)

    def begin_journal(self, *, was_resumed: bool) -> None:
        """Begin the journal with the current file."""
        if self.journal is not None:
            first = self.phase.record().record
            priority = self.phase.priority if first is None else first.priority
            self.journal.begin(
                self.text.encode(), priority, was_resumed=was_resumed, seed=self.seed, rolled=self.rolled
            )

    def _record(self, _: list[Word]) -> str:
        return record_told(self.phase)

    def _hash(self, _: list[Word]) -> str:
        return self.phase.hash

    def _quit(self, _: list[Word]) -> str:
        return self.leave(begun=bool(self.phase.steps or self.phase.past))
