import { beforeAll, describe, expect, test } from '@jest/globals'
import { holdTime, moveTime } from '../../../local/time/move.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { claim, createJob, fundedAgent, GOOD_WORK, leaves, sessionOf } from '../../e2e/support/jobs.ts'
import { type Balances, moved, readBalances } from '../../e2e/support/money.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { actAt, endOpenSessions } from '../../e2e/support/time.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { eventually } from '../../support/eventually.ts'

const world = useWorld()
const engine = useTemporalClient(world)
beforeAll(() => endOpenSessions(world(), engine))
const STAKE = 100_000n
const FEE = 50_000n
const REWARD = 1_000_000n
const POSTER_FEE = 50_000n
const SECOND = 1_000

const jobStatus = async (jobId: string): Promise<Reply['body']> =>
  (await world().expectCall(200, `/jobs/definition?jobId=${jobId}`)).claimStatus
const expiryOf = (session: Reply['body']): number => Date.parse(session.claimExpiresAt)

/** A lapsed claim reads as expired at once; this waits until its own process has ended it, on chain and in the records. */
const isExpired = (agent: Agent, { sessionId }: Reply['body']): Promise<Reply['body']> =>
  eventually(
    `the claim ${sessionId} is ended`,
    async () => {
      const session = await sessionOf(agent, sessionId)
      expect(['claimed', 'expired']).toContain(session.status)
      return session
    },
    ({ statusHistory }) => statusHistory.at(-1).to === 'expired',
  )

/** Claims a new job; its deadline is the end of the claim. */
const newClaim = async (owner: Agent) => {
  const session = await claim(owner, await createJob(world()))
  return { subject: session, instant: expiryOf(session) }
}

describe('a claim without a submission', () => {
  let owner: Agent
  let next: Agent
  let session: Reply['body']
  let before: Balances

  beforeAll(async () => {
    ;[owner, next] = [await fundedAgent(world()), await fundedAgent(world())]
  })

  test('is still held in its last second and over in the next', async () => {
    before = await readBalances(world(), owner.account.address)
    const made = await newClaim(owner)
    session = made.subject
    const { instant } = made
    await actAt(world(), instant, async () => {
      expect(await jobStatus(session.jobId)).toMatchObject({ claimState: 'claimed', claimable: false })
      expect(await sessionOf(owner, session.sessionId)).toMatchObject({ status: 'claimed' })
      await holdTime(world().info, instant + SECOND)
      const over = { claimState: 'expired', claimable: true, reason: 'claim_ttl_expired_reopen_available' }
      expect(await jobStatus(session.jobId)).toMatchObject(over)
    })
  })

  test('ends as expired, dated at its exact instant', async () => {
    expect(await isExpired(owner, session)).toMatchObject({ status: 'expired', expiredAt: session.claimExpiresAt })
    expect(await world().view.escrowOf(session.jobId)).toMatchObject({ state: 'open', worker: `0x${'0'.repeat(40)}` })
  })

  test('costs half of the stake to the poster, the other half and the fee to the treasury', async () => {
    expect(moved(before, await readBalances(world(), owner.account.address))).toEqual({
      worker: { liquid: -(STAKE + FEE) },
      operator: { liquid: -(REWARD + POSTER_FEE), tokens: STAKE / 2n },
      treasury: { liquid: STAKE / 2n + FEE },
    })
  })

  test('burns no attempt: another wallet claims the job and is paid', async () => {
    const second = await claim(next, session.jobId)
    await next.post('/jobs/submit', { sessionId: second.sessionId, submission: GOOD_WORK })
    expect((await leaves(next, second.sessionId, 'submitted')).status).toBe('resolved')
    expect((await sessionOf(owner, session.sessionId)).status).toBe('expired')
    expect(await jobStatus(session.jobId)).toMatchObject({ reason: 'job_session_completed', claimAttemptCount: 1 })
  })
})

describe('a submission', () => {
  let owner: Agent

  beforeAll(async () => {
    owner = await fundedAgent(world())
  })

  test('one second later is refused', async () => {
    const { subject, instant } = await newClaim(owner)
    await moveTime(world().info, { instant: instant + SECOND })
    const { status, body } = await owner.call('/jobs/submit', { body: { sessionId: subject.sessionId, submission: GOOD_WORK } })
    expect([status, body.code]).toEqual([409, 'claim_expired'])
    await isExpired(owner, subject)
  })
})

describe('a waived claim that runs out', () => {
  test('costs nothing and gives its slot back', async () => {
    const agent = await world().agent()
    const jobId = await createJob(world(), { onboardingWaiverEligible: true, claimTtlSeconds: 60 })
    const slots = async () => (await agent.get(`/jobs/preflight?jobId=${jobId}`)).waiverSlotsRemaining
    expect(await slots()).toBe(3)
    const before = await readBalances(world(), agent.account.address)
    const session = await claim(agent, jobId)
    expect([session.claimNumber, await slots()]).toEqual([1, 2])
    await moveTime(world().info, { instant: expiryOf(session) + SECOND })
    await isExpired(agent, session)
    expect(await slots()).toBe(3)
    expect(moved(before, await readBalances(world(), agent.account.address))).toEqual({ operator: { liquid: -REWARD } })
    const again = await claim(agent, jobId)
    expect(again).toMatchObject({ sessionId: `${session.sessionId}:2`, claimNumber: 1, claimEconomicsWaived: true })
  })
})
