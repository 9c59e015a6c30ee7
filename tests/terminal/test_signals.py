"""A signal that ends the program ends it, also when what it raises is lost in a callback."""

import signal
import threading
import time

import pytest

from sbg_sim.terminal import playing

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "pthread_kill"), reason="signals to a thread are not to be had here"
)


def test_a_signal_that_is_lost_comes_again(monkeypatch):
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals are handled in the main thread")
    monkeypatch.setattr(playing, "_AGAIN", 0.1)
    with playing._ending_well():
        with pytest.raises(SystemExit):
            signal.raise_signal(signal.SIGTERM)  # lost, as it would be in a callback
        monkeypatch.setattr(playing, "_AGAIN", 60.0)
        with pytest.raises(SystemExit) as ended:
            time.sleep(10)
    assert ended.value.code == 128 + signal.SIGTERM
