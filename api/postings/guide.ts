import { SETTLEMENT_PATHS } from '../../domain/catalogue/verification-contract.ts'
import { ARBITRATOR_SLA_SECONDS, inDays, inHours, REVIEW_SLA_SECONDS } from '../../domain/common/constants.ts'
import { VERIFIER_MODES, type VerifierMode } from '../../schemas/catalogue/job-terms.ts'
import type { OperationSpec } from '../../schemas/operations/operation.ts'
import { OPERATIONS, type OperationId } from '../../schemas/operations/registry.ts'
import type { PosterOnboarding } from '../../schemas/postings/onboarding.ts'

type Step = PosterOnboarding['flow'][number]

const step = (id: string, operationId: OperationId, returns: string): Step => {
  const { method, path, examples }: OperationSpec = OPERATIONS[operationId]
  const body = method === 'POST' ? examples?.body : undefined
  return { id, method, path, ...(body !== undefined && { body: body as Record<string, unknown> }), returns }
}

/** Steps of a poster, from the sign-in to the schemas. */
export const FLOW: Step[] = [
  step('siwe', 'issueNonce', 'The message that the wallet signs; POST /auth/verify exchanges it for a token.'),
  step('draft', 'draftJob', 'Ids, cost, what a claimer needs, and the call that funds the job.'),
  step('fund', 'buildPostJobTransactions', 'Unsigned transactions that the wallet signs and sends.'),
  step('watch', 'listPosterJobs', 'Where each job stands, and what to do next.'),
  step('delist', 'buildCancelTransactions', 'The transaction that takes the money of an open job back, and its listing with it.'),
  step('schema-discovery', 'listJobSchemas', 'The built-in schemas of tasks and results.'),
]

const MODES: Record<VerifierMode, { template: string; gate: string; disclosure: string; statement: string }> = {
  benchmark: {
    template: 'an analysis or a text that must name certain facts',
    gate: 'enough of the terms occur in the submission',
    disclosure: 'The terms are public.',
    statement: 'Counts the terms of `verifierTerms` that a submission contains.',
  },
  deterministic: {
    template: 'a question with one answer that the poster knows',
    gate: 'the answer equals an expected one, or contains all of them',
    disclosure: 'The definition has commitments in place of the answers; they are published when the job can no longer be claimed.',
    statement: 'Compares the answer with `verifierTerms`.',
  },
  codehost_pr: {
    template: 'a pull request for an issue of a public repository',
    gate: 'the pull request scores at least `verifierMinimumScore`',
    disclosure: 'Repository and issue are public.',
    statement: 'Reads the pull request at its host; a reviewer of the service, or the merge, settles it.',
  },
  human_fallback: {
    template: 'work that only a person can judge',
    gate: 'a reviewer of the service approves',
    disclosure: 'The reviewer sees the submission and `escalationMessage`.',
    statement: 'Sends every submission to a person.',
  },
  verification_profile: {
    template: 'a patch of a repository by one named wallet, which tests can judge',
    gate: 'the profile passes with the frozen test contract, twice with the same results',
    disclosure: 'Repository, commit, test command and contract digest are public; of private checks only counts are.',
    statement:
      'Runs a pinned profile in a sandbox. The reward moves on a passing result only; without a result within 14 days nearly all of it returns.',
  },
}

/** Which verifier fits which kind of job, and what happens where a person decides. */
export const VERIFICATION: PosterOnboarding['verification'] = {
  templateRouting: VERIFIER_MODES.map((verifierMode) => {
    const { template, gate, disclosure } = MODES[verifierMode]
    return { template, verifierMode, gate, disclosure }
  }),
  modes: VERIFIER_MODES.map((mode) => ({ mode, settlement: SETTLEMENT_PATHS[mode], statement: MODES[mode].statement })),
  humanReview: {
    verifierOutcome: { outcome: 'disputed', reasonCode: 'HUMAN_REVIEW_REQUIRED' },
    verdicts: ['dismissed', 'upheld', 'split'],
    reviewer: 'A reviewer or the arbitrator of the service; the poster does not judge.',
    deadline: `${inHours(REVIEW_SLA_SECONDS)} for a pull request before it goes to a person; ${inDays(ARBITRATOR_SLA_SECONDS)} for the arbitrator, then the contract pays half.`,
  },
}
