"""From LLVM IR to machine code in the cache, by the LLVM that comes with Numba.

A kernel is compiled once and cached with all other compiled code, under its own name and a digest
of the sources that emit it (see kernels/compiler/cache.py).  Loading one takes a millisecond and
needs no compiler.

LLVM's machine scheduler would undo the order of a codelet: it moves all loads to the front, runs
out of registers and spills, which costs radix 32 half of its speed.  It is disabled while our code
is compiled.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from montego.kernels.compiler.first_use import once
from montego.kernels.compiler.jit import load, without_garbage_collection
from montego.kernels.compiler.native import Code
from montego.kernels.compiler.sources import digest_of

SCHEDULERS = {"-enable-misched": ("false", "true"), "-pre-RA-sched": ("source", "default")}
"""Options of LLVM: their values for our code, and their defaults."""
_seconds: list[float] = []


def compiled(name: str, emit_ir: Callable[[], str]) -> int:
    """The address of a function; ``emit_ir`` is called if it is not in the cache."""
    address, _ = load(f"{name}-{sources_of(emit_ir)}.code", lambda: compile_now(name, emit_ir))
    return address


def sources_of(emit_ir: Callable[[], str]) -> str:
    """A digest of the module that a function belongs to, and of what that imports."""
    return digest_of(emit_ir.__module__, Path(emit_ir.__code__.co_filename))


def compile_now(name: str, emit_ir: Callable[[], str]) -> Code:
    """Compile a function; one thread at a time, since LLVM's options are global."""
    begin = time.thread_time()
    with without_garbage_collection(), unscheduled():
        code = Code(name, "none", object_code(emit_ir()))
    _seconds.append(time.thread_time() - begin)
    return code


def seconds_spent() -> float:
    """Processor seconds that this process has spent compiling kernels."""
    return sum(_seconds)


def object_code(module_ir: str) -> bytes:
    """An object file from a module in LLVM IR."""
    machine = target_machine()
    module = llvm.parse_assembly(module_ir)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=1)
    options.slp_vectorization = options.loop_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


@contextmanager
def unscheduled() -> Iterator[None]:
    """LLVM without its instruction schedulers."""
    for option, (ours, _) in SCHEDULERS.items():
        llvm.set_option("", f"{option}={ours}")
    try:
        yield
    finally:
        for option, (_, default) in SCHEDULERS.items():
            llvm.set_option("", f"{option}={default}")


@once
def target_machine() -> Any:
    """This machine, or what ``NUMBA_CPU_NAME`` and ``NUMBA_CPU_FEATURES`` say, as for Numba."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    name = os.environ.get("NUMBA_CPU_NAME") or llvm.get_host_cpu_name()
    features = os.environ.get("NUMBA_CPU_FEATURES")
    if features is None:
        is_host = not os.environ.get("NUMBA_CPU_NAME")
        features = llvm.get_host_cpu_features().flatten() if is_host else ""
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=name, features=features, opt=3, reloc="pic", codemodel="small", jit=True
    )
