import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../../client/src/types.ts'
import { moveTime } from '../../time/move.ts'
import { deposit, money } from '../place.ts'
import { inAsset, newestBlock, type Saver } from '../savings/saver.ts'
import { readUntil } from '../worker.ts'
import { compareAccount, consentNonce } from './locks.ts'

const PATH = '/account/idle-allocation'
const LATER_RAW = 3_000_000n
/** The operator lends within a second while it may. */
const LENDING_MS = 2_000

type Status = Extract<Answer<'getIdleAllocation'>, { available: true }>

const readStatus = async ({ worker }: Saver): Promise<Status> => {
  const answer = await worker.client.getIdleAllocation()
  if (!answer.available) throw new Error(`idle-balance allocation is not available: ${answer.reason}`)
  return answer
}

/** Reads the status until it is as wanted. */
const statusOnce = (saver: Saver, what: string, wanted: (status: Status) => boolean): Promise<Status> =>
  readUntil(`${what} in GET ${PATH}`, async () => {
    const status = await readStatus(saver)
    return wanted(status) ? status : undefined
  })

const consent = async (saver: Saver): Promise<string> => {
  const { report, worker } = saver
  const quote = await report.step(
    `POST ${PATH}/quote`,
    async () => {
      const answer = await worker.client.quoteIdleAllocation({ consentNonce: consentNonce() })
      if (!answer.available) throw new Error(`idle-balance allocation is not available: ${answer.reason}`)
      return answer
    },
    ({ terms }) => `to sign by ${terms.quoteExpiresAt}`,
  )
  const { terms, termsHash } = quote
  const consentSignature = await worker.account.signMessage({ message: quote.consent.message })
  await report.step(
    `POST ${PATH}/consent`,
    () => worker.client.consentToIdleAllocation({ terms, termsHash, consentSignature }),
    (answer) => `${answer.consent.status} until ${answer.consent.consentExpiresAt}`,
  )
  return terms.consentExpiresAt
}

/** Consents to 90 days of idle-balance allocation and outlives them. */
export const lendIdleBalance = async (saver: Saver): Promise<void> => {
  const { report, worker, wallet, savings, comparison } = saver
  const expiresAt = await consent(saver)
  const lent = await report.step(
    'the operator lends all but 2 USDC',
    () => statusOnce(saver, 'movement', ({ movements }) => movements.allocated.raw !== 0n),
    ({ movements }) => `${money(saver, movements.allocated.raw)} went to the pool`,
  )
  const allocatedRaw = await savings.balance('account.strategyAllocated', wallet, await newestBlock(saver))
  comparison.show('movements of idle balance', [inAsset(saver, 'lent by the operator', lent.movements.allocated, allocatedRaw)])
  await compareAccount(saver, 'with the consent', 0n)
  await report.step(
    'time moves to the end of the consent, 90 days',
    async () => {
      await moveTime(saver.info, { instant: Date.parse(expiresAt) })
      return statusOnce(saver, 'end of the consent', ({ consent: { status } }) => status === 'expired')
    },
    (status) => `consent ${status.consent.status}`,
  )
  await report.step(
    `deposit ${money(saver, LATER_RAW)} into the account`,
    async () => {
      await deposit(saver, worker, LATER_RAW)
      await sleep(LENDING_MS)
    },
    () => 'it stays in the account',
  )
  const after = await readStatus(saver)
  comparison.show('movements after the end', [inAsset(saver, 'lent by the operator', after.movements.allocated, allocatedRaw)])
  await compareAccount(saver, 'after the end', 0n)
}
