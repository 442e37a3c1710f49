import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { getAccount } from '../../../schemas/accounts/operations.ts'
import type { createLockedDeposit, exitLockedDeposit, quoteLockedDeposit } from '../../../schemas/locked-deposits/operations.ts'
import type { getMe } from '../../../schemas/reputation/operations.ts'
import { moveTime } from '../../time/move.ts'
import { type AnswerOf, Refusal } from '../client.ts'
import { money } from '../place.ts'
import { inAsset, newestBlock, type Saver } from '../savings/saver.ts'

const SHORT_RAW = 2_000_000n
const LONG_RAW = 15_000_000n
const TOO_MUCH_RAW = 8_000_000n
const READ_MS = 30_000

type Lock = AnswerOf<typeof exitLockedDeposit>['entry']
type Gate = AnswerOf<typeof quoteLockedDeposit>['activationGate']

/** Letters and digits that no earlier consent used. */
export const consentNonce = (): string => randomBytes(12).toString('hex')

const showGate = ({ report }: Saver, { status, blockers, yieldStatusText }: Gate): void => {
  report.line(`    Gate ${status}${blockers.length > 0 ? `: ${blockers.join(', ')}` : ''}`)
  report.line(`    “${yieldStatusText}”\n`)
}

/** Quotes a lock, signs its message and consents. */
const lock = async (saver: Saver, tier: 't7' | 't30', raw: bigint): Promise<AnswerOf<typeof createLockedDeposit>> => {
  const { report, worker } = saver
  const quote = await report.step(
    `POST /locked-deposits/quote: ${money(saver, raw)} for ${tier}`,
    () =>
      worker.call<AnswerOf<typeof quoteLockedDeposit>>('/locked-deposits/quote', {
        tier,
        amountRaw: raw.toString(),
        consentNonce: consentNonce(),
      }),
    ({ terms }) => `to sign by ${terms.quoteExpiresAt}`,
  )
  const { terms, termsHash } = quote
  const consentSignature = await worker.account.signMessage({ message: quote.consent.message })
  return report.step(
    'sign its message, then POST …/consent',
    () => worker.call<AnswerOf<typeof createLockedDeposit>>('/locked-deposits/consent', { terms, termsHash, consentSignature }),
    ({ entry, tierState }) => `${entry.status} until ${entry.expiresAt}; tier ${tierState.tier}, rank ${tierState.priorityRank}`,
  )
}

/** Compares the balance sheet with the contract; `boundRaw` is what the wallet has signed away until now. */
export const compareAccount = async (saver: Saver, title: string, boundRaw: bigint): Promise<void> => {
  const { asset, savings, wallet, comparison, worker } = saver
  const block = await newestBlock(saver)
  const [liquidRaw, allocatedRaw, account] = await Promise.all([
    savings.balance('account.liquid', wallet, block),
    savings.balance('account.strategyAllocated', wallet, block),
    worker.call<AnswerOf<typeof getAccount>>('/account'),
  ])
  const of = (member: 'liquid' | 'strategyAllocated' | 'lockedDepositEncumbered' | 'withdrawable') => {
    const found = account[member][asset.symbol]
    if (found === undefined) throw new Error(`GET /account shows no ${asset.symbol} in ${member}`)
    return found
  }
  comparison.show(title, [
    inAsset(saver, 'liquid in the account', of('liquid'), liquidRaw),
    inAsset(saver, 'lent to the pool', of('strategyAllocated'), allocatedRaw),
    inAsset(saver, 'locked by signed terms', of('lockedDepositEncumbered'), boundRaw),
    inAsset(saver, 'withdrawable: liquid that no lock needs', of('withdrawable'), liquidRaw > boundRaw ? liquidRaw - boundRaw : 0n),
  ])
}

/** Reads a lock until it has a status. */
const lockInStatus = async ({ worker }: Saver, id: string, status: Lock['status']): Promise<Lock> => {
  for (const end = Date.now() + READ_MS; ; await sleep(100)) {
    const { lockedDeposits } = await worker.call<AnswerOf<typeof getMe>>('/me')
    const found = lockedDeposits.entries.find((entry) => entry.id === id)
    if (found?.status === status) return found
    if (Date.now() > end) throw new Error(`GET /me does not show the lock ${id} as ${status}: ${JSON.stringify(found)}`)
  }
}

/** Moves time to the end of a lock; the service must have released it in that second. */
const release = async (saver: Saver, name: string, id: string, instant: string): Promise<void> => {
  const released = await saver.report.step(
    `time moves to ${name}`,
    async () => {
      await moveTime(saver.info, { instant: Date.parse(instant) })
      return lockInStatus(saver, id, 'released')
    },
    ({ releasedAt, releaseReason }) => `released at ${releasedAt}: ${releaseReason}`,
  )
  if (released.releasedAt !== instant) throw new Error(`the lock ends at ${instant}, and was released at ${released.releasedAt}`)
}

/** The service must refuse to build a withdrawal of locked balance. */
const refuseLocked = async ({ report, worker, ...saver }: Saver): Promise<void> => {
  const refused = await report.step(
    `withdraw ${money({ ...saver, report }, TOO_MUCH_RAW)}`,
    async () => {
      try {
        await worker.call('/account/withdraw/transactions', { amount: TOO_MUCH_RAW.toString() })
      } catch (error) {
        if (error instanceof Refusal) return error.problem
        throw error
      }
      throw new Error('the service built a withdrawal of locked balance')
    },
    ({ status, reason }) => `refused: ${status} ${reason}`,
  )
  report.line(`    “${refused.detail}”\n`)
}

/** Locks for 7 and 30 days, leaves the longer one early and waits for the end of the other. */
export const lockAndLeave = async (saver: Saver): Promise<void> => {
  const { report, worker } = saver
  const short = await lock(saver, 't7', SHORT_RAW)
  showGate(saver, short.tierState.activationGate)
  const long = await lock(saver, 't30', LONG_RAW)
  showGate(saver, long.tierState.activationGate)
  if (!long.tierState.activationGate.open) throw new Error('the gate is closed although the cohort locks what it needs')
  await compareAccount(saver, 'with both locks', SHORT_RAW + LONG_RAW)
  await refuseLocked(saver)
  const left = await report.step(
    'leave t30 early: POST …/{id}/exit',
    () => worker.call<AnswerOf<typeof exitLockedDeposit>>(`/locked-deposits/${long.entry.id}/exit`, {}),
    ({ consequence }) => `perks end now, no fee; free at ${consequence.releaseAt}`,
  )
  await compareAccount(saver, 'while it exits', SHORT_RAW + LONG_RAW)
  const { releaseAt } = left.consequence
  if (releaseAt === undefined) throw new Error('the exit names no instant of its release')
  await release(saver, '48 h after the exit', long.entry.id, releaseAt)
  await compareAccount(saver, 'after 48 h', SHORT_RAW)
  await release(saver, 'the end of the 7 days', short.entry.id, short.entry.expiresAt)
  await compareAccount(saver, 'after 7 days', 0n)
}
