"""The live table in an executed notebook: what a front end such as VS Code's is sent, and what it gets back."""

from __future__ import annotations

import asyncio
import time

import nbformat
import pytest

pytest.importorskip("anywidget")
nbclient = pytest.importorskip("nbclient")

CELL = 'import sbg_sim as sbg\nsbg.explore(sbg.load("scenarios/charging-2.toml"), "uruk-3")'


def test_a_front_end_moves_the_model_through_the_kernel():
    """Messages of the Jupyter protocol alone: VS Code has no server extension, and shows what these say."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    client = nbclient.NotebookClient(notebook, timeout=120)
    with client.setup_kernel():
        client.execute_cell(notebook.cells[0], 0)
        data = notebook.cells[0].outputs[-1].data
        assert set(data) == {"application/vnd.jupyter.widget-view+json", "image/svg+xml", "text/plain"}
        model = data["application/vnd.jupyter.widget-view+json"]["model_id"]
        state = dict(client.widget_state[model])
        assert state["picture"] == data["image/svg+xml"]
        assert "export default { render }" in state["_esm"]
        update = {"method": "update", "state": {"place": [7.0, 10.0]}, "buffer_paths": []}
        client.kc.shell_channel.send(client.kc.session.msg("comm_msg", {"comm_id": model, "data": update}))
        now, until = {}, time.monotonic() + 60
        while "answers" not in now and time.monotonic() < until:
            waiting = client.kc.iopub_channel.get_msg(timeout=60)
            message = asyncio.get_event_loop().run_until_complete(waiting) if asyncio.iscoroutine(waiting) else waiting
            if message["msg_type"] == "comm_msg" and message["content"]["comm_id"] == model:
                now |= message["content"]["data"].get("state", {})
    assert now["answers"] == 1
    assert now["picture"] != state["picture"]
    assert now["said"] != state["said"]
    assert now["place"] == [7.0, 10.0]
