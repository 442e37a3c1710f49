import type { JobInputBody } from '../../schemas/catalogue/job-input.ts'
import type { RepositoryPolicy } from '../../schemas/pull-requests/policy.ts'
import { maintainerPolicyMember, policyInstructions } from '../pull-requests/policy/standing.ts'
import type { Unfit } from './provider.ts'
import { screenSourceTexts } from './screen-texts.ts'
import { boundLine, quoteText } from './source-text.ts'

/** Paths of a policy that a job names. */
const MAX_PATHS = 30
/** Longest path and longest quotation in a job, characters. */
const MAX_LENGTH = 300

const isShown = (value: string): boolean => screenSourceTexts([{ pointer: '/policy', value }]).length === 0
const shownOrNull = (text: string | null): string | null => (text !== null && isShown(text) ? text : null)

/** A policy as a job may show it: its repository wrote the names of its files and the quotation. What breaks the listing screen is left out. */
const shownPolicy = ({ path, quote, scannedPaths, ...policy }: RepositoryPolicy): RepositoryPolicy => ({
  ...policy,
  path: shownOrNull(path === null ? null : boundLine(path, MAX_LENGTH)),
  // Without the quotation marks around it: it is stored as text.
  quote: shownOrNull(quote === null ? null : quoteText(quote, MAX_LENGTH).slice(1, -1)),
  scannedPaths: scannedPaths
    .map((one) => boundLine(one, MAX_LENGTH))
    .filter(isShown)
    .slice(0, MAX_PATHS),
})

/** What the policy of a repository decides about a candidate. */
export interface PolicyDecision {
  /** Reason and detail of the skip; null where the job may be listed. */
  refusal: Unfit | null
  /** Member `maintainerPolicy` of the job's source; absent without one. */
  maintainerPolicy?: ReturnType<typeof maintainerPolicyMember>
}

/** Decides about a candidate by the policy of its repository, null for one that was not read. No other place does. */
export const decideByPolicy = (policy: RepositoryPolicy | null): PolicyDecision => ({
  refusal: policyUnfit(policy),
  ...(policy !== null && { maintainerPolicy: maintainerPolicyMember(shownPolicy(policy)) }),
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
export const pullRequestInstructions = (policy: RepositoryPolicy): string[] => [
  'Put the disclosure footer of this job into the text of the pull request.',
  ...policyInstructions(shownPolicy(policy)),
  'Submit the address of the pull request, a summary and the tests that you ran.',
]
