import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { tail, writePrivate } from '../../local/files.ts'
import { takeOwnership } from '../../local/ownership.ts'
import { ANY_PORTS, choosePorts } from '../../local/ports.ts'
import { type Child, createProcesses, endLeftovers, isRunning, processIdentity } from '../../local/processes.ts'
import { eventually } from '../support/eventually.ts'
import { useDirectory } from './support/directory.ts'

const directory = useDirectory()
let count = 0
const makeProcesses = (onDeath?: (child: Child) => void) => {
  const at = join(directory, String(count++))
  const recordFile = join(at, 'processes.json')
  return { recordFile, processes: createProcesses({ logs: join(at, 'logs'), recordFile, ...(onDeath ? { onDeath } : {}) }) }
}
const shell = (script: string) => ({ name: 'shell', command: '/bin/sh', args: ['-c', script] })

describe('processes of the stack', () => {
  test('keep their own log', async () => {
    const { processes } = makeProcesses()
    const child = await processes.start({ ...shell('echo hello; echo trouble >&2'), task: true })
    await child.exited
    expect(tail(child.logFile)).toBe('hello\ntrouble')
  })

  test('end in order when they listen, and by force when they do not', async () => {
    const { processes } = makeProcesses()
    const polite = await processes.start({
      ...shell('trap "echo bye; exit 0" TERM; echo ready; while :; do sleep 0.05; done'),
      name: 'polite',
    })
    const deaf = await processes.start({ ...shell('trap "" TERM; echo ready; while :; do sleep 0.05; done'), name: 'deaf' })
    for (const { logFile } of [polite, deaf]) await eventually('the trap is set', () => tail(logFile) === 'ready')
    await Promise.all([processes.stop(polite, 2_000), processes.stop(deaf, 300)])
    expect([await polite.exited, tail(polite.logFile)]).toEqual([{ code: 0, signal: null }, 'ready\nbye'])
    expect(await deaf.exited).toEqual({ code: null, signal: 'SIGKILL' })
    expect([polite, deaf].some(isRunning)).toBe(false)
  })

  test('that end by themselves are reported, those that were asked to or had but a task are not', async () => {
    const deaths: string[] = []
    const { processes } = makeProcesses(({ name }) => deaths.push(name))
    const [own, task, asked] = await Promise.all([
      processes.start({ ...shell('exit 3'), name: 'own' }),
      processes.start({ ...shell('exit 0'), name: 'task', task: true }),
      processes.start({ ...shell('sleep 30'), name: 'asked' }),
    ])
    await processes.stop(asked, 2_000)
    await Promise.all([own.exited, task.exited, asked.exited])
    expect(deaths).toEqual(['own'])
  })

  test('are not started any more once the end has begun', async () => {
    const { processes } = makeProcesses()
    processes.close()
    await expect(processes.start(shell('sleep 30'))).rejects.toThrow('the stack is ending')
  })

  test('of a crashed run are ended by the next start; another process with the same number is not', async () => {
    const { recordFile } = makeProcesses()
    const stranger = spawn('sleep', ['30'])
    const leftover = spawn('sleep', ['30'])
    const pidOf = ({ pid = 0 }) => pid
    writePrivate(
      recordFile,
      JSON.stringify([
        { name: 'leftover', pid: pidOf(leftover), identity: processIdentity(pidOf(leftover)), stopSignal: 'SIGTERM' },
        { name: 'recycled', pid: pidOf(stranger), identity: 'another boot:1', stopSignal: 'SIGTERM' },
      ]),
    )
    expect(await endLeftovers(recordFile)).toEqual(['leftover'])
    expect(processIdentity(pidOf(leftover))).toBeUndefined()
    expect(processIdentity(pidOf(stranger))).toBeDefined()
    stranger.kill()
  })
})

describe('a lock', () => {
  test('is held by one process until its release; a second release does not release the next holder', () => {
    const file = join(directory, 'lock')
    const first = takeOwnership(file)
    if (!('release' in first)) throw new Error('the lock was free')
    expect(takeOwnership(file)).toMatchObject({ owner: { pid: process.pid } })
    first.release()
    const second = takeOwnership(file)
    expect(second).toHaveProperty('release')
    first.release()
    expect(takeOwnership(file)).toHaveProperty('owner')
  })

  test('of a process that is gone is taken over', () => {
    const file = join(directory, 'stale')
    writePrivate(file, JSON.stringify({ pid: process.pid, identity: 'another boot:1' }))
    expect(takeOwnership(file)).toHaveProperty('release')
  })
})

describe('ports', () => {
  test('that another process has are passed over, those that are free are taken as wished', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const taken = (server.address() as { port: number }).port
    const probe = await choosePorts(ANY_PORTS)
    probe.release()
    const { ports, release } = await choosePorts({ ...ANY_PORTS, api: taken, rpc: probe.ports.rpc })
    release()
    server.close()
    expect(ports.api).not.toBe(taken)
    expect(ports.rpc).toBe(probe.ports.rpc)
  })

  test('of two stacks that start at the same time never meet', async () => {
    const [one, two] = await Promise.all([choosePorts({ ...ANY_PORTS, api: 31_777 }), choosePorts({ ...ANY_PORTS, api: 31_777 })])
    const all = [...Object.values(one.ports), ...Object.values(two.ports)]
    one.release()
    two.release()
    expect(new Set(all).size).toBe(2 * Object.keys(ANY_PORTS).length)
  })
})
