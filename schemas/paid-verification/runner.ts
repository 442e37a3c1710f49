import type { JsonValue } from '../catalogue/job-definition.ts'
import type { ProfileResult } from './profiles/execution.ts'
import type { FreezeAnswer, FreezeInputs } from './profiles/freeze.ts'

/** Task queue of the runners: processes that run programs of strangers, without a key, a database or a chain. */
export const RUNNER_TASK_QUEUE = 'agent-work-runner'

/** No work is sent here. A runner that cannot run programs polls it with the reason as its identity, so that everyone who asks the engine learns it. */
export const UNABLE_RUNNER_TASK_QUEUE = 'agent-work-runner-unable'

/** Longest identity of a poller that carries a reason; the engine takes a thousand characters. */
export const MAX_RUNNER_REASON = 300

/** Profiles that need a runner. The worker runs the others itself. */
export const RUNNER_PROFILES: readonly string[] = ['git-patch-tests-v1@1']

/**
 * Workflow id of the work of a runner. `key` names the work for its caller, such as the SHA-256 of the id of a run: the id itself is a secret.
 */
export const executionWorkflowId = (key: string): string => `profile-execution/${key}`

/** What a runner is given. Operators see it in the engine: the addresses of the artefacts too, but no run id, no payment and no credential. */
export type RunnerWork =
  | { kind: 'execute'; profileRef: string; target: Record<string, JsonValue>; inputs: Record<string, JsonValue> }
  | { kind: 'freeze'; profileRef: string; inputs: FreezeInputs }

/** What became of the work. */
export type RunnerAnswer = { kind: 'executed'; result: ProfileResult } | { kind: 'freezing'; answer: FreezeAnswer }

/** Start arguments of the process that waits for a runner. */
export interface ExecutionInput {
  v: 1
  work: RunnerWork
}

/** Type of the failure of work that no runner did. The same work may be started again. */
export const RUNNER_FAULT = 'runner_fault'

export interface RunnerActivities {
  /** Does the work on a runner. A repeat does it again: nothing of it outlives the runner. */
  runProfile(work: RunnerWork): Promise<RunnerAnswer>
}
