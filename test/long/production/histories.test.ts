// What an operator may turn on for the histories of the engine: one trace for all that a request leads to, and encrypted payloads.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import { claim, createJob, encode, fundedAgent, GOOD_WORK, leaves } from '../../e2e/support/jobs.ts'
import { eventually } from '../../support/eventually.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'
import { startCollector } from './support/collector.ts'
import { runVersions } from './support/versions.ts'

const keyOf = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`
const FIRST = keyOf('first')
const SECOND = keyOf('second')

let world: FleetWorld
let collector: Awaited<ReturnType<typeof startCollector>>
let connection: Connection
beforeAll(async () => {
  collector = await startCollector()
  world = await openFleet({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, PAYLOAD_KEYS: FIRST } })
  connection = await Connection.connect({ address: world.temporalAddress })
})
afterAll(async () => {
  await connection?.close()
  await world?.close()
  collector?.close()
})

/** What a claim leads to; a span is sent when it has ended. */
const PARTS = [
  'POST /jobs/claim',
  'transaction claimJobFor',
  'RunActivity:claimJob',
  'transaction resolveSinglePayout',
  'RunActivity:settleApproval',
]

test('one trace has the request of a claim, its workflow, its steps and its transactions, through the engine', async () => {
  const agent = await fundedAgent(world)
  const jobId = await createJob(world)
  const traceId = randomBytes(16).toString('hex')
  const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-00` }
  const { body } = await agent.call('/jobs/claim', { body: { jobId }, headers })
  await agent.post('/jobs/submit', { sessionId: body.sessionId, submission: GOOD_WORK })
  const spans = await eventually(
    'the spans of the claim',
    () => collector.spansOf(traceId),
    (found) => PARTS.every((part) => found.some(({ name }) => name === part)),
  )
  const named = (name: string) => spans.filter((span) => span.name.startsWith(name))
  const [request, call] = [named('POST /jobs/claim')[0], named('UpdateWithStartWorkflow')[0]]
  expect([request?.service, call?.service, call?.parentSpanId]).toEqual(['agent-work-api', 'agent-work-api', request?.spanId])
  const step = named('RunActivity:claimJob')[0]
  expect([step?.service, step?.parentSpanId, step?.attributes.temporalWorkflowId]).toEqual([
    'agent-work-worker',
    call?.spanId,
    claimWorkflowId(jobId),
  ])
  const claimed = named('transaction claimJobFor')[0]
  expect(claimed?.parentSpanId).toBe(step?.spanId)
  const rows = await world.database.rows
    .selectFrom('chain_transaction')
    .select(['functionName', 'txHash'])
    .where('jobId', '=', jobId)
    .execute()
  expect(
    named('transaction ')
      .map(({ name, attributes }) => [name.split(' ')[1], attributes['transaction.hash']])
      .sort(),
  ).toEqual(
    rows
      .filter(({ functionName }) => functionName !== 'submitWorkFor')
      .map(({ functionName, txHash }) => [functionName, txHash])
      .sort(),
  )
})

/** Encodings of all payloads below a value. */
const encodingsOf = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  const { metadata } = value as { metadata?: Record<string, Uint8Array> }
  if (metadata?.encoding instanceof Uint8Array) return [Buffer.from(metadata.encoding).toString()]
  return Object.entries(value).flatMap(([name, member]) => (name === 'header' || name === 'searchAttributes' ? [] : encodingsOf(member)))
}

test('payloads are encrypted with the newest key, and processes of before a rotation go on', async () => {
  const agent = await fundedAgent(world)
  const { sessionId, jobId } = await claim(agent, await createJob(world))
  const { workflow } = new Client({ connection })
  const raw = await workflow.getHandle(claimWorkflowId(jobId)).fetchHistory()
  expect(new Set(encodingsOf(raw))).toEqual(new Set(['binary/encrypted']))

  const engine = { TEMPORAL_ADDRESS: world.temporalAddress }
  expect(await runVersions({ ...engine, PAYLOAD_KEYS: FIRST }, 'check')).toMatchObject({ code: 0 })
  const blind = await runVersions(engine, 'check')
  expect(blind).toMatchObject({ code: 1, text: 'bad settings: PAYLOAD_KEYS: has no key "first", which encrypted a payload\n' })

  const rotated = { env: { PAYLOAD_KEYS: `${SECOND},${FIRST}` } }
  for (const member of [...world.apis, ...world.workers]) {
    await member.stop()
    await member.start(rotated)
  }
  await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
  expect(await leaves(agent, sessionId, 'submitted')).toMatchObject({ status: 'resolved' })
  const history = await workflow.getHandle(claimWorkflowId(jobId)).fetchHistory()
  const text = JSON.stringify(history.events?.map((event) => encodingsOf(event)))
  expect(text).not.toContain('json/plain')
  expect((await world.expectCall(200, `/badges/${encode(sessionId)}`)).external_url).toContain(encode(sessionId))
})
