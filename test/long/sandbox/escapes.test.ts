import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PLAYS_ALL, sampleOf } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { machineProbe, reportSkipped } from '../../support/sandbox/runner.ts'
import type { Attempted } from './attempts.ts'
import { type Escape, escapesFrom, type Host } from './escapes.ts'

/** User that the sandbox of root takes. */
const UNPRIVILEGED = 65534
/** A user of this suite alone, so that everything of it is counted. */
const ORDINARY = 50_000 + (process.pid % 10_000)
/**
 * MiB that may be missing afterwards. An attempt may take 256: alone on the machine, what one of them left shows. In a gate other suites
 * start and stop servers meanwhile, so that only a leak of most attempts does.
 */
const MISSING_MIB = PLAYS_ALL ? 256 : 2_048
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
const readProcess = (pid: string, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}
/** Processes of this machine that have the mark, or belong to a user. One that has ended counts not: its entry waits for the first process to read it. */
const processesOf = (uid: number | null): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(
      (pid) =>
        ['environ', 'cmdline'].some((name) => readProcess(pid, name).includes(mark)) ||
        (uid !== null && new RegExp(`^State:\\s+[^ZX][^]*^Uid:\\s+${uid}\\s`, 'm').test(readProcess(pid, 'status'))),
    )
const groupsOf = (pid: number): string[] => {
  const root = '/sys/fs/cgroup'
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes(`agent-work-sandbox-${pid}-`))
}
const available = (): number => Number(/^MemAvailable:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0) / 1024
const namesIn = (places: readonly string[]): string[] =>
  places.filter(existsSync).flatMap((place) => readdirSync(place).map((name) => join(place, name)))
/** No other suite writes here. */
const systemFiles = (): string[] => namesIn(['/', '/usr', '/usr/bin', '/etc', '/opt', '/root'])
const ownerOf = (path: string): number | null => lstatSync(path, { throwIfNoEntry: false })?.uid ?? null
/** What a user has in folders that everybody writes, where others work too. */
const temporaryFiles = (uid: number): string[] => namesIn(['/tmp', '/var/tmp', '/dev/shm', '/run']).filter((path) => ownerOf(path) === uid)
/** Queues and segments of a user. */
const ipc = (uid: number): string[] =>
  ['shm', 'sem', 'msg'].flatMap((kind) =>
    readFileSync(`/proc/sysvipc/${kind}`, 'utf8')
      .split('\n')
      .filter((row) => new RegExp(`\\b${uid}\\b`).test(row)),
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

/** Runs escapes one after the other in a process of a user, whose temporary files go to a folder. */
const runAs = async (uid: number | undefined, temporary: string, escapes: readonly Escape[]) => {
  const program = fileURLToPath(new URL('attempts.ts', import.meta.url))
  const runner = spawn(process.execPath, [program], {
    ...(uid === undefined ? {} : { uid, gid: uid }),
    // One more open file, which the sandbox must not get.
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    env: { PATH: process.env.PATH, RUNNER_WORD: word, TMPDIR: temporary },
    cwd: '/',
  })
  runner.stdin?.end(JSON.stringify(escapes.map(({ attempt }) => ({ ...attempt, env: { ESCAPE_MARK: mark } }))))
  const [printed] = await Promise.all([text(runner.stdout as NodeJS.ReadableStream), once(runner, 'exit')])
  return { pid: runner.pid ?? 0, ...(JSON.parse(printed) as { probe: { ok: boolean }; results: Attempted[] }) }
}

const USERS: { user: string; uid: number | undefined }[] = isRoot
  ? [
      { user: 'root', uid: undefined },
      { user: 'an ordinary user', uid: ORDINARY },
    ]
  : [{ user: 'an ordinary user', uid: undefined }]
if (!isRoot) process.stderr.write(`${CHOSEN.length} tests of the sandbox as root are skipped: this user is not root.\n`)
const canRun = machineProbe.ok && process.arch === 'x64'
if (machineProbe.ok && process.arch !== 'x64') process.stderr.write(`The escapes are skipped: they use system calls of x86-64.\n`)
reportSkipped((CHOSEN.length + 2) * USERS.length)

const inSandbox = canRun ? describe : describe.skip

inSandbox.each(USERS)('a program that $user runs in the sandbox', ({ user, uid }) => {
  /** User of the processes in the sandbox. */
  const inside = uid ?? (isRoot ? UNPRIVILEGED : (process.getuid?.() ?? 0))
  const temporary = join(folder, user.replaceAll(' ', '-'))
  /** Only the user of this suite is counted whole: other sandboxes of root have theirs in common. */
  const count = () => ({
    hits,
    processes: processesOf(uid === ORDINARY ? uid : null),
    systemFiles: systemFiles(),
    temporaryFiles: temporaryFiles(inside),
    ipc: ipc(inside),
  })
  let before: ReturnType<typeof count>
  let availableBefore = 0
  let victim: ChildProcess
  let ran: Awaited<ReturnType<typeof runAs>>
  let escapes: Escape[] = []

  beforeAll(async () => {
    victim = startVictim(uid)
    escapes = escapesFrom({ ...HOST, pid: victim.pid ?? 0 }).filter(({ name }) => CHOSEN.includes(name))
    mkdirSync(temporary)
    if (uid !== undefined) chownSync(temporary, uid, uid)
    availableBefore = available()
    before = count()
    ran = await runAs(uid, temporary, escapes)
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

  test('leaves the processes, files, groups and memory of the host as they were', async () => {
    expect(count()).toEqual(before)
    expect({
      groups: groupsOf(ran.pid),
      temporary: readdirSync(temporary),
      file: readFileSync(HOST.file, 'utf8'),
      victim: victim.exitCode ?? victim.signalCode,
    }).toEqual({ groups: [], temporary: [], file: word, victim: null })
    const missing = await eventually(
      'the memory of the host is free again',
      () => Math.round(availableBefore - available()),
      (mib) => mib < MISSING_MIB,
    )
    if (PLAYS_ALL) process.stderr.write(`${escapes.length} escapes as ${user}: ${missing} MiB less are available than before.\n`)
  })
})
