import { randomBytes } from 'node:crypto'
import type { Rows } from '../../../activities/database/database.ts'
import type { Lock } from '../../../domain/locked-deposits/lock.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'

/** Body of a quote, with a nonce of its own. */
export const lockRequest = (amount: string, tier = 't30') => ({ tier, amount, consentNonce: randomBytes(12).toString('hex') })

/** Body of a consent: the terms of a quote with their signature. */
export const consentTo = async ({ account }: Pick<Agent, 'account'>, { terms, termsHash, consent: { message } }: Reply['body']) => ({
  terms,
  termsHash,
  consentSignature: await account.signMessage({ message }),
})

/** A new quote, signed. */
export const signedQuote = async (agent: Agent, request = lockRequest('1000000')) =>
  consentTo(agent, await agent.post('/locked-deposits/quote', request))

/** A new lock of the wallet. */
export const lock = async (agent: Agent, request = lockRequest('1000000')): Promise<Reply['body']> =>
  (await agent.post('/locked-deposits/consent', await signedQuote(agent, request), 201)).entry

export const exitPath = (id: string): string => `/locked-deposits/${id}/exit`

/** Body of a quote of idle-balance allocation. */
export const idleRequest = () => ({ consentNonce: randomBytes(12).toString('hex') })

/** A new quote of idle-balance allocation, signed. */
export const idleConsent = async (agent: Agent) => consentTo(agent, await agent.post('/account/idle-allocation/quote', idleRequest()))

const DAY = 86_400_000

/** Records a lock of 90 days that runs since yesterday. */
export const insertLock = async (rows: Rows, wallet: string, now: number, changes: Partial<Lock> = {}): Promise<void> => {
  const id = `lock ${wallet}`
  const signed = { terms: {}, message: '', signature: '', storedAt: now }
  await rows
    .insertInto('consent')
    .values({ termsHash: id, kind: 'locked_tier_consent_v1', wallet, ...signed })
    .execute()
  await rows
    .insertInto('locked_deposit')
    .values({
      id,
      wallet,
      tier: 't90',
      amountRaw: 1_000_000n,
      walletCapRaw: 25_000_000n,
      cohortCapRaw: 1_000_000_000n,
      lockedAt: now - DAY,
      termDays: 90,
      expiresAt: now + 89 * DAY,
      status: 'active',
      publicProfileOptIn: false,
      requestId: wallet,
      exitRequestedAt: null,
      exitReason: null,
      releaseAt: null,
      releasedAt: null,
      releaseReason: null,
      ...changes,
    })
    .execute()
}
