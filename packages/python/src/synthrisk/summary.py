"""Fields of ``summary.json``: docs/reference/fields.md has all of them, and what each means. Undefined figures are None."""

from __future__ import annotations

from typing import Optional, TypedDict


class Headline(TypedDict):
    """A figure to begin with."""

    name: str
    value: Optional[float]
    se: Optional[float]
    baseline: Optional[float]


class TableSize(TypedDict):
    """Size of the confidential table."""

    records: int
    variables: int
    combinations: int
    cells: Optional[float]
    sampleUniques: int


class Synthesis(TypedDict):
    """What the release is."""

    datasets: int
    synthesized: list[str]
    kind: str


class VariableRisk(TypedDict):
    """Attribute risk of one variable."""

    variable: str
    firstGuessRightBefore: Optional[float]
    firstGuessRightAfter: Optional[float]
    gainBitsMean: Optional[float]
    gainBitsMeanSe: Optional[float]
    gainBitsClaimed: Optional[float]


class AttributeRisk(TypedDict):
    """Attribute risk under one scenario."""

    scenario: str
    estimator: str
    candidates: str
    prior: str
    records: int
    truthRankedFirst: int
    truthRankedFirstShare: float
    truthRankMedian: float
    probabilityMean: float
    probabilityMax: float
    informationBitsMean: Optional[float]
    informationBitsMax: Optional[float]
    gainBitsMean: Optional[float]
    gainBitsMeanSe: Optional[float]
    gainBitsClaimed: Optional[float]
    uncertaintyResolved: Optional[float]
    uncertaintyResolvedSe: Optional[float]
    firstGuessRightBefore: Optional[float]
    firstGuessRightAfter: Optional[float]
    commonestShare: Optional[float]
    variables: list[VariableRisk]
    privacyLossMedian: Optional[float]
    privacyLossMax: Optional[float]
    reproducibility: Optional[float]
    distinguishableShare: float


class IdentificationFigures(TypedDict):
    """Identification risk of one dataset, or the mean of all."""

    expectedMatchRisk: Optional[float]
    trueMatchRate: Optional[float]
    falseMatchRate: Optional[float]
    uniqueMatches: Optional[float]


class IdentificationRisk(TypedDict):
    """Identification risk under one scenario."""

    scenario: str
    known: list[str]
    synthesized: list[str]
    applies: bool
    datasets: list[IdentificationFigures]
    mean: IdentificationFigures


class AcceptanceRule(TypedDict):
    """An acceptance rule, and whether the run meets it."""

    rule: str
    value: Optional[float]
    met: bool


class Warning(TypedDict):
    """What a reader of the results should know."""

    code: str
    message: str


class Summary(TypedDict):
    """What `evaluate` and `assess` found."""

    headline: list[Headline]
    version: str
    runId: str
    seed: int
    table: TableSize
    model: dict[str, object]
    synthesis: Synthesis
    attributeRisk: list[AttributeRisk]
    identificationRisk: list[IdentificationRisk]
    utility: Optional[dict[str, object]]
    acceptance: list[AcceptanceRule]
    warnings: list[Warning]
