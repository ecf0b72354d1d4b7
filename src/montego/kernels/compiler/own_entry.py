"""An entry round functions of the user's own.

The code of a search, or of a loop, is ours; some of the functions that it calls are the user's.  It
is compiled once with theirs inside and kept like any other entry, in a file whose name covers all
that they depend on (see dependencies).  If it cannot be compiled, the function at fault is told
(see diagnosis).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from montego.kernels.compiler.dependencies import refresh
from montego.kernels.compiler.diagnosis import Role, check_body, check_result
from montego.kernels.compiler.jit import Entry, Kernel, compile_for
from montego.kernels.compiler.native import Code

LONGEST_NAME = 40
"""Characters of the user's name for it in the name of a file."""
KernelRoles = Sequence[tuple[Any, Role]]
"""The user's kernels, each with what it is given and has to return."""


class OwnEntry(Entry):
    """An entry whose file also depends on everything that the user's kernels use.

    It raises a Mistake for what is wrong with them.
    """

    def __init__(self, function: Callable[..., Any], name: str, kernels: KernelRoles) -> None:
        function.__name__ = re.sub(r"\W+", "_", name)[:LONGEST_NAME]
        super().__init__(function)
        self._kernels = kernels

    def _file(self, kinds: tuple[Any, ...]) -> str:
        digest = refresh(self._function).digest()
        return f"{super()._file(kinds).removesuffix('.code')}-{digest}.code"

    def _compile(self, kinds: tuple[Any, ...]) -> Code:
        """Compile; if that fails, find the user's kernel that is at fault."""
        failure = None
        try:
            code = compile_for(self.dispatcher, kinds)
        except Exception as error:  # Numba raises errors of all kinds
            failure = error
        for own, role in self._kernels:
            # Compiled again on its own, a kernel fails for its own reasons, not a caller's.
            one = Kernel(own.__wrapped__).dispatcher if failure else own.dispatcher
            if failure:
                check_body(one, role)
            check_result(one, role)
        if failure:
            raise failure
        return code
