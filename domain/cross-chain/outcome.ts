import type { Observation } from '../../schemas/cross-chain/process.ts'
import { OUTCOME_STATUSES, type OutcomeStatus, REQUEST_STATUSES } from '../../schemas/cross-chain/record.ts'
import { isStorable } from '../common/text.ts'

const FIRST_ENDED = REQUEST_STATUSES.indexOf('succeeded')

/** How a request ended by its status on chain; null for one that has not ended. */
export const endOfRequest = (status: number): OutcomeStatus | null =>
  status < FIRST_ENDED ? null : (REQUEST_STATUSES[status] as OutcomeStatus)

/** The numbers of an outcome. Amounts in base units, instants in epoch ms. */
export interface OutcomeFacts {
  status: OutcomeStatus
  settledAssetsRaw: bigint
  settledSharesRaw: bigint
  remoteRef: string
  failureCode: string
  observedAt: number
}

/** An outcome with its source: an observer, the watch, or the chain. */
export interface SourcedOutcome extends OutcomeFacts {
  source: string
}

const MEMBERS = ['status', 'settledAssetsRaw', 'settledSharesRaw', 'remoteRef', 'failureCode'] as const

/** Whether an observation takes the place of the recorded outcome: not if that is settled, equal, or as new. Null: nothing is recorded. */
export const replacesOutcome = (recorded: (OutcomeFacts & { processedAt: number | null }) | null, observed: OutcomeFacts): boolean => {
  if (recorded === null) return true
  if (recorded.processedAt !== null || observed.observedAt <= recorded.observedAt) return false
  return MEMBERS.some((member) => recorded[member] !== observed[member])
}

const DIGITS = /^(0|[1-9][0-9]{0,76})$/
const BYTES_32 = /^0x[0-9a-f]{64}$/
const NO_CODE = `0x${'0'.repeat(64)}`

/** Facts and source of an observation as a process received it; null for one that is incomplete or contradicts itself. */
export const parseObservation = (payload: object): SourcedOutcome | null => {
  const { status, settledAssets, settledShares, remoteRef, failureCode, source, observedAt }: { [name in keyof Observation]?: unknown } =
    payload
  const isComplete =
    OUTCOME_STATUSES.some((known) => known === status) &&
    [settledAssets, settledShares].every((raw) => typeof raw === 'string' && DIGITS.test(raw)) &&
    [remoteRef, failureCode].every((bytes) => typeof bytes === 'string' && BYTES_32.test(bytes)) &&
    typeof source === 'string' &&
    isStorable(source)
  const at = typeof observedAt === 'string' ? Date.parse(observedAt) : Number.NaN
  if (!isComplete || Number.isNaN(at)) return null
  if (status !== 'succeeded' && (settledAssets !== '0' || settledShares !== '0')) return null
  if (status === 'failed' && failureCode === NO_CODE) return null
  if (status === 'succeeded' && (settledAssets === '0' || settledShares === '0')) return null
  const amounts = { settledAssetsRaw: BigInt(String(settledAssets)), settledSharesRaw: BigInt(String(settledShares)) }
  return {
    status: status as OutcomeStatus,
    ...amounts,
    remoteRef: String(remoteRef),
    failureCode: String(failureCode),
    source,
    observedAt: at,
  }
}
