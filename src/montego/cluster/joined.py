"""``mpiexec -n 4 montego gtp --cluster slow-tree``: a player that MPI itself has started.

All but the first process become ranks of the job at once.  The first one stays the player and
starts its rank as a child that takes its place in the job; so it may outlive it, if mpiexec lets
it (MPICH: ``-disable-auto-cleanup``).  Whoever can, lets the player start the job: ``--ranks``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from montego.cluster.job import OWN_RANK
from montego.cluster.mpi import Ranks

NUMBERS = {"PMI_RANK": "PMI_SIZE", "PMIX_RANK": "PMIX_SIZE", "OMPI_COMM_WORLD_RANK": ""}
"""The environment's names for the number of a process and of all of them."""


def join(given: Mapping[str, str]) -> Ranks | None:
    """The cluster that this process belongs to, if MPI has started it and no other is asked for.

    Returns to the player alone: other processes become ranks.
    """
    if "cluster" not in given or "machines" in given or "ranks" in given:
        return None
    for name, size in NUMBERS.items():
        if name in os.environ:
            if int(os.environ[name]) != 0:
                os.execv(OWN_RANK[0], OWN_RANK)
            ranks = int(os.environ.get(size, "1"))
            return Ranks(given["cluster"], ranks=ranks, joined=True)
    return None
