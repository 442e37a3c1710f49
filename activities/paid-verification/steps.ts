import { isFinal } from '../../domain/paid-verification/run-states.ts'
import type { VerificationActivities, VerificationProgress } from '../../schemas/paid-verification/process.ts'
import type { ProfileExecution, ProfileResult } from '../../schemas/paid-verification/profiles/execution.ts'
import { type CaptureDeps, createCapture } from './payment/capture.ts'
import { findRun, lockRun, moveRun, type RunRecord } from './records.ts'
import type { RunSecrets } from './secrets.ts'

/** A run whose worker was lost this often ends without a verdict and without a bill. */
const MOST_ATTEMPTS = 3

export interface RunStepDeps extends CaptureDeps {
  /** Execution of a profile, by `name@version`; undefined where this worker cannot run it. */
  executionOf: (profileRef: string) => ProfileExecution | undefined
  secrets: Pick<RunSecrets, 'openCredential'>
  heartbeat: () => void
  stopping: AbortSignal
}

const fault = (detail: string): ProfileResult => ({
  verdict: 'inconclusive',
  reason: 'runner_fault',
  checks: [],
  artefacts: [],
  evidence: { detail },
})

/** Steps of a paid run. */
export const createRunSteps = (deps: RunStepDeps): VerificationActivities => {
  const { database, clock, executionOf, secrets, heartbeat, stopping } = deps
  const capture = createCapture(deps)

  const progressOf = (run: RunRecord, details: string): VerificationProgress => ({
    state: run.state,
    nextAt: null,
    details,
    isOver: isFinal(run.state),
  })

  const getRun = async (runKey: string): Promise<RunRecord> => {
    const run = await findRun(database.rows, runKey)
    if (run === null) throw new Error('the run is not recorded')
    return run
  }

  /** A credential that was sealed with another secret is lost. */
  const openOrNull = (sealed: string, runKey: string): string | null => {
    try {
      return secrets.openCredential(sealed, runKey)
    } catch {
      return null
    }
  }

  /** The run as it begins once more, and what its profile is given; null where it has begun too often. */
  const begin = (runKey: string) =>
    database.transaction(async (rows) => {
      const locked = await lockRun(rows, runKey)
      if (locked.state !== 'authorized' && locked.state !== 'running') return { run: locked, credential: null }
      const credential = locked.sealedCredential === null ? null : openOrNull(locked.sealedCredential, runKey)
      const attempts = locked.attempts + 1
      const begun =
        locked.state === 'authorized' ? await moveRun(rows, locked, 'running', { attempts }, clock.now()) : { ...locked, attempts }
      await rows.updateTable('verification_run').set({ attempts }).where('runKey', '=', runKey).execute()
      return { run: begun, credential }
    })

  const execute = async (run: RunRecord, targetAuthorization: string | null): Promise<ProfileResult> => {
    const { profileRef, target, inputs, attempts, hasCredential } = run
    const execution = executionOf(profileRef)
    if (execution === undefined) return fault('No worker runs this profile.')
    if (attempts > MOST_ATTEMPTS) return fault('Its worker was lost each time.')
    // Without it the target would seem to refuse a customer who may call it.
    if (hasCredential && targetAuthorization === null) return fault('The credential of the target was lost with its worker.')
    try {
      return await execution(
        { key: run.runKey, target: target as never, inputs: inputs as never, targetAuthorization },
        stopping,
        heartbeat,
      )
    } catch (error) {
      if (stopping.aborted) throw error
      return fault('The profile could not be run.')
    }
  }

  return {
    executeRun: async ({ runKey }) => {
      const known = await getRun(runKey)
      if (known.state === 'authorized') {
        const refused = await capture.refuseEmpty(known)
        if (refused !== null) return progressOf(refused, 'The payer took the money away before the run.')
      }
      const { run, credential } = await begin(runKey)
      if (run.state !== 'running') return progressOf(run, 'It has run.')
      const result = await execute(run, credential)
      const done = await database.transaction(async (rows) => {
        const locked = await lockRun(rows, runKey)
        if (locked.state !== 'running') return locked
        const now = clock.now()
        return moveRun(rows, locked, 'executed', { verdict: result.verdict, result, executedAt: now }, now)
      })
      return progressOf(done, 'It has run. Its payment is next.')
    },

    billRun: async ({ runKey }) => {
      const run = await getRun(runKey)
      if (isFinal(run.state)) return progressOf(run, 'It is over.')
      return run.verdict === 'inconclusive' ? capture.release(run) : capture.take(run)
    },
  }
}
