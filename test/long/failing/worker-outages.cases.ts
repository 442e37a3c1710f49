import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from '@jest/globals'
import { sql } from 'kysely'
import { createRpc } from '../../../local/chain/rpc.ts'
import { setChainOffset } from '../../../local/chain/start.ts'
import { writeClockOffset } from '../../../local/time/clock.ts'
import type { Agent } from '../../e2e/support/http.ts'
import { createJob, fundedAgent, leaves } from '../../e2e/support/jobs.ts'
import { inTurns } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { claimOf, refusalOf, repeated, sessionPath, submissionOf } from '../support/outages.ts'
import { ask, expectPaidOnce, prepareJobs, readBankAt, transactionWaits, WAIT_SECONDS, waiting, world } from './failing.ts'

/** After which a key without a session counts as given up, and a little more. */
const KEY_SECONDS = WAIT_SECONDS + 6

const test = inTurns(4)

test('a worker that hears both stop signals ends in order all the same', async () => {
  const [worker] = world().workers
  process.kill(worker?.pid() ?? 0, 'SIGINT')
  expect(await worker?.stop()).toMatchObject({ code: 0, signal: null })
})

test('a worker that is stopped while its engine is frozen ends by itself, before a supervisor kills it', async () => {
  const [worker] = world().workers
  process.kill(world().temporal.pid(), 'SIGSTOP')
  try {
    expect(await worker?.stop()).toMatchObject({ code: 0, signal: null })
  } finally {
    process.kill(world().temporal.pid(), 'SIGCONT')
  }
})

test('a worker that starts hands out again what the chain has lost, before it does anything else', async () => {
  const { agent, jobId } = await prepareJobs()
  await ask('evm_setAutomine', [false])
  try {
    const claiming = claimOf(agent, jobId)()
    await transactionWaits()
    expect((await claiming).status).toBe(202)
    const sent = await waiting()
    await world().workers[0]?.kill()
    await ask('anvil_dropAllTransactions')
    expect(await waiting()).toBe(0)
    // Once it is ready: a step of the dead worker may follow, and finds its transaction there.
    await world().workers[0]?.start()
    expect(await waiting()).toBe(sent)
  } finally {
    await ask('evm_setAutomine', [true])
    await ask('evm_mine')
  }
  await expectPaidOnce(agent, jobId)
})

const isReserved = (wallet: string) =>
  eventually('the grant is reserved', () =>
    world().database.rows.selectFrom('gas_grant').select('status').where('wallet', '=', wallet).executeTakeFirst(),
  )
const isBroadcast = (wallet: string) =>
  eventually(
    'the transfer of the grant waits for a block',
    () =>
      world()
        .database.rows.selectFrom('chain_transaction')
        .select('status')
        .where('functionName', '=', 'grantGas')
        .where('toAddress', '=', wallet)
        .executeTakeFirst(),
    (transfer) => transfer?.status === 'broadcast',
  )
/** Waits for the moments of a grant at which the worker is killed: asked for, reserved, broadcast, mined. No block comes by itself. */
const GRANT_MOMENTS: ((wallet: string) => Promise<unknown>)[] = [
  async () => undefined,
  isReserved,
  isBroadcast,
  (wallet) => isBroadcast(wallet).then(() => ask('evm_mine')),
]

test('a worker that is killed at any moment of a gas grant sends each wallet exactly one transfer', async () => {
  const withdrawal = (agent: Agent) => () => agent.call('/account/withdraw/transactions', { body: { amount: '1', requestGasGrant: true } })
  const savers: Agent[] = []
  for (const waitForMoment of GRANT_MOMENTS) {
    const saver = await fundedAgent(world(), 1_000_000n)
    savers.push(saver)
    await ask('evm_setAutomine', [false])
    try {
      const asking = withdrawal(saver)()
      await waitForMoment(saver.account.address.toLowerCase())
      await world().workers[0]?.kill()
      await asking
    } finally {
      await ask('evm_setAutomine', [true])
      await ask('evm_mine')
    }
    await world().workers[0]?.start()
  }
  const reasonOf = async (saver: Agent): Promise<string> => (await repeated(withdrawal(saver))).body.firstWithdrawalGasGrant.reason
  for (const saver of savers)
    await eventually(
      `${saver.account.address} has its grant`,
      () => reasonOf(saver),
      (reason) => reason === 'first_withdrawal_gas_grant_sent',
    )
  const { rows } = world().database
  const wallets = savers.map(({ account }) => account.address.toLowerCase()).sort()
  const sent = await rows.selectFrom('chain_transaction').select(['toAddress', 'status']).where('functionName', '=', 'grantGas').execute()
  expect(sent.map(({ toAddress, status }) => `${toAddress} ${status}`).sort()).toEqual(wallets.map((wallet) => `${wallet} mined`))
  const kept = await rows.selectFrom('gas_grant').select(['wallet', 'status']).orderBy('wallet').execute()
  expect(kept).toEqual(wallets.map((wallet) => ({ wallet, status: 'granted' })))
  const granted = await rows.selectFrom('event').select('wallets').where('topic', '=', 'operator_gas.first_withdrawal_granted').execute()
  expect(granted.map(({ wallets: [wallet] }) => wallet).sort()).toEqual(wallets)
})

describe('no worker is up', () => {
  test('claim and submission are accepted, a stranger learns that the job is being claimed, and a worker that comes finds both', async () => {
    const { agent, jobId, claimant, claimedJobId, claimed, sessionId } = await prepareJobs()
    await world().workers[0]?.kill()
    const [claiming, submitting] = await Promise.all([claimOf(agent, jobId)(), submissionOf(claimant, sessionId)()])
    const { status, body: pending } = claiming
    expect([status, pending.status, pending.stage, pending.txHash]).toEqual([202, 'pending', 'admitting', null])
    expect([submitting.status, submitting.body.stage]).toEqual([202, 'submitting'])
    const [stranger, looked] = await Promise.all([claimOf(claimant, jobId)(), agent.call(sessionPath(pending.sessionId))])
    expect([stranger.status, stranger.body.code]).toEqual([409, 'claim_in_progress'])
    expect([looked.status, looked.body.status, looked.body.stage]).toEqual([200, 'pending', 'admitting'])
    expect((await claimant.call(sessionPath(pending.sessionId))).body.code).toBe('session_not_found')
    await world().workers[0]?.start()
    const recorded = await repeated(claimOf(agent, jobId))
    expect([recorded.status, recorded.body.sessionId]).toEqual([200, pending.sessionId])
    await Promise.all([expectPaidOnce(agent, jobId, recorded), expectPaidOnce(claimant, claimedJobId, claimed)])
  })

  test('a key that joined a claim under another one stays with its job, also when the session has ended', async () => {
    const { agent, jobId } = await prepareJobs()
    const other = await createJob(world())
    const underKey = (id: string, key: string) => agent.call('/jobs/claim', { body: { jobId: id }, headers: { 'idempotency-key': key } })
    await world().workers[0]?.kill()
    const accepted = await Promise.all(['first', 'second'].map((key) => underKey(jobId, key)))
    expect(accepted.map(({ status }) => status)).toEqual([202, 202])
    await world().workers[0]?.start()
    for (const key of ['first', 'second']) expect((await repeated(() => underKey(jobId, key))).status).toBe(200)
    await expectPaidOnce(agent, jobId, await underKey(jobId, 'first'))
    const age = sql`update idempotency_key set created_at = created_at - make_interval(secs => ${KEY_SECONDS}::integer)
      where operation = 'jobs_claim' and key in ('first', 'second')`
    expect((await age.execute(world().database.rows)).numAffectedRows).toBe(2n)
    for (const key of ['first', 'second']) {
      expect((await underKey(other, key)).body.code).toBe('idempotency_key_reused')
      expect((await underKey(jobId, key)).body.code).toBe('idempotency_key_already_used')
    }
  })

  test('a key is accepted for one of two jobs', async () => {
    const { agent, jobId } = await prepareJobs()
    const other = await createJob(world())
    const underKey = (id: string, key: string) => () =>
      agent.call('/jobs/claim', { body: { jobId: id }, headers: { 'idempotency-key': key } })
    await world().workers[0]?.kill()
    const replies = await Promise.all([underKey(jobId, 'one'), underKey(other, 'one')].map((call) => call()))
    expect(replies.map(({ status, body }) => `${status} ${body.code ?? body.status}`).sort()).toEqual([
      '202 pending',
      '422 idempotency_key_reused',
    ])
    const [won, lost] = replies[0]?.status === 202 ? [jobId, other] : [other, jobId]
    expect((await underKey(lost, 'one')()).body.code).toBe('idempotency_key_reused')
    expect((await underKey(lost, 'two')()).status).toBe(202)
    await world().workers[0]?.start()
    for (const [id, key] of [
      [won, 'one'],
      [lost, 'two'],
    ] as const) {
      const claimed = await repeated(underKey(id, key))
      expect([claimed.status, claimed.body.jobId]).toEqual([200, id])
    }
  })

  test('a claim that was accepted is still on its way when no process has read the bank for long, and a new claim reads it again', async () => {
    const { agent, jobId, claimant } = await prepareJobs()
    await world().workers[0]?.kill()
    const first = await claimOf(agent, jobId)()
    await readBankAt(Date.now() - 3_600_000)
    const again = await claimOf(agent, jobId)()
    expect([first.status, again.status, again.body.sessionId]).toEqual([202, 202, first.body.sessionId])
    const other = await createJob(world())
    expect((await claimOf(claimant, other)()).status).toBe(202)
    await world().workers[0]?.start()
    await expectPaidOnce(agent, jobId)
    await expectPaidOnce(claimant, other)
  })

  test('one that is started before its engine begins when the engine does', async () => {
    const { agent, jobId } = await prepareJobs()
    await Promise.all([world().workers[0]?.kill(), world().temporal.kill()])
    const starting = world().workers[0]?.start()
    const log = join(world().files.logs, 'worker-0.log')
    const { size: logFrom } = statSync(log)
    const isWaiting = () => readFileSync(log).subarray(logFrom).includes('the worker starts when it does')
    await eventually('the worker waits for its engine', isWaiting)
    await world().temporal.start()
    await starting
    await expectPaidOnce(agent, jobId)
  })

  test('what was accepted goes on by itself also when the engine is killed before a worker comes', async () => {
    const { agent, jobId, claimant, sessionId } = await prepareJobs()
    await world().workers[0]?.kill()
    const [claiming, submitting] = await Promise.all([claimOf(agent, jobId)(), submissionOf(claimant, sessionId)()])
    expect([claiming.status, submitting.status]).toEqual([202, 202])
    await world().temporal.kill()
    await world().temporal.start()
    await world().workers[0]?.start()
    expect((await leaves(agent, claiming.body.sessionId, 'pending')).status).toBe('claimed')
    await leaves(claimant, sessionId, 'claimed')
    expect((await leaves(claimant, sessionId, 'submitted')).status).toBe('resolved')
  })
})

// The last: the clocks of service and chain never go back.
describe('no worker is up when a deadline passes', () => {
  const CLAIM_SECONDS = 3_700
  const goAhead = async (seconds: number): Promise<void> => {
    writeClockOffset(world().files.clockOffset, seconds * 1_000)
    const rpc = createRpc(world().rpcUrl)
    await setChainOffset(rpc, seconds)
    await rpc('evm_mine')
  }

  test('an agent that wants the job of a lapsed claim is asked to retry, and gets the job once a worker is there', async () => {
    const { agent, claimedJobId } = await prepareJobs()
    await world().workers[0]?.kill()
    await goAhead(CLAIM_SECONDS)
    await readBankAt(Date.now() + CLAIM_SECONDS * 1_000)
    expect(await refusalOf(claimOf(agent, claimedJobId))).toEqual([409, 'claim_in_progress', true])
    await world().workers[0]?.start()
    const claimed = await repeated(claimOf(agent, claimedJobId))
    expect([claimed.status, claimed.body.wallet]).toEqual([200, agent.account.address.toLowerCase()])
  })

  test('an agent that repeats a submission while the claim is timed out learns that it is too late, and no process is left behind', async () => {
    const { agent, claimant, claimedJobId, sessionId } = await prepareJobs()
    const before = await world().view.standingOf(claimant.account.address)
    await world().temporal.kill()
    expect(await refusalOf(submissionOf(claimant, sessionId))).toEqual([503, 'workflow_engine_unavailable', true])
    await goAhead(2 * CLAIM_SECONDS)
    await ask('evm_setAutomine', [false])
    try {
      await world().temporal.start()
      // Who wants the job meets the lapsed claim; its time-out waits for a block.
      await eventually(
        'the time-out of the claim waits for a block',
        async () => {
          expect(['claim_in_progress', 'workflow_engine_unavailable']).toContain((await claimOf(agent, claimedJobId)()).body.code)
          return waiting()
        },
        (count) => count > 0,
      )
      const again = await submissionOf(claimant, sessionId)()
      expect([again.status, again.body.code]).toEqual([409, 'claim_expired'])
    } finally {
      await ask('evm_setAutomine', [true])
      await ask('evm_mine')
    }
    const next = await repeated(claimOf(agent, claimedJobId))
    expect([next.status, next.body.wallet]).toEqual([200, agent.account.address.toLowerCase()])
    expect((await claimant.call(sessionPath(sessionId))).body.statusHistory.at(-1)).toMatchObject({ from: 'claimed', to: 'expired' })
    expect(await world().view.standingOf(claimant.account.address)).toEqual({ ...before, stakedRaw: 0n })
    expect((await submissionOf(claimant, sessionId)()).body.code).toBe('claim_expired')
  })

  test('the bond of who submitted in time is not slashed: the session is left to people', async () => {
    const { claimant, claimedJobId, sessionId } = await prepareJobs()
    await world().workers[0]?.kill()
    expect((await submissionOf(claimant, sessionId)()).status).toBe(202)
    const before = await world().view.standingOf(claimant.account.address)
    expect(before.stakedRaw).toBeGreaterThan(0n)
    await goAhead(3 * CLAIM_SECONDS)
    await world().workers[0]?.start()
    // As recorded: by its clock alone the claim has lapsed.
    const recorded = () =>
      world().database.rows.selectFrom('session').select('status').where('sessionId', '=', sessionId).executeTakeFirstOrThrow()
    await eventually('the session was left to people', recorded, ({ status }) => status !== 'claimed')
    expect((await claimant.call(sessionPath(sessionId))).body.status).toBe('chain_state_diverged')
    expect(await world().view.standingOf(claimant.account.address)).toEqual(before)
    expect(await world().view.escrowOf(claimedJobId)).toMatchObject({ state: 'claimed' })
  })
})
