import { toFunctionSelector } from 'viem/utils'
import type { ErrorInfo } from '../../schemas/errors.ts'
import { POOL_CALL_REFUSALS } from './pool-refusals.ts'

/** Meaning of a contract's revert for the caller. */
export interface ContractRefusal {
  meaning: string
  remedy: string
  /** Set when the identical call can succeed later. */
  retryAfterSeconds?: number
}

/** Interval at which a caller retries during a pause. */
const PAUSE_RETRY_SECONDS = 60

/** JSON-RPC error code of a reverted execution. */
const EXECUTION_REVERTED = 3

/** Revert reason: name of a custom error or text of a require, and its selector. */
export interface RevertParts {
  customError: string | null
  rawReason: string | null
  selector: string | null
}

const PLATFORM_FAULT = 'A platform fault: report the request id.'

/** Error of every call during a pause. */
const PAUSED = 'ProtocolPaused'
const PAUSE_PARTS: RevertParts = { customError: PAUSED, rawReason: null, selector: toFunctionSelector(`${PAUSED}()`) }

/** By the name of the contract's error. Source: contracts 18, the table for users. */
const REFUSALS: Readonly<Record<string, ContractRefusal>> = {
  ...POOL_CALL_REFUSALS,
  InsufficientLiquidity: { meaning: 'The liquid balance does not cover the call.', remedy: 'Deposit the difference, then repeat.' },
  InvalidState: {
    meaning: 'On chain the job is in another state than the call needs.',
    remedy: 'Read the state of the job; do not deposit again.',
  },
  [PAUSED]: {
    meaning: 'The contracts are paused: they accept no call until the pause ends.',
    remedy: 'Repeat the same request in a minute; deadlines keep running.',
    retryAfterSeconds: PAUSE_RETRY_SECONDS,
  },
  OutflowCapExceeded: {
    meaning: 'The account would pay out more than its cap of one UTC day allows.',
    remedy: 'Withdraw less, or repeat after midnight UTC.',
  },
  Unauthorized: { meaning: 'A key of the service lacks the role that the call needs.', remedy: PLATFORM_FAULT },
  TransferFailed: { meaning: 'The token refused the transfer.', remedy: 'Compare balance and allowance of the wallet with the amount.' },
  ReentrantCall: { meaning: 'A contract called back while its own call was under way.', remedy: PLATFORM_FAULT },
  Panic: { meaning: 'The contract reverted on an arithmetic or index error.', remedy: PLATFORM_FAULT },
}

const UNEXPLAINED: ContractRefusal = {
  meaning: 'No meaning is known for this reason.',
  remedy: 'Read the state on the chain before you try again.',
}
const UNREADABLE: ContractRefusal = { ...UNEXPLAINED, meaning: 'Its reason could not be read.' }

/** Meaning and remedy of a revert reason; an unknown or missing reason has a default sentence. */
export const contractRefusal = (reason: string | null): ContractRefusal => {
  if (reason === null) return UNREADABLE
  return (Object.hasOwn(REFUSALS, reason) ? REFUSALS[reason] : undefined) ?? UNEXPLAINED
}

/** Details of `blockchain_revert`. Source: http 1.2. */
export const refusalDetails = (operation: string, reason: string | null, parts: RevertParts): Record<string, unknown> => {
  const { meaning, remedy } = contractRefusal(reason)
  return { operation, rawCode: reason === null ? null : EXECUTION_REVERTED, ...parts, meaning, remedy }
}

/** Refusal of a call that the service does not send during a pause. `leftSeconds`: time until the call's own deadline. */
export const pauseRefusal = (operation: string, facts: Record<string, unknown>, leftSeconds = PAUSE_RETRY_SECONDS) => {
  const { meaning, remedy } = contractRefusal(PAUSED)
  const retryAfterSeconds = Math.max(1, Math.min(PAUSE_RETRY_SECONDS, leftSeconds))
  return {
    reason: 'paused_system',
    detail: meaning,
    details: { ...facts, ...refusalDetails(operation, PAUSED, PAUSE_PARTS) },
    retryAfterSeconds,
    nextActions: [{ kind: 'wait', description: remedy }],
  } as const satisfies ErrorInfo
}
