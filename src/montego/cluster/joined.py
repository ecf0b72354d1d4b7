"""``mpiexec -n 4 montego gtp --cluster slow-tree``: a player that MPI itself has started.

All but the first process become ranks of the job at once.  The first one stays the player and
starts its rank as a child that takes its place in the job; so it outlives that one.  But mpiexec
ends it with all others if another rank dies.  Whoever can, lets the player start the job.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Mapping
from dataclasses import replace

from montego.cluster.job import OWN_RANK, check_installed, end_joined
from montego.cluster.mpi import Ranks
from montego.cluster.settings import take_cluster

NUMBERS = {"PMI_RANK": "PMI_SIZE", "PMIX_RANK": "PMIX_SIZE", "OMPI_COMM_WORLD_RANK": ""}
"""The environment's names for the number of a process and of all of them."""


def join(given: Mapping[str, str]) -> Ranks | None:
    """The cluster that this process belongs to, if MPI has started it and no other is asked for.

    Returns to the player alone: other processes become ranks.  Raises ValueError.
    """
    if "cluster" not in given or "machines" in given or "ranks" in given:
        return None
    for name, size in NUMBERS.items():
        if name in os.environ:
            check_installed()
            if int(os.environ[name]) != 0:
                os.execv(OWN_RANK[0], OWN_RANK)
            atexit.register(end_joined)  # whatever is wrong, until its rank is started
            cluster = take_cluster({**given, "ranks": os.environ.get(size, "1")})
            assert isinstance(cluster, Ranks)
            return replace(cluster, joined=True)
    return None
