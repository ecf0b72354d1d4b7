"""A fast discrete Fourier transform whose plans are found by TAG (T41, chapter 5 of the thesis).

    from montego import dft

    dft.fft(x)                                  the best known plan, or a good one at once
    plan = dft.plan(2**18, search="tag", seconds=5)
    plan(x)

Reading order: codelet (generated code of small transforms), vector and compiler, kernel (their
machine code); plans (the choices, as data), defaults; twiddles, program (passes and strides),
execute; fastpath and transform (what Python calls), wisdom (how plans are kept), interface (fft,
ifft, plan); grammars, timing, search (how plans are found); bench.  The commands are in cli/dft.py.
Names are imported when they are used.
"""

from typing import TYPE_CHECKING

from montego.kernels.compiler.first_use import lazy_names

if TYPE_CHECKING:
    from montego.dft.grammars import grammar as grammar
    from montego.dft.interface import (
        fft as fft,
        ifft as ifft,
        import_wisdom as import_wisdom,
        plan as plan,
    )
    from montego.dft.plans import DftError as DftError
    from montego.dft.transform import Transform as Transform
    from montego.dft.wisdom import export_wisdom as export_wisdom

_LAZY = {
    "DftError": "plans",
    "Transform": "transform",
    "export_wisdom": "wisdom",
    "fft": "interface",
    "grammar": "grammars",
    "ifft": "interface",
    "import_wisdom": "interface",
    "plan": "interface",
}
"""The module of each public name."""

__all__ = [*_LAZY]
__getattr__ = lazy_names(__name__, _LAZY)
