import { HANDLER_VERSIONS } from '../../domain/catalogue/verification-contract.ts'
import { offeredPullRequest } from '../../domain/pull-requests/address.ts'
import { isExpectedRepo } from '../../domain/pull-requests/checks.ts'
import { expectedWork } from '../../domain/pull-requests/expected.ts'
import { judgePullRequest } from '../../domain/verification/codehost-pr.ts'
import type { PullRequestReading } from '../../schemas/pull-requests/record.ts'
import type { Unavailable } from '../../schemas/verification/verdict.ts'
import { createHandler, type VerifierHandler, type VerifierInput, type VerifierSources } from './handler.ts'

type Sources = Pick<VerifierSources, 'readPullRequest'>

/** Reads the submitted pull request if it is in the job's own repository. A worker cannot make the service read another one. */
const readOffered = async ({ submission, definition }: VerifierInput, { readPullRequest }: Sources): Promise<PullRequestReading> => {
  const offered = offeredPullRequest(submission)
  if (offered.ref === null) return { status: 'not_applicable', reason: 'codehost_pr_url_invalid' }
  if (!isExpectedRepo(offered, expectedWork(definition.source))) return { status: 'not_applicable', reason: 'codehost_repo_mismatch' }
  return readPullRequest(offered.ref)
}

const createUnavailable = (reason: string, retryAfterSeconds: number | null): Unavailable => ({
  unavailable: {
    reasonCode: 'CODEHOST_PR_LOOKUP_UNAVAILABLE',
    detail: reason,
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
  },
})

/** Judges a pull request by its state on the code host. An unreachable host gives no verdict; a permanent refusal leads to human review. */
export const createCodehostPrHandler = (sources: Sources): VerifierHandler =>
  createHandler('codehost_pr', async (config, input) => {
    const { definition, submission, wallet, sessionId, knownRepository } = input
    const reading = await readOffered(input, sources)
    if (reading.status === 'unavailable' && reading.isTransient) return createUnavailable(reading.reason, reading.retryAfterSeconds)
    const finding = judgePullRequest({ config, definition, submission, claimant: { wallet, sessionId }, reading, knownRepository })
    if (finding.escalatedFrom === undefined) return finding
    return { ...finding, handler: 'human_fallback', handlerVersion: HANDLER_VERSIONS.human_fallback }
  })
