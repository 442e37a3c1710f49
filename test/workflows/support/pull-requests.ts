import type { WorkflowHandle } from '@temporalio/client'
import type { VerdictOutcome } from '../../../schemas/sessions/verdicts.ts'
import { type PullRequestResult, runUpdate } from '../../../schemas/verification/process.ts'
import { type Engine, until } from './engine.ts'

/** Result of reading a pull request that is not approved. */
export const HELD: PullRequestResult = {
  kind: 'undecided',
  outcome: 'rejected',
  reasonCode: 'CODEHOST_PR_EVIDENCE_INCOMPLETE',
  detail: 'Not met: checks_failing.',
  disposition: 'waiting_for_merge',
}

/** Steps of a session whose work is a pull request; every reading finds it undecided, unless `steps` say otherwise. */
export const heldPullRequest = (engine: Engine, steps: Parameters<Engine['service']['play']>[0] = {}) => ({
  loadSubject: async (input: { sessionId: string }) => ({
    ...(await engine.service.usual.loadSubject(input)),
    verifierMode: 'codehost_pr',
    pollSeconds: 1_800,
    underReview: false,
  }),
  readPullRequest: async () => HELD,
  ...steps,
})

/** A verdict that a reading stored. */
export const decidedLook =
  (engine: Engine, outcome: VerdictOutcome, reasonCode: string) =>
  async ({ sessionId }: { sessionId: string }): Promise<PullRequestResult> => ({
    kind: 'verdict',
    verdictId: engine.service.decide(sessionId, outcome, reasonCode),
    outcome,
    reasonCode,
  })

export const looks = (engine: Engine): number => engine.service.callsOf('readPullRequest').length
export const untilLooked = (engine: Engine, times: number) => until(() => looks(engine) >= times)
export const askForVerdict = (handle: WorkflowHandle) =>
  handle.executeUpdate(runUpdate, { args: [{ requestId: 'request-2', requestedBy: '0x1' }] })
