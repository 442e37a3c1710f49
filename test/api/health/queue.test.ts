// What waits for a person, on records as the processes leave them. Engine and health are those of the test.
import { beforeAll, describe, expect, test } from '@jest/globals'
import type { ApiDeps } from '../../../api/deps.ts'
import { createQueue } from '../../../api/health/queue.ts'
import { createHealthReader } from '../../../api/health/reader.ts'
import type { StoppedRun } from '../../../api/temporal/client.ts'
import { disputeId, sessionId } from '../../../domain/common/ids.ts'
import { arbitrationEndsAt } from '../../../domain/disputes/stage.ts'
import type { DisputeRecord, RoundDecision } from '../../../schemas/disputes/record.ts'
import { QUEUE_KINDS } from '../../../schemas/health/queue.ts'
import { aDecision, aDispute } from '../../domain/builders/dispute.ts'
import { accounts, type Reply, testChain, tokenOf } from '../../support/api.ts'
import { addWebhook } from '../../support/webhooks/rows.ts'
import { NOW } from '../support/account-world.ts'
import { fillBank, listJob } from '../support/listed-job.ts'
import { useApi } from '../support/started.ts'
import { addSession } from '../support/work-rows.ts'

const WALLET = `0x${'b2'.repeat(20)}`
const WRAPPER = `0x${'7'.repeat(40)}`
const HOUR = 3_600_000
const at = (instant: number): string => new Date(instant).toISOString()
const usdc = (raw: string, display: string) => ({ asset: 'USDC', raw, decimals: 6, display })

const BLOCKED: StoppedRun = {
  ...{ workflowId: 'verify/held', type: 'verifierRun', isFailing: false, sessionId: 'held', jobId: 'job-held' },
  deadline: at(NOW + 5 * HOUR),
}
const FAILING: StoppedRun = {
  ...{ workflowId: 'claim/lost', type: 'claimSession', isFailing: true, sessionId: undefined, jobId: undefined, deadline: undefined },
}
let stopped: () => Promise<StoppedRun[]> = async () => [BLOCKED, FAILING]

const api = useApi({
  now: NOW,
  settings: { OPERATOR_KEY: `0x${'11'.repeat(32)}` },
  handlers: (common) => {
    const xcm = { wrapper: { address: WRAPPER } } as never
    const chain = { ...testChain, contracts: { ...testChain.contracts, xcm } }
    const deps = { ...common, chain, engine: { listStoppedRuns: () => stopped() } } as unknown as ApiDeps
    return { listQueue: (input: never) => createQueue(deps, createHealthReader(common))(input) }
  },
})

const addDispute = async (jobId: string, changes: Partial<DisputeRecord>, decision: Partial<RoundDecision> | null = null) => {
  const { database } = api.deps
  const id = await addSession(database, WALLET, jobId, NOW - 9 * HOUR, {
    ...{ status: 'disputed', chainState: 'submitted', submittedAt: NOW - 8 * HOUR, disputedAt: NOW - 7 * HOUR },
    jobSnapshot: { specDefinition: { title: `The job ${jobId}` } },
    evidence: { verifierMode: 'human_fallback', assetDecimals: 6, gasRetainedRaw: '0' },
  })
  const dispute = aDispute({ disputeId: disputeId(id), sessionId: id, jobId, claimant: WALLET, ...changes })
  await database.rows.insertInto('dispute').values(dispute).execute()
  if (decision !== null)
    await database.rows
      .insertInto('dispute_verdict')
      .values({ ...aDecision(decision), disputeId: dispute.disputeId })
      .execute()
  return dispute.disputeId
}
const opened = (openedAt: number) => ({ openedAt, deadlineAt: arbitrationEndsAt(openedAt), updatedAt: openedAt })
const PREPARATION = { preparationId: 'p', preparedAt: at(NOW), transaction: {} } as never

const addWaiting = async (): Promise<void> => {
  const { rows } = api.deps.database
  await addDispute('reviewed', { ...opened(NOW - 3 * HOUR), stage: 'review', origin: 'review', reasonCode: 'HUMAN_REVIEW' })
  await addDispute('proven', { ...opened(NOW - 2 * HOUR), stage: 'review', origin: 'review', isProofGated: true, reasonCode: 'PROOF' })
  await addDispute('argued', { ...opened(NOW - 4 * HOUR), origin: 'operator', remainingRaw: 2_000_000n })
  await addDispute('fought', { ...opened(NOW - HOUR), origin: 'participant' })
  const unsigned = { preparation: PREPARATION, decidedAt: NOW - HOUR }
  await addDispute('unsigned', { ...opened(NOW - 5 * HOUR), arbitrator: null }, unsigned)
  // These wait for the chain, or for nothing.
  await addDispute('sent', { ...opened(NOW - 6 * HOUR) }, {})
  await addDispute('ended', { ...opened(NOW - 6 * HOUR), status: 'resolved' })
  const diverged = { status: 'chain_state_diverged', chainStateDivergedAt: NOW - HOUR, jobSnapshot: { specDefinition: { title: 'Lost' } } }
  await addSession(api.deps.database, WALLET, 'lost', NOW - 9 * HOUR, diverged)
  await addSession(api.deps.database, WALLET, 'settled', NOW - 9 * HOUR, { ...diverged, operatorClose: { by: '0x', note: 'x' } as never })
  const outcome = {
    ...{ wrapper: WRAPPER, status: 'succeeded' as const, settledAssetsRaw: 70n, settledSharesRaw: 70n, remoteRef: '0x', failureCode: '0x' },
    ...{ source: 'balance_watch', observedAt: NOW, recordedAt: NOW },
  }
  await rows
    .insertInto('cross_chain_outcome')
    .values([
      { ...outcome, requestId: '0x01', exhaustedAt: NOW - HOUR, lastFailure: 'NotSettler', failedTry: 5 },
      { ...outcome, requestId: '0x02' },
    ])
    .execute()
  await rows
    .insertInto('cross_chain_watch')
    .values({
      ...{ wrapper: WRAPPER, requestId: '0x03', expectedRaw: 30n, unclearReason: 'no_least_output' },
      ...{ startedAt: NOW - HOUR, endsAt: NOW },
    })
    .execute()
  await addWebhook(rows, WALLET, 'https://agent.example/hook/secret', {
    ...{ state: 'paused', pauseReason: 'failed_for_24_hours', failingSince: NOW - 30 * HOUR },
  })
  await addWebhook(rows, WALLET, 'https://agent.example/own', { state: 'paused', pauseReason: 'paused_by_owner' })
  const source = { isPaused: false, isDry: false, everySeconds: 900, activeSince: NOW - 9 * HOUR, lastSuccessAt: NOW - 8 * HOUR }
  await rows
    .insertInto('ingest_source')
    .values({ provider: 'github', ...source })
    .execute()
  await rows
    .insertInto('lane_state')
    .values({ lane: 'liveness', paused: true, reason: 'A test.', by: WALLET, at: NOW - HOUR })
    .execute()
  await listJob(api.deps.database, 'weekly', { recurring: true, schedule: { cron: '0 0 * * 1' } })
  await rows.updateTable('job').set({ lifecycleStatus: 'paused' }).where('id', '=', 'weekly').execute()
  await rows
    .insertInto('recurring_template')
    .values({
      ...{ templateId: 'weekly', createdAt: NOW, runs: 1, spentRaw: 1n, decidedUntil: NOW },
      ...{ pausedAt: NOW - HOUR, pauseReason: 'recurring_reserve_exhausted: the reserve does not pay another job.' },
    })
    .execute()
}

const tokens: Record<string, string> = {}
beforeAll(async () => {
  await fillBank(api.deps.database)
  await addWaiting()
  for (const name of ['admin', 'verifier', 'arbitrator', 'worker'] as const) tokens[name] = await tokenOf(api, accounts[name])
})

type Row = Record<string, unknown> & { kind: string; id: string; deadline: string | null }
const read = (query = '', token = tokens.admin): Promise<Reply> => api.call(`/queue${query}`, { token })
const rowsOf = async (query = '', token = tokens.admin): Promise<Row[]> => {
  const { status, body } = await read(query, token)
  expect([status, body.code]).toEqual([200, undefined])
  return body.items
}
const idOf = (jobId: string): string => disputeId(sessionId(jobId, WALLET))
const namesOf = (rows: readonly Row[]): string[] => rows.map(({ kind, id }) => `${kind} ${id}`)

/** Everything that waits, in its order. The alarms follow from the records. */
const WITH_DEADLINE = [
  `review ${idOf('proven')}`,
  `blocked ${BLOCKED.workflowId}`,
  `signature ${idOf('unsigned')}`,
  `dispute ${idOf('argued')}`,
  `review ${idOf('reviewed')}`,
  `dispute ${idOf('fought')}`,
]

describe('the queue of an admin', () => {
  test('has every kind, soonest deadline first, without a deadline last', async () => {
    const rows = await rowsOf()
    expect(namesOf(rows).slice(0, WITH_DEADLINE.length)).toEqual(WITH_DEADLINE)
    const rest = rows.slice(WITH_DEADLINE.length)
    expect(rest.map(({ deadline }) => deadline)).toEqual(rest.map(() => null))
    expect(namesOf(rest).filter((name) => !name.startsWith('alarm'))).toEqual([
      ...['request 0x01', 'request 0x03', `blocked ${FAILING.workflowId}`, `diverged ${sessionId('lost', WALLET)}`, 'source github'],
      ...[expect.stringMatching(/^webhook wh_/), 'lane liveness', 'template weekly'],
    ])
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(QUEUE_KINDS))
  })

  test.each<[string, object]>([
    [
      'reviewed',
      {
        ...{ kind: 'review', title: 'The job reviewed', jobId: 'reviewed', reason: 'HUMAN_REVIEW', since: at(NOW - 3 * HOUR) },
        ...{ deadline: at(arbitrationEndsAt(NOW - 3 * HOUR)), atStake: usdc('1250000', '1.25') },
        byDefault: { code: 'split_half', text: 'the worker gets half of the reward and its bond back' },
        decidedBy: { operation: 'decideReview', role: 'verifier' },
      },
    ],
    ['proven', { kind: 'review', deadline: at(NOW - 2 * HOUR), byDefault: expect.objectContaining({ code: 'split_unit' }) }],
    [
      'argued',
      {
        // The service splits a quarter of an hour ahead of the contract.
        ...{ kind: 'dispute', deadline: at(arbitrationEndsAt(NOW - 4 * HOUR) - HOUR / 4), atStake: usdc('2250000', '2.25') },
        ...{ byDefault: expect.objectContaining({ code: 'split_half' }), decidedBy: { operation: 'decideDispute', role: 'arbitrator' } },
      },
    ],
    [
      'fought',
      {
        ...{ kind: 'dispute', deadline: at(arbitrationEndsAt(NOW - HOUR)) },
        byDefault: { code: 'contract_timeout', text: 'the contract pays half of the reward and slashes the bond' },
      },
    ],
    [
      'unsigned',
      {
        ...{ kind: 'signature', reason: 'DISPUTE_OVERTURNED', since: at(NOW - HOUR), deadline: at(arbitrationEndsAt(NOW - 5 * HOUR)) },
        ...{ byDefault: expect.objectContaining({ code: 'contract_timeout' }), sessionId: sessionId('unsigned', WALLET) },
      },
    ],
  ])('says of the dispute of %s until when it waits, for what money, and what happens by itself', async (jobId, row) => {
    expect((await rowsOf()).find(({ id }) => id === idOf(jobId))).toMatchObject(row)
  })

  test('says of every other kind why it waits, since when, and who decides', async () => {
    const rows = await rowsOf()
    const NONE = { deadline: null, byDefault: null }
    const admin = (operation: string) => ({ operation, role: 'admin' })
    for (const row of [
      { ...NONE, id: '0x01', reason: 'NotSettler', atStake: usdc('70', '0.00007'), decidedBy: admin('finalizeXcmRequest') },
      { ...NONE, id: '0x03', reason: 'no_least_output', atStake: usdc('30', '0.00003'), decidedBy: admin('observeXcmRequest') },
      { id: 'verify/held', reason: 'step_refused', deadline: BLOCKED.deadline, sessionId: 'held', jobId: 'job-held', decidedBy: null },
      { ...NONE, id: 'claim/lost', reason: 'workflow_failing', decidedBy: null },
      { ...NONE, kind: 'diverged', reason: 'chain_state_diverged', title: 'Lost', atStake: usdc('2000000', '2'), since: at(NOW - HOUR) },
      { ...NONE, id: 'github', reason: 'source_silent', provider: 'github', since: at(NOW - 8 * HOUR), decidedBy: admin('steerSource') },
      { ...NONE, kind: 'webhook', reason: 'failed_for_24_hours', since: at(NOW - 30 * HOUR), atStake: null, decidedBy: null },
      { ...NONE, id: 'liveness', reason: 'lane_paused', decidedBy: admin('setLaneState') },
      { ...NONE, id: 'weekly', reason: 'recurring_reserve_exhausted', jobId: 'weekly', decidedBy: admin('resumeTemplate') },
      { ...NONE, kind: 'alarm', id: 'sessions_diverged', reason: 'sessions_diverged', since: null },
    ])
      expect(rows).toContainEqual(expect.objectContaining(row))
    expect(JSON.stringify(rows)).not.toMatch(/agent\.example|secret/)
  })

  test('has in alarms what GET /health warns of, but for information', async () => {
    const { warnings } = (await api.call('/health')).body
    const loud = warnings.filter(({ severity }: { severity: string }) => severity !== 'info').map(({ code }: { code: string }) => code)
    expect((await rowsOf('?kind=alarm')).map(({ id }) => id)).toEqual(loud.toSorted())
  })

  test('counts every kind and adds up its money, whatever the filter', async () => {
    const { summary } = (await read()).body
    const alarms = (await rowsOf('?kind=alarm')).length
    expect(summary).toEqual({
      kinds: [...QUEUE_KINDS],
      counts: {
        ...{ review: 2, dispute: 2, signature: 1, request: 2, blocked: 2, diverged: 1, alarm: alarms },
        ...{ source: 1, webhook: 1, lane: 1, template: 1 },
      },
      atStake: usdc('9250100', '9.2501'),
      unreadable: [],
    })
    expect((await read('?kind=lane')).body.summary).toEqual(summary)
  })

  test.each([1, 2, 3, 5, 50])('is read in pages of %i without a gap and without a repeat', async (limit) => {
    const all = namesOf(await rowsOf('?limit=200'))
    const found: string[] = []
    for (let cursor = ''; found.length <= all.length; ) {
      const { body } = await read(`?limit=${limit}${cursor}`)
      expect(body.items.length).toBeLessThanOrEqual(limit)
      found.push(...namesOf(body.items))
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    expect(found).toEqual(all)
  })

  test('that has disputes with one deadline is read without a gap, too', async () => {
    const { rows } = api.deps.database
    const ids = [idOf('reviewed'), idOf('fought'), idOf('unsigned')]
    const before = await rows.selectFrom('dispute').select(['disputeId', 'deadlineAt']).where('disputeId', 'in', ids).execute()
    await rows
      .updateTable('dispute')
      .set({ deadlineAt: NOW + HOUR })
      .where('disputeId', 'in', ids)
      .execute()
    const all = namesOf(await rowsOf('?limit=200'))
    const first = await read('?limit=2')
    const found = namesOf(first.body.items)
    for (let next = first.body.nextCursor; next !== null && found.length <= all.length; ) {
      const { body } = await read(`?limit=1&cursor=${next}`)
      found.push(...namesOf(body.items))
      next = body.nextCursor
    }
    for (const { disputeId: id, deadlineAt } of before)
      await rows.updateTable('dispute').set({ deadlineAt }).where('disputeId', '=', id).execute()
    expect(found).toEqual(all)
  })
})

describe('the queue of another role', () => {
  test.each([
    ['verifier', ['review']],
    ['arbitrator', ['dispute', 'signature']],
  ])('of a %s has only %j', async (name, kinds) => {
    const { body } = await read('', tokens[name])
    expect([...new Set(body.items.map(({ kind }: Row) => kind))].toSorted()).toEqual(kinds)
    expect([body.summary.kinds, Object.keys(body.summary.counts)]).toEqual([kinds, kinds])
    const refused = await read('?kind=alarm', tokens[name])
    expect([refused.status, refused.body.code]).toEqual([403, 'missing_role'])
  })

  test('is refused for a wallet without one', async () => {
    const { status, body } = await read('', tokens.worker)
    expect([status, body.code]).toEqual([403, 'missing_role'])
  })

  test('takes no cursor of the queue of an admin', async () => {
    const { nextCursor } = (await read('?limit=1')).body
    const { status, body } = await read(`?limit=1&cursor=${nextCursor}`, tokens.verifier)
    expect([status, body.errors[0].pointer]).toEqual([400, 'query/cursor'])
  })
})

describe('a source that does not answer', () => {
  test('hides its own kind alone', async () => {
    const before = namesOf(await rowsOf('?limit=200')).filter((name) => !name.startsWith('blocked'))
    const answer = stopped
    stopped = async () => {
      throw new Error('the engine is away')
    }
    const { body } = await read('?limit=200')
    stopped = answer
    expect(namesOf(body.items)).toEqual(before)
    expect(body.summary.unreadable).toEqual(['blocked'])
    expect(body.summary.counts).not.toHaveProperty('blocked')
    expect((await read()).body.summary.unreadable).toEqual([])
  })
})

describe('a query of the queue', () => {
  test.each([
    'kind=claims',
    'kind=',
    'kind=review&kind=alarm',
    'limit=0',
    'limit=201',
    "limit=1'",
    'cursor=x',
    `cursor=${'a'.repeat(2_001)}`,
  ])('with %s is refused', async (query) => {
    const { status, body } = await read(`?${query}`)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
    expect(body.errors[0].pointer).toMatch(/^query\/(kind|limit|cursor)$/)
  })
})
