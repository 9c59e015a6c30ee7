"""Random small boards of the Riddle, as raw data."""

from hypothesis import strategies as st

GROUND = ["open", "open", "forest", "thicket", "mountain", "hill", "lake", "ocean", "swamp"]


@st.composite
def boards(draw):
    """A raw board of up to seven spaces, with rivers, dots, a river head and roads where they fit."""
    n = draw(st.integers(4, 7))
    names = [f"s{i}" for i in range(n)]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    joined = draw(st.lists(st.sampled_from(pairs), min_size=n, max_size=2 * n, unique=True))
    ground = {name: draw(st.sampled_from(GROUND)) for name in names}
    wet = {name for name, kind in ground.items() if kind in ("lake", "ocean", "swamp")}
    dry = [(a, b) for a, b in joined if a not in wet and b not in wet]
    roads = [pair for pair in dry if draw(st.booleans())]
    river = {pair: draw(st.sampled_from(["between", "bridges", "fords"])) for pair in dry if draw(st.booleans())}
    banks = {f"d{i}": draw(st.permutations(names))[:3] for i in range(draw(st.integers(0, 3)))}
    course = list(banks)
    head = draw(st.sampled_from(names))
    is_head = bool(course) and head not in wet and draw(st.booleans())
    if is_head:
        course.insert(draw(st.integers(0, len(course))), head)
    spaces = {name: {"terrain": [ground[name]], "borders": [b for a, b in joined if a == name]} for name in names}
    if is_head:
        spaces[head] |= {"city": True, "river_head": True}
    crossings = {
        word: [list(pair) for pair, w in river.items() if w == word] for word in ("between", "bridges", "fords")
    }
    return {
        "spaces": spaces,
        "dots": {dot: {"banks": list(places)} for dot, places in banks.items()},
        "rivers": {"r": {"course": course, **crossings}},
        "roads": {f"road{i}": {"through": list(pair)} for i, pair in enumerate(roads)},
    }
