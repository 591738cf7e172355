"""What an intruder could learn from synthetic data: tables go in, Arrow tables and a typed summary come back.

Every function calls the program `synthrisk`. Its options are keyword arguments here: ``--burn-in 100`` is ``burn_in=100``,
``--no-utility`` is ``no_utility=True``, ``--known A,B`` is ``known=["A", "B"]``, ``--radius INCOME=0.1`` is
``radius={"INCOME": 0.1}``.
"""

from .calls import Result, assess, attack, compare, evaluate, mask, report, utility
from .errors import BadInput, Failed, Interrupted, SynthriskError
from .summary import (
    AcceptanceRule,
    AttributeRisk,
    Headline,
    IdentificationFigures,
    IdentificationRisk,
    Summary,
    VariableRisk,
    Warning,
)

__all__ = [
    "AcceptanceRule",
    "AttributeRisk",
    "BadInput",
    "Failed",
    "Headline",
    "IdentificationFigures",
    "IdentificationRisk",
    "Interrupted",
    "Result",
    "Summary",
    "SynthriskError",
    "VariableRisk",
    "Warning",
    "assess",
    "attack",
    "compare",
    "evaluate",
    "mask",
    "report",
    "utility",
]
