import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { Standing } from './stage.ts'

/** What the escrow shows of a session that its record does not hold yet. */
export type Found =
  /** Nothing: record and chain say the same, or the chain is behind it. */
  | 'nothing'
  /** The job is closed: the record takes its end, whoever brought it about. */
  | 'end'
  /** A party disputed the rejection. */
  | 'dispute'
  /** What people were to decide was disputed on chain. */
  | 'arbitration'
  /** Another holder of the verifier's role rejected what people were to decide. */
  | 'rejection'

const FOUND: Partial<Record<Standing['stage'], Partial<Record<ChainJobState, Found>>>> = {
  review: { closed: 'end', disputed: 'arbitration', rejected: 'rejection' },
  window: { closed: 'end', disputed: 'dispute' },
  arbitration: { closed: 'end' },
  verdict: { closed: 'end' },
}

/** What a look at the escrow of a session brings to its record. Source: lifecycle, "Chain alignment". */
export const foundOnChain = (stage: Standing['stage'], escrow: ChainJobState): Found => FOUND[stage]?.[escrow] ?? 'nothing'
