// The journal of a plan: what was signed is on disk before it is sent, so that a cut never leads to a second signature.
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Address, Hex } from 'viem'
import { SettingsError } from '../../schemas/settings-error.ts'

/** Whose journal it is; another chain, sender or plan is refused. */
export interface JournalHead {
  readonly chainId: number
  readonly genesis: Hex
  readonly deployer: Address
  readonly plan: Hex
}

/** A signature of a step, written before it is sent. */
export interface Signed {
  readonly step: string
  readonly state: 'signed'
  /** keccak-256 of the init code or of the call data. */
  readonly dataHash: Hex
  readonly nonce: number
  readonly raw: Hex
  readonly hash: Hex
  /** Address of a creation. */
  readonly address?: Address
}
/** How a step ended: mined, or found done. */
export interface Ended {
  readonly step: string
  readonly state: 'mined' | 'found'
  readonly hash?: Hex
  readonly address?: Address
  readonly block?: number
}
export type Entry = Signed | Ended

export type Journal = ReturnType<typeof openJournal>

const NAMES = { chainId: 'chain', genesis: 'chain', deployer: 'sender', plan: 'plan or build' } as const

/** Refuses the journal of something else. */
const assertSame = (path: string, found: JournalHead, expected: JournalHead): void => {
  for (const [member, name] of Object.entries(NAMES))
    if (String(found[member as keyof JournalHead]).toLowerCase() !== String(expected[member as keyof JournalHead]).toLowerCase())
      throw new SettingsError([`--journal: ${path} belongs to another ${name}; name a new file, or run what it belongs to`])
}

const parseLine = (path: string, line: string, index: number): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    throw new SettingsError([`--journal: line ${index + 1} of ${path} is damaged; nothing was sent`])
  }
}

/** Whole lines of a journal, and their length in bytes. A last line without its end was cut: nothing was sent after it. */
const readLines = (path: string): { lines: string[]; bytes: number } => {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return { lines: whole.split('\n').slice(0, -1), bytes: Buffer.byteLength(whole) }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Keeps a second run away: two would sign two transactions for one nonce. The lock of a process that was killed is taken over. */
function lock(path: string): () => void {
  const file = `${path}.lock`
  const own = `${file}.${process.pid}`
  writeFileSync(own, String(process.pid), { mode: 0o600 })
  try {
    if (existsSync(file) && !isAlive(Number(readFileSync(file, 'utf8')))) rmSync(file, { force: true })
    linkSync(own, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new SettingsError([`--journal: process ${readFileSync(file, 'utf8')} uses ${path}; wait for it, or end it`])
  } finally {
    unlinkSync(own)
  }
  return () => rmSync(file, { force: true })
}

const syncDirectory = (path: string): void => {
  const directory = openSync(dirname(path), 'r')
  fsyncSync(directory)
  closeSync(directory)
}

/** Opens the journal of a plan, or creates it. It never holds a key. */
export function openJournal(path: string, head: JournalHead) {
  mkdirSync(dirname(path), { recursive: true })
  const unlock = lock(path)
  try {
    const { lines, bytes } = readLines(path)
    const [first, ...entries] = lines.map((line, index) => parseLine(path, line, index)) as [JournalHead?, ...Entry[]]
    if (first) assertSame(path, first, head)
    const file = openSync(path, 'a', 0o600)
    const write = (line: JournalHead | Entry): void => {
      writeSync(file, `${JSON.stringify(line)}\n`)
      fsyncSync(file)
    }
    ftruncateSync(file, bytes)
    if (!first) {
      write(head)
      syncDirectory(path)
    }
    return {
      /** Every signature of a step, the newest last: a raised fee makes a second one for the same nonce. */
      signaturesOf: (step: string): Signed[] => entries.filter((entry): entry is Signed => entry.step === step && entry.state === 'signed'),
      /** How a step ended. */
      endOf: (step: string): Ended | undefined =>
        entries.findLast((entry): entry is Ended => entry.step === step && entry.state !== 'signed'),
      /** Writes a line to the disk. */
      add(entry: Entry): void {
        write(entry)
        entries.push(entry)
      },
      close(): void {
        closeSync(file)
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
