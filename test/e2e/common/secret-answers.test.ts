// What a deterministic job expects is in no place that a worker can read, until the job can no longer be claimed.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { checkRecord } from '../../../examples/verify-record/check.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import type { OperationSpec } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import type { Agent, Reply } from '../support/http.ts'
import { claim, createJob, encode, fundedAgent, leaves, newJob } from '../support/jobs.ts'
import { useTemporalClient } from '../support/temporal-client.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })
const engine = useTemporalClient(world)

const secret = (name: string): string => `${name}-${randomBytes(6).toString('hex')}`
const [ANSWER, FIRST, SECOND] = [secret('quince'), secret('medlar'), secret('sorrel')]
const SECRETS = [ANSWER, FIRST, SECOND]
const work = (output: string) => ({ summary: 'An answer.', output, status: 'complete' })

const oneOf = (changes: Partial<JobInputBody> = {}): Partial<JobInputBody> => ({
  title: secret('Answer'),
  description: secret('A question'),
  verifierMode: 'deterministic',
  verifierTerms: undefined,
  ...changes,
})
const EXACT = oneOf({ verifierConfig: { expectedOutputs: [ANSWER], matchMode: 'exact' } })
const ALL = oneOf({ verifierConfig: { expectedOutputs: [FIRST, SECOND], matchMode: 'contains_all' } })

/** Where a secret stands, of texts by their place. */
const foundIn = (texts: Iterable<readonly [string, string]>): string[] =>
  [...texts].flatMap(([place, text]) => SECRETS.filter((value) => text.toLowerCase().includes(value)).map((value) => `${place}: ${value}`))

describe('an expected output', () => {
  let agent: Agent
  let exact: string
  let all: string
  let sessions: string[]
  const seen: [string, string][] = []
  const note = (place: string, { status, text }: Reply): number => {
    seen.push([`${place} (${status})`, text])
    return status
  }

  beforeAll(async () => {
    exact = await createJob(world(), EXACT)
    all = await createJob(world(), ALL)
    agent = await fundedAgent(world())
    sessions = [(await claim(agent, exact)).sessionId, (await claim(agent, all)).sessionId]
  })

  /** Values of the members of a request about a job, its session and its worker. */
  const valuesFor = (jobId: string, sessionId: string, hash: string): Record<string, string> => {
    const wallet = agent.account.address
    return { jobId, sessionId, wallet, agent: wallet, address: wallet, hash, limit: '100' }
  }
  const filled = ({ params, query, examples }: OperationSpec, values: Record<string, string>) => {
    const fill = (shape: object = {}, given: Readonly<Record<string, string>> = {}) => {
      const own = Object.fromEntries(Object.keys(shape).flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))
      return { ...given, ...own }
    }
    return { params: fill(params?.shape, examples?.params), query: fill(query?.shape, examples?.query) }
  }
  const subjects = async (): Promise<Record<string, string>[]> =>
    Promise.all(
      [exact, all].map(async (jobId, place) => {
        const { rows } = world().database
        const content = await rows
          .selectFrom('content')
          .select('hash')
          .where(sql<boolean>`payload->>'id' = ${jobId}`)
          .executeTakeFirstOrThrow()
        return valuesFor(jobId, String(sessions[place]), content.hash)
      }),
    )

  test('is in no answer to a worker of any operation that reads', async () => {
    const reads = operationList.filter(({ method, streams, role }) => method === 'GET' && streams !== true && role !== 'admin')
    expect(reads.length).toBeGreaterThan(60)
    let good = 0
    for (const operation of reads)
      for (const values of await subjects()) {
        const { params, query } = filled(operation, values)
        const path = operation.path.replace(/:(\w+)/g, (_all, name) => encode(params[name] ?? values[name] ?? 'x'))
        const search = new URLSearchParams(query).toString()
        if (note(operation.id, await agent.call(search === '' ? path : `${path}?${search}`)) === 200) good += 1
      }
    expect(good).toBeGreaterThan(60)
    for (const format of ['full', 'compact'])
      note('listJobs', await agent.call(`/jobs?format=${format}&limit=100&verifierMode=deterministic`))
    expect(seen.some(([place, text]) => place.startsWith('listJobs') && text.includes(exact))).toBe(true)
  })

  test('is in no answer of a tool that reads, and in no resource', async () => {
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
    const send = async (method: string, params: object) => {
      const body = { jsonrpc: '2.0', id: 1, method, params }
      return agent.call('/mcp', { body, headers })
    }
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) note(method, await send(method, {}))
    const tools = operationList.filter(({ method, tool }) => tool !== undefined && (method === 'GET' || tool.readOnly === true))
    expect(tools.length).toBeGreaterThan(20)
    let answered = 0
    for (const operation of tools)
      for (const values of await subjects()) {
        const { params, query } = filled(operation, values)
        const validated = { jobId: values.jobId, submission: work(ANSWER.slice(0, -1)) }
        const reply = await send('tools/call', {
          name: operation.tool?.name,
          arguments: operation.method === 'GET' ? { ...params, ...query } : validated,
        })
        note(`tool ${operation.tool?.name}`, reply)
        if (reply.body.result?.isError !== true) answered += 1
      }
    expect(answered).toBeGreaterThan(30)
    for (const jobId of [exact, all]) note('resource', await send('resources/read', { uri: `service://jobs/${jobId}` }))
  })

  test('is in no refusal, and validation does not tell a right answer from a wrong one', async () => {
    const validate = (jobId: string, output: string) =>
      agent.call('/jobs/validate-submission', { body: { jobId, submission: work(output) } })
    const readValidation = async (jobId: string, output: string) => {
      const { body } = await validate(jobId, output)
      return [body.valid, body.submitSafe, body.warnings]
    }
    expect(await readValidation(exact, ANSWER)).toEqual(await readValidation(exact, 'none'))
    expect(await readValidation(all, `${FIRST}, ${SECOND}`)).toEqual(await readValidation(all, FIRST))
    note('validate', await validate(exact, `${ANSWER.slice(0, -1)}x`))
    const refused = (path: string, body: object) => agent.call(path, { body })
    for (const sessionId of sessions) {
      note('submit', await refused('/jobs/submit', { sessionId, submission: { output: 7 } }))
      note('run', await refused('/verifier/run', { sessionId, preview: true, evidence: work('none') }))
      note('replay', await refused('/verifier/replay', { sessionId }))
    }
    const { admin } = world()
    const again = { ...newJob(EXACT), id: exact }
    const repeated = await admin.call('/admin/jobs', { body: again })
    expect([repeated.status, repeated.body.details]).toEqual([409, { jobId: exact, sameDefinition: true }])
    const copied = await admin.call('/admin/jobs', { body: { ...again, id: `${exact}-r2` } })
    expect([copied.status, copied.body.errors[0].rule]).toEqual([400, 'values_of_another_job'])
    expect(JSON.stringify(copied.body)).not.toContain(exact)
    const misplaced = await admin.call('/admin/jobs', { body: { ...again, id: `${exact}-r3`, verifierMode: 'benchmark' } })
    expect(misplaced.status).toBe(400)
    for (const reply of [repeated, copied, misplaced]) note('refused listing', reply)
  })

  test('is found in none of these answers, and for an admin in the definition with archived jobs', async () => {
    expect(seen.length).toBeGreaterThan(200)
    expect(foundIn(seen)).toEqual([])
    const reads = [exact, all].map((jobId) => world().admin.call(`/jobs/definition?jobId=${jobId}&includeArchived=true`))
    const shown = (await Promise.all(reads)).map(({ text }) => ['admin', text] as const)
    expect(foundIn(shown)).toEqual(SECRETS.map((value) => `admin: ${value}`))
    expect(foundIn([['list', (await world().admin.call('/admin/jobs?limit=100')).text]])).toEqual([])
  })

  test('is in one table of the database alone, in no log and in no history of a workflow', async () => {
    const { rows } = world().database
    const { rows: tables } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(rows)
    const holding: string[] = []
    for (const { name } of tables) {
      const pattern = `%(${SECRETS.join('|')})%`
      const found = await sql`select 1 from ${sql.table(name)} t where lower(t::text) similar to ${pattern} limit 1`.execute(rows)
      if (found.rows.length > 0) holding.push(name)
    }
    expect(holding).toEqual(['job_answer'])
    const { logs } = world().info
    const logged = readdirSync(logs).map((name) => [name, readFileSync(join(logs, name), 'utf8')] as const)
    expect(logged.map(([name]) => name)).toEqual(expect.arrayContaining(['api.log', 'worker.log']))
    expect(foundIn(logged)).toEqual([])
    const histories = await Promise.all(
      [exact, all].map(async (jobId) => {
        const { events } = await engine.workflow.getHandle(`claim/${jobId}`).fetchHistory()
        const text = JSON.stringify(events, function (this: Record<string, unknown>, name, value) {
          const raw = this[name]
          return raw instanceof Uint8Array ? Buffer.from(raw).toString('utf8') : value
        })
        return [jobId, text] as const
      }),
    )
    for (const [jobId, text] of histories) expect(text).toContain(jobId)
    expect(foundIn(histories)).toEqual([])
  })

  test('is published beside the definition, outside its hash, once its job can no longer be claimed', async () => {
    const read = (jobId: string) => world().expectCall(200, `/jobs/definition?jobId=${jobId}`)
    const before = await read(exact)
    expect(before).not.toHaveProperty('expectedOutputs')
    await expect(
      checkRecord(before, { keySet: { keys: [] }, heads: [], chainId: null, now: Date.now(), unpublished: false }),
    ).rejects.toThrow(/once its job cannot be claimed/)
    const [sessionId = '', other = ''] = sessions
    await agent.post('/jobs/submit', { sessionId, submission: work(ANSWER.toUpperCase()) })
    expect(await leaves(agent, sessionId, 'submitted')).toMatchObject({ status: 'resolved' })
    const after = await read(exact)
    expect(after.provenance.specHash).toBe(before.provenance.specHash)
    expect(after.verifierConfig).toEqual(before.verifierConfig)
    expect(after.expectedOutputs.map(({ value }: { value: string }) => value)).toEqual([ANSWER])
    const report = await checkRecord(after, { keySet: { keys: [] }, heads: [], chainId: null, now: Date.now(), unpublished: false })
    expect(report.kind).toBe('job definition')

    expect(await read(all)).not.toHaveProperty('expectedOutputs')
    await agent.post('/jobs/submit', { sessionId: other, submission: work(SECOND) })
    expect(await leaves(agent, other, 'submitted')).toMatchObject({ status: 'rejected' })
    const { items } = await world().expectCall(200, `/verifier/result?sessionId=${encode(other)}`)
    expect(items.map(({ result }: { result: string }) => result)).toEqual(['unmet', 'met'])
    expect((await read(all)).expectedOutputs.map(({ value }: { value: string }) => value)).toEqual([FIRST, SECOND])
  })
})
