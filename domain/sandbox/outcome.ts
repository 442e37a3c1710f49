import type { SandboxOutcome } from '../../schemas/sandbox/spec.ts'

/** Why the runner itself ended a command. */
export type Stop = 'timeout' | 'output_limit' | 'out_of_memory' | 'aborted' | 'setup_timeout'

/** What the runner saw of a run. */
export interface RunFacts {
  /** Whether the command started. */
  readonly began: boolean
  readonly stop: Stop | null
  /** Exit code that the sandbox reported: 128 and a signal if it died of one. Null without a report. */
  readonly exitReport: number | null
  /** Processes that the kernel ended because their group used too much memory. */
  readonly memoryKills: number
}

export interface RunEnd {
  readonly outcome: SandboxOutcome
  readonly exitCode: number | null
  readonly signal: number | null
  readonly reason: string | null
}

const end = (outcome: SandboxOutcome, part: Partial<RunEnd> = {}): RunEnd => ({
  outcome,
  exitCode: null,
  signal: null,
  reason: null,
  ...part,
})
const SIGKILL = 9
const BEFORE_SIGNALS = 128
const LAST_SIGNAL = 64

/** How a run ended. What the command cannot have caused is a failure of the runner, and nothing that did not run has an exit code. */
export const decideEnd = ({ began, stop, exitReport, memoryKills }: RunFacts, diagnostics: string): RunEnd => {
  if (stop === 'aborted') return end('killed', { signal: SIGKILL })
  if (!began) {
    const detail = stop === 'setup_timeout' ? 'The sandbox was not ready in time.' : diagnostics
    return end('setup_failed', { reason: detail === '' ? 'The sandbox did not start.' : detail })
  }
  if (memoryKills > 0 || stop === 'out_of_memory') return end('out_of_memory')
  if (stop === 'timeout' || stop === 'output_limit') return end(stop)
  if (exitReport === null) return end('setup_failed', { reason: 'The sandbox ended without a report.' })
  const signal = exitReport - BEFORE_SIGNALS
  return signal >= 1 && signal <= LAST_SIGNAL ? end('killed', { signal }) : end('exited', { exitCode: exitReport })
}
