import { randomBytes } from 'node:crypto'
import { type ProblemDocument, ServiceProblem } from '../../../client/src/problems.ts'
import type { Answer } from '../../../client/src/types.ts'
import { moveTime } from '../../time/move.ts'
import { money } from '../place.ts'
import { inAsset, newestBlock, type Saver } from '../savings/saver.ts'
import { readUntil } from '../worker.ts'

const SHORT_RAW = 2_000_000n
const LONG_RAW = 15_000_000n
const TOO_MUCH_RAW = 8_000_000n

type Lock = Answer<'exitLockedDeposit'>['entry']
type Gate = Answer<'quoteLockedDeposit'>['activationGate']

/** Letters and digits that no earlier consent used. */
export const consentNonce = (): string => randomBytes(12).toString('hex')

const showGate = ({ report }: Saver, { status, blockers, yieldStatusText }: Gate): void => {
  report.line(`    Gate ${status}${blockers.length > 0 ? `: ${blockers.join(', ')}` : ''}`)
  report.line(`    “${yieldStatusText}”\n`)
}

/** Quotes a lock, signs its message and consents. */
const lock = async (saver: Saver, tier: 't7' | 't30', raw: bigint): Promise<Answer<'createLockedDeposit'>> => {
  const { report, worker } = saver
  const quote = await report.step(
    `POST /locked-deposits/quote: ${money(saver, raw)} for ${tier}`,
    () => worker.client.quoteLockedDeposit({ tier, amount: raw, consentNonce: consentNonce() }),
    ({ terms }) => `to sign by ${terms.quoteExpiresAt}`,
  )
  const { terms, termsHash } = quote
  const consentSignature = await worker.account.signMessage({ message: quote.consent.message })
  return report.step(
    'sign its message, then POST …/consent',
    () => worker.client.createLockedDeposit({ terms, termsHash, consentSignature }),
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
    worker.client.getAccount(),
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
const lockInStatus = ({ worker }: Saver, id: string, status: Lock['status']): Promise<Lock> =>
  readUntil(`lock ${id} in GET /me that is ${status}`, async () => {
    const { lockedDeposits } = await worker.client.getMe()
    return lockedDeposits.entries.find((entry) => entry.id === id && entry.status === status)
  })

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
    async (): Promise<ProblemDocument> => {
      try {
        await worker.client.buildAccountWithdrawTransactions({ amount: TOO_MUCH_RAW })
      } catch (error) {
        if (error instanceof ServiceProblem) return error.problem
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
    () => worker.client.exitLockedDeposit({ id: long.entry.id }),
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
