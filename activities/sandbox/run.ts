import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { findSpecFault } from '../../domain/sandbox/command-line.ts'
import { decideEnd, type RunEnd, type Stop } from '../../domain/sandbox/outcome.ts'
import type { FilterArch } from '../../domain/sandbox/seccomp.ts'
import type { SandboxEnvironment, SandboxResult, SandboxSpec } from '../../schemas/sandbox/spec.ts'
import type { BoundReading, Group, Groups } from './bounds.ts'
import { killSandbox, type Programs, type StartedSandbox, startBubblewrap } from './bubblewrap.ts'
import { readTreeMemory } from './memory-reader.ts'

/** What runs of this machine have in common. */
export interface Runner {
  readonly programs: Programs
  readonly arch: FilterArch
  readonly groups: Groups | null
  readonly environment: SandboxEnvironment
}

/** A sandbox that has not started its command by then is a failure of this machine. */
const SETUP_MS = 60_000
/** Time between two readings of memory. */
const WATCH_MS = 50
/** Everything in a sandbox has ended with it; a pipe that stays open longer than this is closed from here. */
const CLOSING_MS = 5_000
const MAX_STATUS_BYTES = 4_096
const MAX_DIAGNOSTICS = 300

/** Output of both streams, up to a common bound. */
const createOutput = (limit: number, onOverflow: () => void) => {
  let used = 0
  let truncated = false
  const collect = (stream: Readable): Buffer[] => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => {
      const kept = chunk.subarray(0, limit - used)
      used += kept.length
      if (kept.length > 0) chunks.push(kept)
      if (kept.length === chunk.length || truncated) return
      truncated = true
      onOverflow()
    })
    return chunks
  }
  return { collect, isTruncated: () => truncated }
}

/** Exit code in the status documents; null without one. */
const readExitReport = (text: string): number | null => {
  const found = /"exit-code"\s*:\s*(\d+)/.exec(text)?.[1]
  return found === undefined ? null : Number(found)
}

const collectText = (stream: Readable): (() => string) => {
  let text = ''
  stream.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('latin1')).slice(0, MAX_STATUS_BYTES)
  })
  return () => text
}

/** Calls `onExcess` when the processes of a sandbox use too much memory; `peak` is the most that was seen. */
const watchMemory = (pid: number | undefined, group: Group | null, limit: number, onExcess: () => void) => {
  let peak = 0
  const timer = setInterval(() => {
    if (group !== null) {
      if (group.read().memoryKills > 0) onExcess()
      return
    }
    if (pid === undefined) return
    const bytes = readTreeMemory(pid)
    peak = Math.max(peak, bytes)
    if (bytes > limit) onExcess()
  }, WATCH_MS)
  return { peak: () => peak, end: () => clearInterval(timer) }
}

/** Waits for the end of a sandbox and of its output. */
const awaitEnd = async ({ child, stdout, stderr, began, status }: StartedSandbox): Promise<void> => {
  const closed = once(child, 'close')
  // A program that cannot be started has no exit; both waits then fail with its error.
  await Promise.race([once(child, 'exit'), closed])
  const timer = setTimeout(() => {
    for (const stream of [stdout, stderr, began, status]) stream.destroy()
  }, CLOSING_MS)
  await closed
  clearTimeout(timer)
}

/** Watches one started sandbox to its end. */
const supervise = async (spec: SandboxSpec, started: StartedSandbox, group: Group | null, stop: AbortSignal) => {
  const { limits } = spec
  let cause: Stop | null = null
  const halt = (next: Stop): void => {
    cause ??= next
    killSandbox(started.child)
  }
  const output = createOutput(limits.outputBytes, () => halt('output_limit'))
  const stdout = output.collect(started.stdout)
  const stderr = output.collect(started.stderr)
  const status = collectText(started.status)
  let beganAt: number | null = null
  let timer = setTimeout(() => halt('setup_timeout'), SETUP_MS)
  started.began.once('data', () => {
    beganAt = performance.now()
    clearTimeout(timer)
    timer = setTimeout(() => halt('timeout'), limits.wallMs)
  })
  const memory = watchMemory(started.child.pid, group, limits.memoryBytes, () => halt('out_of_memory'))
  const abort = (): void => halt('aborted')
  stop.addEventListener('abort', abort, { once: true })
  if (stop.aborted) abort()
  try {
    await awaitEnd(started)
  } finally {
    clearTimeout(timer)
    memory.end()
    stop.removeEventListener('abort', abort)
  }
  const wallMs = beganAt === null ? 0 : Math.round(performance.now() - beganAt)
  const reading: BoundReading = group?.read() ?? { memoryKills: 0, peakBytes: memory.peak() || null, cpuMs: null }
  const facts = {
    began: beganAt !== null,
    stop: cause as Stop | null,
    exitReport: readExitReport(status()),
    memoryKills: reading.memoryKills,
  }
  const text = { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) }
  const end = decideEnd(facts, text.stderr.toString('utf8').trim().slice(0, MAX_DIAGNOSTICS))
  return { end, text, wallMs, reading, truncated: output.isTruncated() }
}

const EMPTY = new Uint8Array()

/** A run that did not start. */
const failedSetup = (reason: string, environment: SandboxEnvironment): SandboxResult => ({
  outcome: 'setup_failed',
  ...{ exitCode: null, signal: null, reason, wallMs: 0, cpuMs: null, peakBytes: null },
  ...{ stdout: EMPTY, stderr: EMPTY, truncated: false, environment },
})

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The bytes of each input, in order, or what is wrong with one. */
const readInputs = (spec: SandboxSpec, contents: ReadonlyMap<string, Uint8Array>): Uint8Array[] | string => {
  const inputs: Uint8Array[] = []
  for (const input of spec.inputs) {
    const bytes = contents.get(input.sha256)
    if (bytes === undefined || sha256(bytes) !== input.sha256) return `The bytes of ${input.path} are missing or have another hash.`
    inputs.push(bytes)
  }
  return inputs
}

/** Runs a command once in bubblewrap. Leaves no file, no group and no process. */
export const runInBubblewrap = async (
  { programs, arch, groups, environment }: Runner,
  spec: SandboxSpec,
  contents: ReadonlyMap<string, Uint8Array>,
  stop: AbortSignal,
): Promise<SandboxResult> => {
  const fault = findSpecFault(spec)
  const inputs = fault ?? readInputs(spec, contents)
  if (typeof inputs === 'string') return failedSetup(inputs, environment)
  let group: Group | null = null
  let run: (Omit<SandboxResult, keyof RunEnd | 'environment'> & { end: RunEnd }) | null = null
  let failure: unknown = null
  try {
    group = groups?.open(spec.limits) ?? null
    const started = startBubblewrap(spec, inputs, { programs, arch, entries: group?.entries ?? [] })
    const { end, text, wallMs, reading, truncated } = await supervise(spec, started, group, stop)
    run = { end, ...text, wallMs, cpuMs: reading.cpuMs, peakBytes: reading.peakBytes, truncated }
  } catch (error) {
    failure = error
  }
  try {
    await group?.remove()
  } catch (error) {
    failure = error
  }
  if (run === null || failure !== null) return failedSetup(failure instanceof Error ? failure.message : String(failure), environment)
  const { end, ...rest } = run
  return { ...end, ...rest, environment }
}
