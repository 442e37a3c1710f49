import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { DisputeStatus } from './stage.ts'

/** State of the escrow that a session's record does not have yet. */
export type ChainChange =
  /** Record and chain agree, or the chain is behind the record. */
  | 'nothing'
  /** The job is closed: the service records the outcome on chain. */
  | 'end'
  /** A party disputed the rejection. */
  | 'dispute'
  /** A party disputed on chain what a reviewer had to decide. */
  | 'arbitration'
  /** Another verifier rejected on chain what a reviewer had to decide. */
  | 'rejection'

const CHANGES: Partial<Record<DisputeStatus['stage'], Partial<Record<ChainJobState, ChainChange>>>> = {
  review: { closed: 'end', disputed: 'arbitration', rejected: 'rejection' },
  window: { closed: 'end', disputed: 'dispute' },
  arbitration: { closed: 'end' },
  verdict: { closed: 'end' },
}

/** Compares the recorded stage with the escrow's state. Source: lifecycle, "Chain alignment". */
export const detectChainChange = (stage: DisputeStatus['stage'], escrow: ChainJobState): ChainChange =>
  CHANGES[stage]?.[escrow] ?? 'nothing'
