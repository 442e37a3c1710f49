import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import proto from '@temporalio/proto'
import { findNamespaceGaps, SEARCH_ATTRIBUTES } from '../../../activities/temporal/namespace.ts'
import { SEARCH, TASK_QUEUE } from '../../../schemas/processes.ts'
import { testChain } from '../../support/api.ts'
import { openDirectory } from '../../support/state-directory.ts'
import { connectToServer } from '../../workflows/support/server.ts'

let server: Awaited<ReturnType<typeof connectToServer>>
const directory = openDirectory('setup')
const chainFile = join(directory, 'chain.json')
beforeAll(async () => {
  server = await connectToServer()
  writeFileSync(chainFile, JSON.stringify(testChain))
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

const NAMES = Object.keys(SEARCH_ATTRIBUTES)
const connection = () => server.client.connection as Parameters<typeof findNamespaceGaps>[0]

const SCRIPT = fileURLToPath(new URL('../../../workers/setup.ts', import.meta.url))
const execute = promisify(execFile)

/** Runs the command; its exit code and lines. */
const setup = async (namespace: string, args: string[] = [], more: Record<string, string> = {}) => {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: namespace, ...more }
  const { code = 0, stdout, stderr } = await execute(process.execPath, [SCRIPT, 'temporal', ...args], { env }).catch((failure) => failure)
  return { code, lines: `${stdout}${stderr}`.trim().split('\n') }
}

describe('the command that fills a namespace', () => {
  test('creates what is missing, after which it is used at once; a check names it and changes nothing', async () => {
    const namespace = randomUUID()
    const checked = await setup(namespace, ['--check'])
    expect(checked.code).toBe(1)
    expect(checked.lines).toEqual([
      `namespace ${namespace}: missing`,
      ...NAMES.map((name) => `search attribute ${name} (${SEARCH_ATTRIBUTES[name]}): missing`),
    ])
    expect(await findNamespaceGaps(connection(), namespace)).toMatchObject({ isMissing: true })
    // Two at once are as good as one.
    const both = await Promise.all([setup(namespace), setup(namespace)])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const client = new Client({ connection: server.client.connection, namespace })
    const typedSearchAttributes = [{ key: SEARCH.jobId, value: 'a-job' }]
    await client.workflow.start('none', { taskQueue: TASK_QUEUE, workflowId: 'first', typedSearchAttributes })
    const { config } = await server.client.workflowService.describeNamespace({ namespace })
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(720 * 3_600)
    const again = await setup(namespace)
    expect(again).toMatchObject({
      code: 0,
      lines: ['schedules: not looked at, because CHAIN_FILE names no chain', `namespace ${namespace} has what the service needs`],
    })
    const whole = await setup(namespace, ['--check'], { CHAIN_FILE: chainFile })
    expect(whole.code).toBe(0)
    expect(whole.lines).toContain(`schedule audit/${testChain.chainId}: missing, the next worker that starts creates it`)
  })

  test('raises a retention that is too short, and refuses an attribute of another type', async () => {
    const namespace = randomUUID()
    const { workflowService, operatorService } = connection()
    await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(86_400_000) })
    const searchAttributes = { JobId: proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_INT }
    await operatorService.addSearchAttributes({ namespace, searchAttributes })
    const found = [
      'retention of 24 h, at least 720 h are needed: ',
      ...NAMES.slice(1).map((name) => `search attribute ${name} (${SEARCH_ATTRIBUTES[name]}): `),
    ]
    const mistyped = expect.stringMatching(/^search attribute JobId has the type int and must be Keyword: remove it/)
    for (const [args, word] of [
      [['--check'], 'missing'],
      [[], 'done'],
    ] as const) {
      const { code, lines } = await setup(namespace, [...args])
      expect([code, lines.slice(0, -1)]).toEqual([1, [...found.map((line) => line + word), mistyped]])
    }
    const left = { retentionHours: null, missing: [], mistyped: [{ name: 'JobId' }] }
    expect(await findNamespaceGaps(connection(), namespace)).toMatchObject(left)
  })

  test('ends with one line when nothing answers, and with its usage for anything else', async () => {
    const away = await setup('any', [], { TEMPORAL_ADDRESS: '127.0.0.1:1' })
    expect([away.code, away.lines.length]).toEqual([1, 1])
    expect((await setup('any', ['--force'])).lines[0]).toMatch(/^usage: npm run setup/)
  })
})
