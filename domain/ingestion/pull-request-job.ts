import type { JobInputBody } from '../../schemas/catalogue/job-input.ts'
import type { RepositoryPolicy } from '../../schemas/pull-requests/policy.ts'
import type { Unfit } from './provider.ts'

/** Open pull requests that a repository may have from all workers. Source: lifecycle, "Disclosure, claimant binding, maintainer policy". */
const OPEN_PR_CAP = 3
/** Paths of a policy that a job names. */
const MAX_PATHS = 30

/** Policy of the maintainers as a source shows it. Source: specification, "Job definition". */
const policyMember = ({ scannedPaths }: RepositoryPolicy) => ({
  repoDenied: false,
  disclosureRequired: true,
  openPrCap: OPEN_PR_CAP,
  scannedPaths: scannedPaths.slice(0, MAX_PATHS).map((path) => path.slice(0, 300)),
})

/** What the policy of a repository decides about a candidate. */
export interface PolicyDecision {
  /** Reason and detail of the skip; null where the job may be listed. */
  refusal: Unfit | null
  /** Member `maintainerPolicy` of the job's source; absent without one. */
  maintainerPolicy?: ReturnType<typeof policyMember>
}

/** Decides about a candidate by the policy of its repository, null for one that was not read. No other place does. */
export const decideByPolicy = (policy: RepositoryPolicy | null): PolicyDecision => ({
  refusal: policyUnfit(policy),
  ...(policy !== null && { maintainerPolicy: policyMember(policy) }),
})

/** Why a repository takes no work of agents; null where it does. */
const policyUnfit = (policy: RepositoryPolicy | null): Unfit | null => {
  if (policy === null) return { reason: 'repo_policy_unread', detail: 'The policy of the repository was not read.' }
  const { repo, verdict, reason, isClosed } = policy
  if (isClosed) return { reason: 'repo_closed', detail: `${repo} takes no pull requests.` }
  if (verdict !== 'denies') return null
  return { reason: reason ?? 'repo_ai_policy_denies_agent_contributions', detail: `The maintainers of ${repo} refuse work of agents.` }
}

/** Members of every ingested job that a pull request answers. Source: lifecycle, "Ingest". */
export const PULL_REQUEST_JOB = {
  lane: 'oss-anchored',
  jobType: 'work',
  rewardAsset: 'USDC',
  claimTtlSeconds: 7_200,
  retryLimit: 1,
} as const satisfies Partial<JobInputBody>

/** Hints to the worker of a job for a repository with this policy. */
export const pullRequestInstructions = ({ verdict }: RepositoryPolicy): string[] => [
  'Put the disclosure footer of this job into the text of the pull request.',
  ...(verdict === 'human_required' ? ['The maintainers want a responsible person: name one at the claim.'] : []),
  'Submit the address of the pull request, a summary and the tests that you ran.',
]
