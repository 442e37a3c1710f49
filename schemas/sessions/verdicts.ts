/** Outcomes of a verification. */
export const VERDICT_OUTCOMES = ['approved', 'rejected', 'disputed', 'inconclusive', 'platform_fault'] as const
export type VerdictOutcome = (typeof VERDICT_OUTCOMES)[number]

/** Verdicts of an arbitration. `upheld`: the rejection is final; `dismissed`: the worker is paid; `timeout`: no arbitrator decided in time. */
export const ARBITRATION_VERDICTS = ['upheld', 'dismissed', 'split', 'timeout'] as const
export type ArbitrationVerdict = (typeof ARBITRATION_VERDICTS)[number]

/** Verdicts of a dispute round: those of an arbitration, and those of a review. */
export const ROUND_VERDICTS = [...ARBITRATION_VERDICTS, 'approved', 'rejected'] as const
export type RoundVerdict = (typeof ROUND_VERDICTS)[number]

/** Who decided a session in the end. `timeout`: there was no decision in time, and the default of the stage applied. */
export const RESOLUTION_KINDS = ['verifier', 'human_review', 'arbitration', 'timeout'] as const
export type ResolutionKind = (typeof RESOLUTION_KINDS)[number]
