import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { sql } from 'kysely'
import { privateKeyToAccount } from 'viem/accounts'
import { checkRecord } from '../../../examples/verify-record/check.ts'
import { parseStrict } from '../../../examples/verify-record/encoding/json.ts'
import { moveTime } from '../../../local/time/move.ts'
import { readChainFile } from '../../../schemas/chain/chain-file.ts'
import { decide, disputePath, openDispute, REWARD, rejectedBy, reviewedBy } from '../../e2e/support/disputes.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { claim, createJob, encode, fundedAgent, GOOD_WORK, leaves, sessionOf } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { auditStack } from '../../support/audit.ts'
import { eventually } from '../../support/eventually.ts'
import { canonical, expectSchema, verifyDetached, verifyReceipt } from '../../support/signed-documents.ts'

const world = useWorld()
const DAY_SECONDS = 86_400
const ENDS = ['approved', 'rejected', 'split', 'timeout'] as const
type End = (typeof ENDS)[number]

interface Ended {
  agent: Agent
  session: Reply['body']
}

/** Waits until a condition on the session holds. */
const until = ({ agent, session }: Ended, holds: (now: Reply['body']) => boolean): Promise<Reply['body']> =>
  eventually(`the state of ${session.sessionId}`, () => sessionOf(agent, session.sessionId), holds)

describe('the receipt of ended work', () => {
  const ended = {} as Record<End, Ended>
  const receipts = {} as Record<End, Reply['body']>
  const bytes = {} as Record<End, string>
  /** Checks that earlier files of this stack left failing: forks and directly sent transactions. */
  let failedBefore: string[]

  beforeAll(async () => {
    failedBefore = (await auditStack(world())).map(({ check }) => check)
    expect(failedBefore).not.toContain('dispute_files')
    const agents = await Promise.all(ENDS.map(() => fundedAgent(world())))
    for (const [index, end] of ENDS.entries()) {
      const agent = agents[index] as Agent
      if (end !== 'approved') {
        ended[end] = { agent, session: await rejectedBy(world(), agent) }
        continue
      }
      const { sessionId } = await claim(agent, await createJob(world()))
      await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
      ended[end] = { agent, session: await leaves(agent, sessionId, 'submitted') }
    }
    for (const end of ['split', 'timeout'] as const) {
      await openDispute(world(), ended[end].agent.account, ended[end].session)
      ended[end].session = await leaves(ended[end].agent, ended[end].session.sessionId, 'rejected')
    }
    const arbitrator = await world().agent(privateKeyToAccount(world().info.keys.arbitrator))
    await decide(arbitrator, ended.split, { verdict: 'split', workerPayout: ((REWARD * 2n) / 5n).toString() })
  })

  test('does not exist while the rejection can be disputed, nor a file while the dispute is open', async () => {
    const { status, body } = await ended.timeout.agent.call(`${disputePath(ended.timeout.session)}/file`)
    expect([status, body.code, body.details.status]).toEqual([409, 'dispute_file_not_ready', 'open'])
    expect(ended.rejected.session).toMatchObject({ status: 'rejected' })
    expect(ended.rejected.session.workReceiptId).toBeUndefined()
    expect(await ended.rejected.agent.get('/receipts')).toEqual({ receipts: [], limit: 20, nextCursor: null })
  })

  test('stands in the session as soon as it has ended', async () => {
    await moveTime(world().info, { plusSeconds: 8 * DAY_SECONDS })
    await ended.rejected.agent.signInAgain()
    await until(ended.rejected, ({ rejectionFinalizedAt }) => rejectionFinalizedAt !== undefined)
    await moveTime(world().info, { plusSeconds: 8 * DAY_SECONDS })
    for (const end of ENDS) {
      await ended[end].agent.signInAgain()
      const session = await until(ended[end], ({ workReceiptId }) => workReceiptId !== undefined)
      ended[end].session = session
    }
    expect(ENDS.map((end) => ended[end].session.status)).toEqual(['resolved', 'rejected', 'resolved', 'closed'])
  })

  test('is served by its id, byte for byte, for ever', async () => {
    for (const end of ENDS) {
      const id = ended[end].session.workReceiptId
      const answer = await fetch(`${world().base}/receipts/${id}`)
      bytes[end] = await answer.text()
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      const tag = answer.headers.get('etag') ?? ''
      expect((await fetch(`${world().base}/receipts/${id}`, { headers: { 'if-none-match': tag } })).status).toBe(304)
      expect(await (await fetch(`${world().base}/receipts/${id}`)).text()).toBe(bytes[end])
    }
  })

  test('is one that a stranger can check with the published keys and schema alone', async () => {
    const keySet = await world().expectCall(200, '/.well-known/jwks.json')
    const schema = await world().expectCall(200, '/schemas/records/work-receipt-v1.json')
    for (const end of ENDS) receipts[end] = await verifyReceipt(bytes[end], keySet, schema)
    for (const end of ENDS) {
      const { session } = ended[end]
      expect(receipts[end]).toMatchObject({
        sessionId: session.sessionId,
        jobId: session.jobId,
        worker: session.wallet,
        receiptId: session.workReceiptId,
        execution: { evidenceHash: session.evidenceHash, sourceBinding: { method: 'submission_hash', verified: true } },
      })
      const forged = { ...receipts[end], verdict: { ...receipts[end].verdict, reasonCode: 'DETERMINISTIC_MATCH' } }
      await expect(verifyDetached(forged, keySet)).rejects.toThrow()
      const backdated = { ...receipts[end], signature: { ...receipts[end].signature, signedAt: '2020-01-01T00:00:00.000Z' } }
      await expect(verifyDetached(backdated, keySet)).rejects.toThrow()
    }
  })

  test('stands in the file of its dispute, which is sound for a verifier that shares nothing with the service', async () => {
    const keySet = await world().expectCall(200, '/.well-known/jwks.json')
    const { chainId } = readChainFile(world().info.chainFile)
    const schema = await world().expectCall(200, '/schemas/records/dispute-file-v1.json')
    const arbitrator = await world().agent(privateKeyToAccount(world().info.keys.arbitrator))
    // Their tokens ended when time moved.
    for (const operator of [world().verifier, world().admin]) await operator.signInAgain()
    for (const end of ['split', 'timeout'] as const) {
      const path = `${disputePath(ended[end].session)}/file`
      const { text, body } = await ended[end].agent.call(path)
      for (const reader of [arbitrator, world().verifier, world().admin]) expect((await reader.call(path)).text).toBe(text)
      expect(canonical(body)).toBe(text)
      expectSchema(schema, body)
      const evidence = { keySet, heads: [], chainId, now: Date.parse(body.signature.signedAt), unpublished: false }
      const { proves } = await checkRecord(parseStrict(text), evidence)
      expect(proves).toContainEqual(expect.stringMatching(/^Computed again: of \S+ USDC in the escrow/))
      expect((await ended.approved.agent.call(path)).status).toBe(404)
    }
  })

  test('says how the work was judged, what was paid and what it cost the worker', () => {
    const item = (criterion: string, result: string, evidence: string | null) => ({ criterion, result, evidence })
    const part = (raw: bigint) => raw.toString()
    expect(receipts.approved).toMatchObject({
      verdict: { outcome: 'approved', workerConsequence: 'none', policyTags: ['gas_brokered'] },
      resolution: { kind: 'verifier', verdict: 'approved', workerShareBps: 10_000 },
      settlement: { rewardAmountRaw: part(REWARD) },
    })
    expect(receipts.approved.verdict.items).toContainEqual(item('terms_found', 'met', '/verificationInput'))
    expect(receipts.rejected).toMatchObject({
      verdict: { outcome: 'rejected', reasonCode: 'BENCHMARK_THRESHOLD_MISSED', workerConsequence: 'stake_slashed' },
      settlementProof: { event: { name: 'JobClosed' } },
    })
    expect(receipts.rejected.settlement).toBeUndefined()
    expect(receipts.rejected.verdict.items).toContainEqual(item('terms_found', 'unmet', '/verificationInput'))
    expect(receipts.split).toMatchObject({
      verifier: { handler: 'arbitration', mode: 'human_fallback' },
      verdict: { outcome: 'approved', reasonCode: 'DISPUTE_PARTIAL', workerConsequence: 'none', rationaleHash: expect.any(String) },
      resolution: { kind: 'arbitration', verdict: 'split', workerShareBps: 4_000, replacedVerdict: { outcome: 'rejected' } },
      settlement: { rewardAmountRaw: part(REWARD) },
    })
    expect(receipts.split.verdict.items).toEqual([item('arbitrator_accepts', 'met', '/verdict')])
    const { workerAmountRaw, gasRetentionAmountRaw } = receipts.split.settlement
    expect(BigInt(workerAmountRaw) + BigInt(gasRetentionAmountRaw)).toBe((REWARD * 2n) / 5n)
    expect(receipts.timeout).toMatchObject({
      verdict: { outcome: 'rejected', reasonCode: 'ARB_TIMEOUT', workerConsequence: 'stake_slashed' },
      resolution: { kind: 'timeout', verdict: 'timeout', workerShareBps: 5_000 },
    })
  })

  test('is listed for its worker alone, with its amounts', async () => {
    for (const end of ENDS) {
      const { agent, session } = ended[end]
      const list = await agent.get(`/receipts?wallet=${session.wallet}`)
      expect(list.receipts).toMatchObject([{ receiptId: session.workReceiptId, outcome: receipts[end].verdict.outcome }])
      const worker = receipts[end].settlement?.workerAmountRaw
      expect(list.receipts[0].amounts?.worker.raw).toBe(worker)
    }
    const { body, status } = await ended.split.agent.call(`/receipts?wallet=${ended.approved.session.wallet}`)
    expect([status, body.code]).toEqual([403, 'receipt_wallet_mismatch'])
  })

  test('names the event that ended the work, as the node has it', async () => {
    for (const end of ENDS) {
      const { settlementProof: proof } = receipts[end]
      const mined = await world().view.client.getTransactionReceipt({ hash: proof.transactionHash })
      expect([mined.blockHash, mined.blockNumber.toString()]).toEqual([proof.blockHash, proof.blockNumber])
      const log = mined.logs.find(({ logIndex }) => logIndex === proof.event.logIndex)
      expect(log).toMatchObject({ address: proof.event.address, topics: proof.event.topics, data: proof.event.data })
    }
  })

  test('has a badge beside it where the work was paid by a decision, of the published schema', async () => {
    const keySet = await world().expectCall(200, '/.well-known/jwks.json')
    const schema = await world().expectCall(200, '/schemas/records/agent-badge-v1.json')
    for (const end of ['approved', 'split'] as const) {
      const badge = await world().expectCall(200, `/badges/${encode(ended[end].session.sessionId)}`)
      expectSchema(schema, badge)
      await verifyDetached(badge, keySet)
      expect(badge.items).toEqual(receipts[end].verdict.items)
      expect(badge.resolution).toEqual(receipts[end].resolution)
    }
    for (const end of ['rejected', 'timeout'] as const)
      expect((await ended[end].agent.call(`/badges/${encode(ended[end].session.sessionId)}`)).status).toBe(410)
  })

  test('says the same as the result of the verification and the dispute', async () => {
    for (const end of ENDS) {
      const { agent, session } = ended[end]
      const result = await agent.get(`/verifier/result?sessionId=${encode(session.sessionId)}`)
      expect(result).toMatchObject({ outcome: receipts[end].verdict.outcome, items: receipts[end].verdict.items })
    }
    const { reasoningHash } = await ended.split.agent.get(disputePath(ended.split.session))
    expect(receipts.split.verdict.rationaleHash).toBe(reasoningHash)
  })

  test('agrees with the chain in an audit', async () => {
    const failed = (await auditStack(world())).map(({ check }) => check)
    expect(failed.filter((check) => !failedBefore.includes(check))).toEqual([])
  })

  test.each([
    ['other bytes', sql`update dispute_file set document = document || ' '`],
    ['an altered round', sql`update dispute_file set document = replace(document, '"round":1', '"round":2')`],
    ['no file', sql`delete from dispute_file`],
    ['another decision than its record', sql`update dispute_verdict set decided_by = 'another'`],
  ])('has a file whose audit finds %s', async (_what, statement) => {
    const { database } = world()
    await database
      .transaction(async (rows) => {
        const disputes = ['split', 'timeout'].map((end) =>
          disputePath(ended[end as End].session)
            .split('/')
            .at(-1),
        )
        await sql`${statement} where dispute_id in (${sql.join(disputes)})`.execute(rows)
        const failed = (await auditStack({ ...world(), database: { ...database, rows } })).filter(
          ({ check }) => !failedBefore.includes(check),
        )
        expect(failed.map(({ check, findings }) => [check, findings])).toEqual([['dispute_files', 2]])
        throw new Error('undone')
      })
      .catch((error: Error) => {
        if (error.message !== 'undone') throw error
      })
  })
})

describe('the settlement clock', () => {
  const clock = () => world().expectCall(200, '/stats/settlement')
  /** Runs the script of strangers against the service and the node. */
  const computeAgain = () =>
    promisify(execFile)(process.execPath, [
      ...['examples/settlement-clock/settlement-clock.ts', '--api', world().base, '--rpc', world().info.rpcUrl],
    ])

  test('shows what stalls, and for whom it waits', async () => {
    const connection = await Connection.connect({ address: world().info.temporalAddress })
    try {
      const { count } = (await clock()).unpaid
      const stalled = await reviewedBy(world(), new Client({ connection }), await fundedAgent(world()))
      const { unpaid } = await eventually('the clock counts the stalled work', clock, (shown) => shown.unpaid.count > count)
      // Work that an earlier file left unpaid is older.
      if (count === 0) expect(unpaid.oldest).toMatchObject({ chainJobId: stalled.chainJobId, waitingFor: 'reviewer' })
    } finally {
      await connection.close()
    }
  })

  test('says the same as a computation from the chain alone, which finds an altered record', async () => {
    const { stdout } = await computeAgain()
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(Array(6).fill('equal'))
    const { window, submittedToVerdict, submittedToPaid } = await clock()
    const least = [5, 4, 3]
    for (const [index, count] of [window.submissions, submittedToVerdict.count, submittedToPaid.count].entries())
      expect(count).toBeGreaterThanOrEqual(least[index] ?? 0)
    expect(submittedToPaid.maxSeconds).toBeGreaterThan(8 * DAY_SECONDS)
    const shift = (hours: number) =>
      sql`update chain_event set block_time = block_time + ${hours} * interval '1 hour' where event = 'SettlementSplit'`.execute(
        world().database.rows,
      )
    await shift(1)
    // The service computes its clock anew when the cached one has ended.
    const found = await eventually(
      'the computation finds the altered record',
      () => computeAgain().catch(({ code, stdout: shown }) => [code, shown.match(/^different\s+\w+/gm)]),
      Array.isArray,
    )
    expect(found).toEqual([1, ['different  verdictToPaid', 'different  submittedToPaid']])
    await shift(-1)
  })
})
