import { createHash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { flattenedVerify, importJWK } from 'jose'
import { startStanding } from '../../../activities/temporal/standing.ts'
import { sessionLogWorkflowId } from '../../../schemas/session-log/process.ts'
import { subject as sessionLog } from '../../../workers/session-log/subject.ts'
import type { Reply } from '../../e2e/support/http.ts'
import { claim, createJob, encode, fundedAgent, leaves, solved } from '../../e2e/support/jobs.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { actAt, serviceNow } from '../../e2e/support/time.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { eventually } from '../../support/eventually.ts'

const world = useWorld()
const engine = useTemporalClient(world)
const DAY = 86_400_000

/** RFC 8785 of plain JSON, apart from the code of the service. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
const sha256 = (value: unknown): string => `0x${createHash('sha256').update(canonical(value)).digest('hex')}`

const heads = async (): Promise<Reply['body'][]> => (await world().admin.get('/log/heads')).heads
const headOf = async (day: string) => (await heads()).find((head) => head.day === day)
const entriesOf = async (day: string): Promise<{ hash: string; previousHash: string | null }[]> => {
  const found: { hash: string; previousHash: string | null }[] = []
  for (let cursor = ''; ; ) {
    const page: Reply['body'] = await world().admin.get(`/log/heads/${day}/entries?limit=2${cursor}`)
    found.push(...page.entries.map(({ hash, previousHash }: Reply['body']) => ({ hash, previousHash })))
    if (page.nextCursor === null) return found
    cursor = `&cursor=${encode(page.nextCursor)}`
  }
}

/** Starts the process of the log again. It closes a day at its start, and this waits until it has. */
const closeAtRestart = async (): Promise<void> => {
  const { chain } = world()
  const log = engine.workflow.getHandle(sessionLogWorkflowId(chain.chainId))
  await log.terminate('started again in this test')
  await startStanding(engine, sessionLog.standing(chain))
  const isClosed = async () => (await log.fetchHistory()).events?.some((event) => event.activityTaskCompletedEventAttributes)
  await eventually('the process has closed a day', isClosed)
}

test('the log of a day is closed after midnight UTC and not before; a stranger checks a history with the signed head alone', async () => {
  const agent = await fundedAgent(world())
  const jobId = await createJob(world())
  const { sessionId } = await claim(agent, jobId)
  await agent.post('/jobs/submit', { sessionId, submission: await solved(agent, jobId) })
  await leaves(agent, sessionId, 'submitted')
  const midnight = (Math.floor(serviceNow(world()) / DAY) + 1) * DAY
  const day = new Date(midnight - DAY).toISOString().slice(0, 10)
  const read = async () => {
    await world().admin.signInAgain()
    return headOf(day)
  }
  const readAfterRestart = () => closeAtRestart().then(read)
  expect(await actAt(world(), midnight - 1, readAfterRestart)).toBeUndefined()
  await agent.signInAgain()
  const head = await eventually('the day has a head', read)
  expect(head).toMatchObject({ schemaVersion: 'service.session-log-head.v1', day })
  expect(Date.parse(head.sealedAt)).toBeGreaterThanOrEqual(midnight)
  // The list is the one that the head signs.
  const entries = await entriesOf(day)
  expect([head.entryCount, head.entriesHash]).toEqual([entries.length, sha256(entries)])
  const before = (await heads())[1]
  expect(head.previous).toBe(before === undefined ? null : sha256(before))
  const { keys } = await agent.get('/.well-known/jwks.json')
  const { signature, ...content } = head
  const [header, , sig] = signature.sig.split('.')
  const key = await importJWK(keys.find(({ kid }: { kid: string }) => kid === signature.kid))
  await flattenedVerify({ protected: header, payload: Buffer.from(canonical(content)).toString('base64url'), signature: sig }, key)
  // Every entry of the history is in the list.
  const { log, state } = await agent.get(`/session/timeline?sessionId=${encode(sessionId)}`)
  expect(log.map(({ to }: { to: string }) => to)).toEqual(['claimed', 'submitted', 'resolved'])
  expect(log.every(({ hash }: { hash: string }) => entries.some((entry) => entry.hash === hash))).toBe(true)
  expect(state).toMatchObject({ seq: 3, status: 'resolved' })
})

test('a timeline can be read as of any entry, and no further', async () => {
  const agent = await fundedAgent(world())
  const jobId = await createJob(world())
  const { sessionId } = await claim(agent, jobId)
  await agent.post('/jobs/submit', { sessionId, submission: await solved(agent, jobId) })
  await leaves(agent, sessionId, 'submitted')
  const path = `/session/timeline?sessionId=${encode(sessionId)}`
  const whole = await agent.get(path)
  const second = await agent.get(`${path}&at=2`)
  expect(second.state).toMatchObject({ seq: 2, status: 'submitted', statusTimes: [{ status: 'claimed' }, { status: 'submitted' }] })
  expect(second.log).toEqual(whole.log.slice(0, 2))
  expect(second.timeline).toEqual(whole.timeline.slice(0, second.timeline.length))
  expect(second.timeline.some(({ topic }: { topic: string }) => topic === 'session.resolved')).toBe(false)
  expect(await agent.get(`${path}&at=4`, 404)).toMatchObject({ code: 'session_entry_not_found', details: { entries: 3 } })
  for (const wrong of ['0', '-1', '1.5', 'x'])
    expect(await agent.get(`${path}&at=${wrong}`, 400)).toMatchObject({ code: 'invalid_request' })
  expect(await agent.get('/log/heads/2020-01-01/entries', 404)).toMatchObject({ code: 'log_head_not_found' })
  expect(await agent.get('/log/heads/2020-13-01/entries', 400)).toMatchObject({ code: 'invalid_request' })
})
