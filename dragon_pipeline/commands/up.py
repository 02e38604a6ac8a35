"""`dragon up`: Dagster's UI and daemon on a home."""

import os
import signal
import subprocess
import sys

from dragon_pipeline.commands.progress import ERRORS
from dragon_pipeline.commands.runs import fail_orphans, instance_of
from dragon_pipeline.core.errors import DragonError, HomeBusy
from dragon_pipeline.defs.resources import home
from dragon_pipeline.home import held


def up(host: str, port: int) -> None:
    """Serves until it is stopped.

    Raises:
        HomeBusy: another `dragon up` serves this home.
    """
    with held(home().up_lock()) as owner, home().up_lock().open("a") as lock:
        if owner:
            raise HomeBusy(f"{home().root}: another `dragon up` (process {owner}) serves this home")
        with instance_of(home()) as instance:
            for run_id in fail_orphans(instance, home()):
                ERRORS.print(f"run {run_id} was killed; re-execute it from its page, or with `dragon run`")
        ERRORS.print(f"home {home().root}: http://{host}:{port}")
        environment = {**os.environ, "DRAGON_HOME": str(home().root), "PYTHONWARNINGS": "ignore"}
        command = [sys.executable, "-m", "dagster", "dev", "-m", "dragon_pipeline.definitions", "-h", host, "-p", str(port)]
        server = subprocess.Popen(command, env=environment, pass_fds=[lock.fileno()])
        signal.signal(signal.SIGTERM, lambda *_: server.send_signal(signal.SIGINT))
        try:
            code = server.wait()
        except KeyboardInterrupt:  # the server, in the same group, got it too
            code = server.wait()
    if code > 1:
        raise DragonError(f"the UI ended with exit code {code}; its last lines above say why")
