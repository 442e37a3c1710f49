// Each tool of the registry, called well and badly, beside the same call over HTTP.
import { readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { operationList } from '../../../schemas/operations/registry.ts'
import type { Agent } from '../../e2e/support/http.ts'
import { createJob } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import {
  type Arguments,
  type Body,
  connectTools,
  type ListedTool,
  type ToolAnswer,
  type ToolClient,
} from '../../e2e/tools/support/clients.ts'
import { suggestedCall } from '../../e2e/tools/support/follow.ts'
import { httpCallOf } from '../../e2e/tools/support/http-call.ts'
import { openStage, ROWS, type Row, type Stage, type ToolName } from '../../e2e/tools/support/rows.ts'
import { createActionCheck, faultsOf } from '../../e2e/tools/support/schemas.ts'
import { ELSEWHERE } from '../../e2e/tools/support/situations.ts'

const world = useWorld()

const specs = new Map(operationList.flatMap((spec) => (spec.tool === undefined ? [] : [[spec.tool.name, spec] as const])))
/** Reads of one answer, which other suites may change in between. */
const ATTEMPTS = 25
/** Bytes of the longest answer that no call asked for in full, and of that about a claim. */
const LONGEST = 12_000
const ABOUT_A_CLAIM = 4_000
const CLAIM_TOOLS: readonly ToolName[] = ['preflightJob', 'claimJob', 'submitWork', 'resumeSession']
const ROW_BYTES = 400
/** Rows that are read page by page. */
const MOST_ROWS = 20
const rows = Object.entries(ROWS) as [ToolName, Row][]

/** The table of sizes in the documents. `RECORD_EXAMPLES=1` writes it anew. */
const SIZES = new URL('../../../docs/tool-sizes.md', import.meta.url)
/** A size of the document holds one up to twice as large and 2 kB: other suites of the stack leave rows behind. */
const mostOf = (written: number): number => 2 * written + 2_000
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
const rounded = (bytes: number): number => Math.ceil(bytes / 100) * 100
const limitOf = (name: ToolName): number => (CLAIM_TOOLS.includes(name) ? ABOUT_A_CLAIM : LONGEST)

/** Rows of the table: tool, bytes of its entry in the list, of its answer, of its answer in full, and the limit. */
const readSizes = (): (readonly [name: string, sizes: number[]])[] =>
  readFileSync(SIZES, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name, ...cells] = /^\| `(\w+)` +\| +(\d+) \| +(\d+) \| +(\d+|–) \| +(\d+) \|$/.exec(line) ?? []
      return name === undefined ? [] : [[name, cells.map(Number)] as const]
    })

const without = (body: Body, ...names: string[]): Body => Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

describe('every tool', () => {
  let stage: Stage
  let client: ToolClient
  let tools: Map<string, ListedTool>
  let actionFaults: ReturnType<typeof createActionCheck>
  /** Bytes of the entry, the answer and the answer in full. */
  const measured = new Map<ToolName, [number, number, number | null]>()

  beforeAll(async () => {
    stage = await openStage(world())
    client = await connectTools(world().base, { toolset: 'all' })
    tools = new Map((await client.listTools()).map((tool) => [tool.name, tool]))
    actionFaults = createActionCheck(tools, world().contract)
  })
  afterAll(() => client.close())

  const specOf = (name: string) => {
    const spec = specs.get(name)
    if (spec === undefined) throw new Error(`no operation is the tool ${name}`)
    return spec
  }

  /** The body is also the text, and its next actions can be called. */
  const assertReadable = ({ body, texts }: ToolAnswer): void => {
    expect(JSON.parse(texts[0] ?? '')).toEqual(body)
    expect(actionFaults(body.nextActions ?? [])).toEqual([])
  }

  /** What a tool and its operation answer while nothing changes. */
  const readTogether = async (name: string, as: Agent, sent: Arguments): Promise<[Body, Body]> => {
    const { path } = httpCallOf(specOf(name), sent)
    for (let attempt = 1; ; attempt += 1) {
      const [before, { body }, after] = [await as.get(path), await client.callTool(name, sent), await as.get(path)]
      if (isDeepStrictEqual(before, after) || attempt === ATTEMPTS) return [body, after]
    }
  }

  test('the registry, the list and this table have the same tools', () => {
    expect([...tools.keys()]).toEqual([...specs.keys()])
    expect(Object.keys(ROWS).sort()).toEqual([...specs.keys()].sort())
  })

  test.each(rows)('%s answers a good call, a read as its operation does', async (name, { good, moving = [] }) => {
    const { sent, as = stage.agent, meta } = await good(stage)
    expect(faultsOf(tools.get(name)?.inputSchema, sent)).toEqual([])
    client.useToken(as.token())
    const answer = await client.callTool(name, sent, meta && { meta })
    expect(answer.isError ? answer.body : null).toBeNull()
    assertReadable(answer)
    expect(Buffer.byteLength(answer.texts[0] ?? '')).toBeLessThanOrEqual(limitOf(name))
    measured.set(name, [bytesOf(tools.get(name)), bytesOf(answer.body), null])
    expect(faultsOf(tools.get(name)?.outputSchema, answer.body)).toEqual([])
    const { method, tool } = specOf(name)
    if (method !== 'GET') return
    const [byTool, byHttp] = await readTogether(name, as, { ...sent, ...(tool?.short !== undefined && { detail: 'full' }) })
    expect(without(byTool, 'nextActions', ...moving)).toEqual(without(byHttp, 'nextActions', ...moving))
    if (tool?.short !== undefined) measured.set(name, [bytesOf(tools.get(name)), bytesOf(answer.body), bytesOf(byTool)])
  })

  test('the table of sizes has every tool, its limit, and sizes that hold', () => {
    const found = [...measured].sort(([left], [right]) => (left < right ? -1 : 1))
    if (process.env.RECORD_EXAMPLES === '1') {
      const lines = found.map(
        ([name, [entry, short, full]]) =>
          `| \`${name}\` | ${rounded(entry)} | ${rounded(short)} | ${full === null ? '–' : rounded(full)} | ${limitOf(name)} |`,
      )
      const head = ['| tool | in the list | answer | in full | limit |', '| - | -: | -: | -: | -: |']
      const [intro = ''] = readFileSync(SIZES, 'utf8').split('\n| tool')
      writeFileSync(SIZES, `${[intro, ...head, ...lines].join('\n')}\n`)
    }
    const written = new Map(readSizes())
    expect([...written].map(([name, sizes]) => [name, sizes.at(-1)])).toEqual(found.map(([name]) => [name, limitOf(name)]))
    const beyond = found.filter(([name, sizes]) => sizes.some((bytes, place) => (bytes ?? 0) > mostOf(written.get(name)?.[place] ?? 0)))
    expect(beyond).toEqual([])
  })

  test.each(rows)('%s refuses a bad call as its operation does', async (name, { bad }) => {
    const sent = (await bad.sent?.(stage)) ?? {}
    const token = bad.anonymous ? undefined : stage.agent.token()
    client.useToken(token)
    const answer = await client.callTool(name, sent)
    expect({ isError: answer.isError, code: answer.body.code }).toEqual({ isError: true, code: bad.code })
    assertReadable(answer)
    expect(faultsOf(tools.get(name)?.outputSchema, answer.body)).toEqual([])
    const fitsSchema = faultsOf(tools.get(name)?.inputSchema, sent).length === 0
    expect(fitsSchema).toBe(bad.fitsSchema ?? bad.code !== 'invalid_request')
    if (bad.onlyTool !== undefined) return
    const { path, init } = httpCallOf(specOf(name), sent)
    const { body } = await world().call(path, { ...init, token })
    expect(without(answer.body, 'nextActions', 'requestId')).toEqual(without(body, 'nextActions', 'requestId'))
    expect(answer.body.nextActions).toHaveLength(body.nextActions.length)
  })

  test('a list that is too long for its reader comes in fewer rows, which the next actions complete', async () => {
    client.useToken(undefined)
    const whole = await world().expectCall(200, '/jobs?limit=100')
    const ids: string[] = []
    let answer = await client.callTool('listJobs', { detail: 'full', limit: 100 })
    for (;;) {
      expect(Buffer.byteLength(answer.texts[0] ?? '')).toBeLessThanOrEqual(LONGEST)
      if (ids.length === 0) expect(answer.texts[1]).toContain(`The answer has ${answer.body.limit} rows in place of 100`)
      ids.push(...answer.body.jobs.map(({ id }: { id: string }) => id))
      if (answer.body.nextCursor === null || ids.length >= MOST_ROWS) break
      answer = await client.callTool('listJobs', suggestedCall(answer.body, 'listJobs').arguments)
    }
    // Jobs that other suites list meanwhile stand before the first.
    const seen = whole.jobs.map(({ id }: { id: string }) => id)
    const from = seen.indexOf(ids[0])
    expect(ids.slice(0, MOST_ROWS)).toEqual(seen.slice(from, from + Math.min(ids.length, MOST_ROWS)))
  })

  test('a list of 25 jobs is one answer of short rows', async () => {
    for (let job = 0; job < 25; job += 1) await createJob(world())
    client.useToken(stage.agent.token())
    const { body, texts } = await client.callTool('listJobs', { limit: 25 })
    expect(body.jobs).toHaveLength(25)
    expect(Buffer.byteLength(texts[0] ?? '')).toBeLessThanOrEqual(LONGEST)
    for (const row of body.jobs) expect([row.id, Buffer.byteLength(JSON.stringify(row)) <= ROW_BYTES]).toEqual([row.id, true])
  })

  test('what a short answer leaves out of a session or preflight, the same call tells in full, and a resource leads on', async () => {
    const { agent, approved, openJob } = stage
    client.useToken(agent.token())
    const calls: [ToolName, Arguments, string][] = [
      ['resumeSession', { sessionId: approved.sessionId }, 'jobSnapshot'],
      ['preflightJob', { jobId: openJob }, 'submissionContract'],
      ['recommendJobs', { limit: 1 }, 'ranked'],
      ['listSessions', { limit: 1 }, 'version'],
    ]
    for (const [name, sent, dropped] of calls) {
      const [short, full] = [await client.callTool(name, sent), await client.callTool(name, { ...sent, detail: 'full' })]
      expect([name, JSON.stringify(short.body).includes(`"${dropped}"`), JSON.stringify(full.body).includes(`"${dropped}"`)]).toEqual([
        name,
        false,
        true,
      ])
      if (!name.startsWith('list') && name !== 'recommendJobs') expect(await client.readResource(short.links[0] ?? '')).toBeDefined()
    }
    const { isError, body } = await client.callTool('preflightJob', { jobId: openJob, detail: 'long' })
    expect([isError, body.errors[0]]).toEqual([
      true,
      { pointer: '/detail', rule: 'enum', limit: 'short, full', message: 'must be one of short, full' },
    ])
  })

  test.each(Object.entries(ELSEWHERE))('the next actions of %s are calls that can be made', async (_situation, prepare) => {
    const { tool, sent, as, next } = await prepare(stage)
    client.useToken(as.token())
    const answer = await client.callTool(tool, sent)
    assertReadable(answer)
    expect(Buffer.byteLength(answer.texts[0] ?? '')).toBeLessThanOrEqual(
      CLAIM_TOOLS.some((name) => name === tool) ? ABOUT_A_CLAIM : LONGEST,
    )
    expect((answer.body.nextActions ?? []).map((action) => action.tool ?? action.kind)).toEqual(next)
  })
})
