"""From LLVM's language to machine code in a file, by the compiler that Numba itself uses.

A kernel is written once and kept where all compiled code of this project is kept, under its own
name and a digest of the sources that wrote it (see kernels/compiler).  Loading one takes a
millisecond and needs no compiler.

LLVM's machine scheduler would undo the order of a codelet: it moves all loads to the front, runs
out of registers and spills, which costs radix 32 half of its speed.  It is switched off while our
code is compiled.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from montego.kernels.compiler.jit import load, without_garbage_collection
from montego.kernels.compiler.making import once
from montego.kernels.compiler.native import Code
from montego.kernels.compiler.sources import digest_of

SCHEDULERS = {"-enable-misched": ("false", "true"), "-pre-RA-sched": ("source", "default")}
"""Options of LLVM: as our code needs them, and as they are otherwise."""
_spent: list[float] = []


def compiled(name: str, write: Callable[[], str]) -> int:
    """The address of a function; ``write`` is asked for it if no earlier run has compiled it."""
    address, _ = load(f"{name}-{sources_of(write)}.code", lambda: compile_now(name, write))
    return address


def sources_of(write: Callable[[], str]) -> str:
    """A digest of the module that a function belongs to, and of what that imports."""
    return digest_of(write.__module__, Path(write.__code__.co_filename))


def compile_now(name: str, write: Callable[[], str]) -> Code:
    """Compile a function; no other thread compiles meanwhile, for LLVM's options are its own."""
    begin = time.thread_time()
    with without_garbage_collection(), in_our_order():
        code = Code(name, "none", compile_text(write()))
    _spent.append(time.thread_time() - begin)
    return code


def seconds_spent() -> float:
    """How long this process has compiled kernels in all."""
    return sum(_spent)


def compile_text(text: str) -> bytes:
    """An object file from the text of a module."""
    machine = target_machine()
    module = llvm.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=1)
    options.slp_vectorization = options.loop_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


@contextmanager
def in_our_order() -> Iterator[None]:
    """Without LLVM's schedulers."""
    for option, (ours, _) in SCHEDULERS.items():
        llvm.set_option("", f"{option}={ours}")
    try:
        yield
    finally:
        for option, (_, usual) in SCHEDULERS.items():
            llvm.set_option("", f"{option}={usual}")


@once
def target_machine() -> Any:
    """This machine; ``NUMBA_CPU_NAME`` and ``NUMBA_CPU_FEATURES`` are heeded as Numba does."""
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
