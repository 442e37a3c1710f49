// A subject that no list of the service names runs on a whole stack: it answers, an event of the chain wakes it, and its loop runs.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { copyWithToy } from '../../repository/toy-copy.ts'
import { eventually } from '../../support/eventually.ts'

const { root } = copyWithToy()
const dir = join(root, '.local')
let stack: ChildProcess

beforeAll(() => {
  stack = spawn(process.execPath, ['test/stack-process.ts', dir, '{}'], { cwd: root, stdio: 'ignore' })
})
afterAll(async () => {
  const ended = stack.exitCode === null ? once(stack, 'exit') : undefined
  stack.kill('SIGTERM')
  await ended
  rmSync(root, { recursive: true })
})

const portOf = (name: 'api' | 'temporal'): number => JSON.parse(readFileSync(join(dir, 'ports.json'), 'utf8'))[name]

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
