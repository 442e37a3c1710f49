import { Context } from '@temporalio/activity'
import type { GuardedFetch } from '../../activities/outbound/guarded-fetch.ts'
import { createArtefactFetch } from '../../activities/paid-verification/profiles/artefacts.ts'
import { createContractFreeze, createGitPatchExecution } from '../../activities/paid-verification/profiles/git-patch/execution.ts'
import { boundResult } from '../../domain/paid-verification/result.ts'
import type { ProfileExecution } from '../../schemas/paid-verification/profiles/execution.ts'
import type { FreezeContract } from '../../schemas/paid-verification/profiles/freeze.ts'
import { RUNNER_FAULT, type RunnerActivities, type RunnerAnswer, type RunnerWork } from '../../schemas/paid-verification/runner.ts'
import type { Sandbox } from '../../schemas/sandbox/spec.ts'

export interface RunnerStepDeps {
  sandbox: Sandbox
  /** Requests to addresses that callers name. */
  fetch: GuardedFetch
  /** Aborted when the runner begins to stop: its work is then done again by another one. */
  stopping: AbortSignal
}

/** A profile that runs programs, and how its test contracts are frozen. */
interface SandboxedProfile {
  execute: ProfileExecution
  freeze: FreezeContract
}

/** The activity of a runner. A fault of its sandbox fails the attempt, so that another runner may do the work. */
export const createRunnerSteps = ({ sandbox, fetch, stopping }: RunnerStepDeps): RunnerActivities => {
  const parts = { sandbox, fetchArtefact: createArtefactFetch(fetch) }
  const profiles: Readonly<Record<string, SandboxedProfile>> = {
    'git-patch-tests-v1@1': { execute: createGitPatchExecution(parts), freeze: createContractFreeze(parts) },
  }

  const answer = async (work: RunnerWork, signal: AbortSignal, heartbeat: () => void): Promise<RunnerAnswer> => {
    const profile = profiles[work.profileRef]
    if (profile === undefined) throw new Error(`this runner has no profile ${work.profileRef}`)
    const key = 'runner'
    if (work.kind === 'freeze') return { kind: 'freezing', answer: await profile.freeze({ ...work, key }, signal, heartbeat) }
    const { target, inputs } = work
    return {
      kind: 'executed',
      result: boundResult(await profile.execute({ key, target, inputs, targetAuthorization: null }, signal, heartbeat)),
    }
  }

  const isFault = (given: RunnerAnswer): boolean =>
    given.kind === 'executed'
      ? given.result.reason === RUNNER_FAULT
      : given.answer.kind === 'unavailable' && given.answer.reason === RUNNER_FAULT

  return {
    runProfile: async (work) => {
      const context = Context.current()
      const { attempt, retryPolicy } = context.info
      const signal = AbortSignal.any([context.cancellationSignal, stopping])
      const given = await answer(work, signal, () => context.heartbeat())
      // The last attempt returns the fault of the sandbox; an earlier one fails, so that another runner may do the work.
      if (isFault(given) && attempt < (retryPolicy?.maximumAttempts ?? 1)) throw new Error('the sandbox of this runner failed')
      return given
    },
  }
}
