// The commands of operators on a running stack, by the wallet of an admin and by a wallet without a role.
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createJob } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { type CommandLine, createCommandLine } from './command-line.ts'

const world = useWorld()
const PASSPHRASE = `pass ${randomBytes(8).toString('hex')}`

let operator: CommandLine
let other: CommandLine

beforeAll(async () => {
  operator = createCommandLine(world().base, PASSPHRASE)
  const file = join(operator.home, 'raw')
  writeFileSync(file, world().info.keys.admin, { mode: 0o600 })
  await operator.done('login', '--key-file', file)
  other = createCommandLine(world().base, PASSPHRASE)
  await other.done('login')
})
afterAll(() => {
  for (const { home } of [operator, other]) rmSync(home, { recursive: true, force: true })
})

describe('an operator at the command line', () => {
  test('fires, pauses and resumes a recurring template', async () => {
    const id = await createJob(world(), { recurring: true, schedule: { cron: '0 0 1 1 *' } })
    const job = await operator.json('admin', 'template', id, 'fire')
    expect((await operator.done('admin', 'jobs', '--limit', '1000')).out).toContain(job.id)
    expect(await operator.json('admin', 'template', id, 'pause', '--reason', 'It is rewritten.')).toMatchObject({
      ...{ state: 'paused', reason: 'It is rewritten.', runs: 1 },
    })
    expect(await operator.json('admin', 'template', id, 'resume')).toMatchObject({ state: 'active', reason: null })
  })

  test('reads sources and lanes, and sweeps the catalogue', async () => {
    expect((await operator.done('admin', 'sources')).out).toMatch(/^SOURCE +SCHEDULE[\s\S]*^wikipedia /m)
    const { lanes } = await operator.json('admin', 'lanes')
    expect(lanes).toHaveLength(3)
    expect((await operator.done('admin', 'sweep')).out).toMatch(/^Jobs +[0-9]+/)
  })
})

test.each([[['sources']], [['ingest', 'wikipedia']], [['template', 'any', 'pause']]])(
  'a wallet without a role is refused admin %j in plain words',
  async (words) => {
    expect(await other.fails('admin', ...words)).toMatchObject({ exit: 1, problem: { status: 403, code: 'missing_role' } })
    expect((await other.run(['admin', ...words])).error).toContain('This command is for operators.')
  },
)
