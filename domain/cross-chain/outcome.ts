import type { OutcomeStatus } from '../../schemas/cross-chain/record.ts'

/** The numbers of an outcome. Amounts in base units, instants in epoch ms. */
export interface OutcomeFacts {
  status: OutcomeStatus
  settledAssetsRaw: bigint
  settledSharesRaw: bigint
  remoteRef: string
  failureCode: string
  observedAt: number
}

const MEMBERS = ['status', 'settledAssetsRaw', 'settledSharesRaw', 'remoteRef', 'failureCode'] as const

/** Whether an observation takes the place of the recorded outcome: not if that is settled, equal, or as new. Null: nothing is recorded. */
export const replacesOutcome = (recorded: (OutcomeFacts & { processedAt: number | null }) | null, observed: OutcomeFacts): boolean => {
  if (recorded === null) return true
  if (recorded.processedAt !== null || observed.observedAt <= recorded.observedAt) return false
  return MEMBERS.some((member) => recorded[member] !== observed[member])
}
