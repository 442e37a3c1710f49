import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { createJob, fundedAgent, GOOD_WORK, leaves } from '../../e2e/support/jobs.ts'
import { eventually, untilFinal } from '../../support/eventually.ts'
import type { FleetOptions, Member } from '../../support/fleet/fleet.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'

/** The refusal of an outage: its status and code, and that a repeat helps. test/timing says that it comes within two seconds. */
export const refusalOf = async (call: () => Promise<Reply>): Promise<[number, string, boolean]> => {
  const { status, body } = await call()
  return [status, body.code, body.retryable]
}

export const claimOf = (agent: Agent, jobId: string) => () =>
  agent.call('/jobs/claim', { body: { jobId }, headers: { 'idempotency-key': `claim-${jobId}` } })
export const submissionOf = (agent: Agent, sessionId: string) => () =>
  agent.call('/jobs/submit', { body: { sessionId, submission: GOOD_WORK }, headers: { 'idempotency-key': `submit-${sessionId}` } })

export const sessionPath = (sessionId: string): string => `/session?sessionId=${encodeURIComponent(sessionId)}`

/** The final answer to a call that is repeated as it was. */
export const repeated = (call: () => Promise<Reply>): Promise<Reply> =>
  untilFinal('the repeated call is decided', call, ({ status, body }) => status !== 202 && body.retryable !== true)

/** A fleet for one file, with one API and one worker whose parts fail; a claim is answered with 202 after `waitSeconds`. */
export const useFleet = (
  waitSeconds: number,
  { front, settings }: { front?: FleetOptions['front']; settings?: () => Promise<Record<string, string>> } = {},
) => {
  let opened: FleetWorld | undefined
  const world = (): FleetWorld => {
    if (opened === undefined) throw new Error('the fleet does not run')
    return opened
  }
  beforeAll(async () => {
    const env = { CHAIN_WAIT_SECONDS: String(waitSeconds), ...(await settings?.()) }
    opened = await openFleet({ env, ...(front && { front }) })
  })
  afterAll(() => opened?.close())

  /** Every part is back before the next test, in the order in which they stand on each other. */
  afterEach(async () => {
    const parts: Member[] = [world().postgres, world().temporal, world().chain]
    for (const level of [parts, [...world().apis, ...world().workers]])
      await Promise.all(level.filter((one) => !one.isUp()).map((one) => one.start()))
  })

  const ask = (method: string, params: unknown[] = []): Promise<unknown> => world().view.client.request({ method, params } as never)
  /** Transactions that the chain has not mined. */
  const waiting = async (): Promise<number> => Number(((await ask('txpool_status')) as { pending: string }).pending)

  const transactionWaits = () => eventually('a transaction waits for a block', waiting, (count) => count > 0)

  /** No worker, no fresh reading of the bank: as if one had read it at an instant, epoch ms. */
  const readBankAt = async (readAt: number): Promise<void> =>
    void (await world().database.rows.updateTable('reward_bank_reading').set({ readAt }).execute())

  /** The claim goes on to its badge by the same requests, and nothing was done twice. */
  const expectPaidOnce = async (agent: Agent, jobId: string, known?: Reply): Promise<void> => {
    const claimed = known ?? (await repeated(claimOf(agent, jobId)))
    expect([claimed.status, claimed.body.code]).toEqual([200, undefined])
    const { sessionId } = claimed.body
    expect((await repeated(submissionOf(agent, sessionId))).status).toBe(200)
    expect((await leaves(agent, sessionId, 'submitted')).status).toBe('resolved')
    const sent = await world()
      .database.rows.selectFrom('chain_transaction')
      .select(['functionName', 'status'])
      .where('jobId', '=', jobId)
      .execute()
    expect(sent.filter(({ functionName }) => /claimJobFor|submitWorkFor|resolve/.test(functionName)).map(({ status }) => status)).toEqual([
      ...['mined', 'mined', 'mined'],
    ])
    expect((await world().view.standingOf(agent.account.address)).badges).toHaveLength(1)
  }

  /** A job, a funded agent, and another agent that has claimed already. */
  const prepareJobs = async () => {
    const [jobId, claimedJobId] = [await createJob(world()), await createJob(world())]
    const [agent, claimant] = [await fundedAgent(world()), await fundedAgent(world())]
    const claimed = await repeated(claimOf(claimant, claimedJobId))
    return { agent, jobId, claimant, claimedJobId, claimed, sessionId: claimed.body.sessionId }
  }

  return { world, ask, waiting, transactionWaits, readBankAt, expectPaidOnce, prepareJobs }
}
