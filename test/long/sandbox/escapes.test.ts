import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PLAYS_ALL, sampleOf } from '../../support/cases/sample.ts'
import { machineProbe, reportSkipped } from '../../support/sandbox/runner.ts'
import type { Attempted } from './attempts.ts'
import { type Escape, escapesFrom, type Host } from './escapes.ts'

const UNPRIVILEGED = 65534
const isRoot = process.getuid?.() === 0
const word = `word-${randomBytes(8).toString('hex')}`
const folder = mkdtempSync(join(tmpdir(), 'escapes-'))
const HOST: Host = { port: 0, socket: word, file: join(folder, 'file'), pid: 0, word }
let hits = 0
const servers: Server[] = []
const listen = async (target: object): Promise<Server> => {
  const server = createServer((socket) => {
    hits += 1
    socket.end()
  })
  servers.push(server.listen(target))
  await once(server, 'listening')
  return server
}
/** The name of the escapes of a sample does not depend on the host. */
const NAMES = escapesFrom(HOST)
const CHOSEN = (PLAYS_ALL ? NAMES : sampleOf(NAMES, ({ kind, outcome }) => [kind, outcome])).map(({ name }) => name)

/** Stands in the environment of each program in the sandbox, and on the command line of bubblewrap. */
const mark = `mark-${randomBytes(8).toString('hex')}`
/** Processes of this machine that an escape left. */
const leftProcesses = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return ['environ', 'cmdline'].some((name) => readFileSync(`/proc/${pid}/${name}`, 'latin1').includes(mark))
      } catch {
        return false
      }
    })
const groupsOf = (pid: number): string[] => {
  const root = '/sys/fs/cgroup'
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes(`agent-work-sandbox-${pid}-`))
}
const available = (): number => Number(/^MemAvailable:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0) / 1024
/** Folders in which an escape would leave a file. */
const places = (): string[] =>
  ['/tmp', '/dev/shm', '/', '/usr', '/etc'].flatMap((place) => readdirSync(place).map((name) => join(place, name)))
/** Queues and segments of the user of the sandbox; others on this machine have their own. */
const ipc = (): string[] =>
  ['shm', 'sem', 'msg'].flatMap((kind) =>
    readFileSync(`/proc/sysvipc/${kind}`, 'utf8')
      .split('\n')
      .filter((row) => new RegExp(`\\b${UNPRIVILEGED}\\b`).test(row)),
  )

beforeAll(async () => {
  HOST.port = ((await listen({ host: '127.0.0.1', port: 0 })).address() as AddressInfo).port
  await listen({ path: `\0${word}` })
  writeFileSync(HOST.file, word)
  chmodSync(folder, 0o755)
  chmodSync(HOST.file, 0o666)
})
afterAll(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true })
})

const startVictim = (uid: number | undefined): ChildProcess =>
  spawn('sleep', ['1000'], { stdio: 'ignore', ...(uid === undefined ? {} : { uid, gid: uid }) })

/** Runs escapes one after the other in a process of a user. */
const runAs = async (uid: number | undefined, escapes: readonly Escape[]) => {
  const program = fileURLToPath(new URL('attempts.ts', import.meta.url))
  const runner = spawn(process.execPath, [program], {
    ...(uid === undefined ? {} : { uid, gid: uid }),
    // One more open file, which the sandbox must not get.
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    env: { PATH: process.env.PATH, RUNNER_WORD: word },
    cwd: '/',
  })
  runner.stdin?.end(JSON.stringify(escapes.map(({ attempt }) => ({ ...attempt, env: { ESCAPE_MARK: mark } }))))
  const [printed] = await Promise.all([text(runner.stdout as NodeJS.ReadableStream), once(runner, 'exit')])
  return { pid: runner.pid ?? 0, ...(JSON.parse(printed) as { probe: { ok: boolean }; results: Attempted[] }) }
}

const USERS: { user: string; uid: number | undefined }[] = isRoot
  ? [
      { user: 'root', uid: undefined },
      { user: 'an ordinary user', uid: UNPRIVILEGED },
    ]
  : [{ user: 'an ordinary user', uid: undefined }]
if (!isRoot) process.stderr.write(`${CHOSEN.length} tests of the sandbox as root are skipped: this user is not root.\n`)
const canRun = machineProbe.ok && process.arch === 'x64'
if (machineProbe.ok && process.arch !== 'x64') process.stderr.write(`The escapes are skipped: they use system calls of x86-64.\n`)
reportSkipped((CHOSEN.length + 2) * USERS.length)

const inSandbox = canRun ? describe : describe.skip

inSandbox.each(USERS)('a program that $user runs in the sandbox', ({ uid }) => {
  const before = { hits: 0, places: [] as string[], ipc: [] as string[], available: 0 }
  let victim: ChildProcess
  let ran: Awaited<ReturnType<typeof runAs>>
  let escapes: Escape[] = []

  beforeAll(async () => {
    victim = startVictim(uid)
    escapes = escapesFrom({ ...HOST, pid: victim.pid ?? 0 }).filter(({ name }) => CHOSEN.includes(name))
    Object.assign(before, { hits, places: places(), ipc: ipc(), available: available() })
    ran = await runAs(uid, escapes)
  })
  afterAll(() => {
    victim.kill('SIGKILL')
  })

  test('is started', () => {
    expect([ran.probe.ok, ran.results.length]).toEqual([true, escapes.length])
  })

  test.each(CHOSEN)('%s and is contained', (name) => {
    const index = escapes.findIndex((one) => one.name === name)
    const [expected, result] = [escapes[index], ran.results[index]]
    expect({ ...result, stdout: '' }).toMatchObject({ outcome: expected?.outcome })
    expect(result?.stdout).not.toContain('ESCAPED')
    if (expected?.shows) expect(result?.stdout).toMatch(expected.shows)
  })

  test('leaves the host as it was', () => {
    expect({
      hits,
      left: leftProcesses(),
      groups: groupsOf(ran.pid),
      ipc: ipc(),
      file: readFileSync(HOST.file, 'utf8'),
      victim: victim.exitCode ?? victim.signalCode,
    }).toEqual({
      ...{ hits: before.hits, left: [], groups: [], ipc: before.ipc, file: word, victim: null },
    })
    // Others use the machine too, so that only names of the sandbox count, and memory by far more than they take.
    expect(places().filter((path) => !before.places.includes(path) && /sandbox|bwrap|core|owned/.test(path))).toEqual([])
    expect(before.available - available()).toBeLessThan(2_048)
  })
})
