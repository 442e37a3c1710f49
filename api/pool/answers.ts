import { contractRefusal } from '../../domain/chain/contract-refusals.ts'
import { amount } from '../../domain/common/money.ts'
import type { Refusal } from '../../domain/pool/quotes.ts'
import { isServiceError, type NextAction, ServiceError } from '../../schemas/errors.ts'
import { NO_STORE } from '../http/answers.ts'

/** Answer of a pool that this chain does not have, or that cannot be read now. */
export const unavailable = <const Reason extends string>(reason: Reason) => ({
  status: 200 as const,
  body: { schemaVersion: 1 as const, available: false as const, reason },
  headers: NO_STORE,
})

/** Whether a failed reading makes the pool unavailable. */
export const isUnreadable = (error: unknown): boolean => isServiceError(error) && error.code === 'blockchain_unavailable'

/** The refusal of a transaction that the contract would refuse, with the amounts that decide it. `nextActions` is given the remedy. */
export const refusalError = (
  decimals: number,
  { reason, amounts }: Refusal<string>,
  nextActions: (remedy: string) => NextAction[],
): ServiceError => {
  const { meaning, remedy } = contractRefusal(reason)
  const named = Object.entries(amounts).map(([name, raw]) => [name, amount({ raw, decimals })])
  return new ServiceError('invalid_request', {
    reason,
    detail: meaning,
    details: { ...Object.fromEntries(named), meaning, remedy },
    nextActions: nextActions(remedy),
  })
}
