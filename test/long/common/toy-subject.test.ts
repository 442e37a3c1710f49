// What a new subject costs: it is added to a copy of the source tree, which is checked as every commit is. On a whole stack of the copy it answers, an
// event of the chain wakes it, and its loop runs, though no list of the service names it. The gate leaves the types of the tests out: `npm run subjects`
// checks the copy whole.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { files, ROOT } from '../../repository/files.ts'
import { copyWithToy } from '../../repository/toy-copy.ts'
import { PLAYS_ALL } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'

const { root, written } = copyWithToy()
const dir = join(root, '.local')
let stack: ChildProcess

const run = (command: string, ...args: string[]): string => {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: root, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
  return status === 0 ? 'passed' : `${stdout}${stderr}`
}

beforeAll(() => {
  expect(run('biome', 'check', '--write', ...written)).toBe('passed')
  // It starts while the copy is checked.
  stack = spawn(process.execPath, ['test/stack-process.ts', dir, '{}'], { cwd: root, stdio: 'ignore' })
})
afterAll(async () => {
  const ended = stack.exitCode === null ? once(stack, 'exit') : undefined
  stack.kill('SIGTERM')
  await ended
  rmSync(root, { recursive: true })
})

const portOf = (name: 'api' | 'temporal'): number => JSON.parse(readFileSync(join(dir, 'ports.json'), 'utf8'))[name]

test('a subject with an operation, a workflow, a loop and an event of the chain changes three files outside its folders', () => {
  const changed = files().filter((path) => !readFileSync(join(ROOT, path)).equals(readFileSync(join(root, path))))
  expect(changed).toEqual(['docs/architecture.md', 'schemas/subjects.ts', 'workflows/index.ts'])
})

/** The check of every commit, without the files and the tests that a new subject leaves as they are. */
const QUICK_CHECK: readonly (readonly [string, ...string[]])[] = [
  [process.execPath, 'client/generate/main.ts'],
  ['biome', 'ci', ...written],
  [process.execPath, 'test/repository/directions.ts'],
  ['knip', '--no-config-hints'],
  ['tsc', '--project', 'tsconfig.product.json'],
]
const CHECK: typeof QUICK_CHECK = PLAYS_ALL ? [['npm', 'run', 'check']] : QUICK_CHECK

test('the copy passes the check of every commit', () => {
  const { exclude, ...product } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  writeFileSync(join(root, 'tsconfig.product.json'), JSON.stringify({ ...product, exclude: [...exclude, 'test'] }))
  for (const [command, ...given] of CHECK) expect([command, run(command, ...given)]).toEqual([command, 'passed'])
}, 600_000)

test('a new subject answers its operation, is woken by its event, and loops', async () => {
  const answer = async () => {
    if (!existsSync(join(dir, 'ports.json'))) return null
    const reply = await fetch(`http://127.0.0.1:${portOf('api')}/toy`).catch(() => null)
    return reply?.status === 200 ? ((await reply.json()) as { running: boolean }) : null
  }
  await eventually('an event of the chain has started the toy', async () => (await answer())?.running)
  const connection = await Connection.connect({ address: `127.0.0.1:${portOf('temporal')}` })
  const toy = new Client({ connection }).workflow.getHandle('toy/all')
  const progress = () => toy.query<{ seen: number; ticks: number }, []>('toyProgress')
  await eventually('the loop has ticked twice, and an event was counted', async () => {
    const { seen, ticks } = await progress()
    return ticks > 1 && seen > 0
  })
  await connection.close()
})

test('the check of directions covers the module of a new subject', () => {
  const path = join(root, 'workers/toys/subject.ts')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, `import type {} from '../../activities/pool/records.ts'\n${text}`)
  expect(run(process.execPath, 'test/repository/directions.ts')).toContain('workers/toys/subject.ts → activities/pool/records.ts')
})
