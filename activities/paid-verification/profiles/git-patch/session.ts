import type { CandidateRun } from '../../../../domain/paid-verification/git-patch/verdict.ts'
import type { Sandbox, SandboxEnvironment, SandboxLimits, SandboxResult } from '../../../../schemas/sandbox/spec.ts'
import { type PatchWork, type RunOptions, runTests, type TestsOf } from './runs.ts'

const MIB = 1024 ** 2
/** Bounds of the profile. The wall time is that of all its runs together. */
export const GIT_PATCH_LIMITS: SandboxLimits = {
  wallMs: 120_000,
  cpuMs: 120_000,
  cpus: 2,
  memoryBytes: 4_096 * MIB,
  pids: 512,
  diskBytes: 1_024 * MIB,
  fileBytes: 512 * MIB,
  outputBytes: 10 * MIB,
}
const REPETITIONS = 2

/** What one run measured, for the evidence. */
export interface Measurement {
  readonly step: 'list' | 'base' | 'candidate'
  readonly outcome: string
  readonly exitCode: number | null
  readonly wallMs: number
  readonly cpuMs: number | null
  readonly peakBytes: number | null
}

/** Runs of one request, which share the wall time of the profile. */
export const createSession = (sandbox: Sandbox, limits: SandboxLimits, signal: AbortSignal) => {
  const deadline = performance.now() + limits.wallMs
  const measurements: Measurement[] = []
  let environment: SandboxEnvironment | null = null

  const options = (): RunOptions => {
    const wallMs = Math.max(1, Math.round(deadline - performance.now()))
    return { sandbox, signal, limits: { ...limits, wallMs, cpuMs: Math.min(limits.cpuMs, wallMs) } }
  }

  const measure = (step: Measurement['step'], result: SandboxResult): void => {
    const { outcome, exitCode, wallMs, cpuMs, peakBytes } = result
    environment = result.environment
    measurements.push({ step, outcome, exitCode, wallMs, cpuMs, peakBytes })
  }

  /** Runs tests several times, one after the other. */
  const repeat = async (work: PatchWork, mode: 'base' | 'candidate', tests: TestsOf, times = REPETITIONS): Promise<CandidateRun[]> => {
    const runs: CandidateRun[] = []
    for (let count = 0; count < times; count += 1) {
      const { run, result } = await runTests(work, mode, tests, options())
      signal.throwIfAborted()
      // What a private run takes could show the content of its checks to a patch that reads them.
      if (tests === 'public') measure(mode, result)
      runs.push(run)
    }
    return runs
  }

  return { options, measure, repeat, measurements, environment: () => environment }
}
