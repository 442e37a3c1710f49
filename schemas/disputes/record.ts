import type { Row } from '../entities/columns.ts'
import type { ArbitrationVerdict } from '../sessions/verdicts.ts'
import type { Dispute, DisputeVerdict } from './entities.ts'

/** Accepted names of an arbitration's verdicts, with the verdict of each. Source: lifecycle, "Disputes". */
export const VERDICT_SPELLINGS = {
  upheld: 'upheld',
  uphold: 'upheld',
  dismissed: 'dismissed',
  dismiss: 'dismissed',
  split: 'split',
  partial: 'split',
  timeout: 'timeout',
  arb_timeout: 'timeout',
} as const satisfies Record<string, ArbitrationVerdict>

export const VERDICT_NAMES = Object.keys(VERDICT_SPELLINGS) as (keyof typeof VERDICT_SPELLINGS)[]

/** Bounds of a rationale in characters: shortest of an arbitration, shortest of a review, longest of both. */
export const RATIONALE = { arbitration: 20, review: 10, longest: 4_000 } as const

/** Bounds of a worker's statement in characters. */
export const STATEMENT = { shortest: 20, longest: 4_000 } as const

/** Outcome when the deadline of a stage passes without a decision. */
export type TimeoutOutcome =
  /** The rejection becomes final and the bond is slashed. */
  | 'finalize_rejection'
  /** The worker gets half of the remaining reward and the bond: a time-out of the platform never slashes. */
  | 'split_half'
  /** Only a passing result of a profile pays: the worker gets one base unit, which a split needs, and the bond. */
  | 'split_unit'
  /** Without an arbitrator key the service opens the dispute on chain, which starts the contract's fourteen days. */
  | 'open_on_chain'
  /** The contract's time-out pays half of the remaining reward and slashes the bond. */
  | 'contract_timeout'

/** Decision of a round, one row per round; later requests are refused. */
export type RoundDecision = Omit<Row<typeof DisputeVerdict>, 'disputeId'>

/** Row of a dispute. Instants in epoch ms, sums in base units. */
export type DisputeRecord = Row<typeof Dispute>
