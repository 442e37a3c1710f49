import type { Logger } from 'pino'
import { inconclusive } from '../../domain/paid-verification/result.ts'
import { isFinal } from '../../domain/paid-verification/run-states.ts'
import type { VerificationActivities, VerificationProgress } from '../../schemas/paid-verification/process.ts'
import type { ProfileExecution, ProfileResult } from '../../schemas/paid-verification/profiles/execution.ts'
import { type CaptureDeps, createCapture } from './payment/capture.ts'
import { findRun, lockRun, type RunRecord } from './records.ts'
import type { RunSecrets } from './secrets.ts'

/** A run whose worker was lost this often ends without a verdict and without a bill. */
const MOST_ATTEMPTS = 3

export interface RunStepDeps extends CaptureDeps {
  /** Execution of a profile, by `name@version`; undefined where this worker cannot run it. */
  executionOf: (profileRef: string) => ProfileExecution | undefined
  secrets: Pick<RunSecrets, 'openCredential'>
  /** Faults are logged with the key of their run: its id is a secret. */
  logger: Pick<Logger, 'error'>
  heartbeat: () => void
  stopping: AbortSignal
}

const fault = (detail: string): ProfileResult => inconclusive('runner_fault', [], { evidence: { detail } })

/** What a worker knows of the credential of a target; `value` null for a run without one. */
type Credential = { kind: 'open'; value: string | null } | { kind: 'lost' | 'unreadable' }

const NO_CREDENTIAL: Credential = { kind: 'open', value: null }

const NO_CALL = {
  lost: 'The credential of the target was lost with its worker.',
  unreadable: 'The credential of the target could not be read by this worker.',
} as const

/** Steps of a paid run. */
export const createRunSteps = (deps: RunStepDeps): VerificationActivities => {
  const { database, clock, moveRun, executionOf, secrets, logger, heartbeat, stopping } = deps
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

  /** The credential of a run's target: null without one, `lost` where an earlier attempt took it, `unreadable` where another secret sealed it. */
  const openCredential = ({ runKey, hasCredential, sealedCredential: sealed }: RunRecord): Credential => {
    if (!hasCredential) return NO_CREDENTIAL
    if (sealed === null) return { kind: 'lost' }
    try {
      return { kind: 'open', value: secrets.openCredential(sealed, runKey) }
    } catch (error) {
      logger.error({ err: error, runKey }, 'the credential of a run could not be opened: VERIFICATION_SECRET may have changed')
      return { kind: 'unreadable' }
    }
  }

  /** The run as it begins once more, with the credential of its target. A run that is past its execution is answered as it is. */
  const begin = (runKey: string) =>
    database.transaction(async (rows) => {
      const locked = await lockRun(rows, runKey)
      if (locked.state !== 'authorized' && locked.state !== 'running') return { run: locked, credential: NO_CREDENTIAL }
      const credential = openCredential(locked)
      const attempts = locked.attempts + 1
      const begun =
        locked.state === 'authorized' ? await moveRun(rows, locked, 'running', { attempts }, clock.now()) : { ...locked, attempts }
      await rows.updateTable('verification_run').set({ attempts }).where('runKey', '=', runKey).execute()
      return { run: begun, credential }
    })

  const execute = async (run: RunRecord, credential: Credential): Promise<ProfileResult> => {
    const { runKey, profileRef, target, inputs, attempts } = run
    const execution = executionOf(profileRef)
    if (execution === undefined) return fault('No worker runs this profile.')
    if (attempts > MOST_ATTEMPTS) return fault('Its worker was lost each time.')
    // Without it the target would seem to refuse a customer who may call it.
    if (credential.kind !== 'open') return fault(NO_CALL[credential.kind])
    try {
      return await execution(
        { key: runKey, target: target as never, inputs: inputs as never, targetAuthorization: credential.value },
        stopping,
        heartbeat,
      )
    } catch (error) {
      if (stopping.aborted) throw error
      logger.error({ err: error, runKey, profileRef }, 'a profile could not be run')
      return fault('The profile could not be run.')
    }
  }

  return {
    executeRun: async ({ runKey }) => {
      const known = await getRun(runKey)
      if (known.state === 'authorized') {
        const refused = await capture.refuseEmpty(known)
        if (refused !== null) return progressOf(refused, `It was not run, since its payment cannot be taken: ${refused.uncollectable}.`)
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
