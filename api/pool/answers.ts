import { readOrElse } from '../../activities/chain/reachable.ts'
import { contractRefusal } from '../../domain/chain/contract-refusals.ts'
import { type Asset, amounts } from '../../domain/common/money.ts'
import type { Quoted } from '../../domain/common/quotes.ts'
import { type NextAction, ServiceError } from '../../schemas/errors.ts'
import { NO_STORE } from '../http/answers.ts'

/** Answer of a pool that this chain does not have, or that cannot be read now. */
export const unavailable = <const Reason extends string>(reason: Reason) => ({
  status: 200 as const,
  body: { schemaVersion: 1 as const, available: false as const, reason },
  headers: NO_STORE,
})

/** Answer of a pool; `unavailable` with the reason if the chain cannot be read. */
export const readOrUnavailable = <Body, const Reason extends string>(reason: Reason, read: () => Promise<Body>) =>
  readOrElse(
    async () => ({ status: 200 as const, body: await read() }),
    () => unavailable(reason),
  )

/**
 * What a transaction does. Throws the refusal of one that the contract would refuse, with the amounts that decide it; `nextActions` is given its
 * reason and remedy.
 */
export const acceptQuote = <Quote, Reason extends string>(
  { quote, refusal }: Quoted<Quote, Reason>,
  decimals: number,
  nextActions: (reason: Reason, remedy: string) => NextAction[],
): Quote => {
  if (refusal === null) return quote
  const { reason } = refusal
  const { meaning, remedy } = contractRefusal(reason)
  throw new ServiceError('invalid_request', {
    reason,
    detail: meaning,
    details: { ...amounts(refusal.amounts, decimals), meaning, remedy },
    nextActions: nextActions(reason, remedy),
  })
}

const INPUT = 'base units, as digits'

/** `units` of a pool: in what a request names assets and shares. */
export const unitsView = ({ symbol, decimals }: Asset, shares: Asset) => ({
  asset: { symbol, decimals, input: INPUT },
  shares: { ...shares, input: INPUT },
})
