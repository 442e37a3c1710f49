import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import type { JobRecord } from '../../../schemas/catalogue/record.ts'
import { POLICY_VERDICTS, type PolicyVerdict, type RepositoryPolicy, type SourceIssue } from '../../../schemas/pull-requests/policy.ts'
import { repoKey } from '../address.ts'
import { expectedWork } from '../expected.ts'

/** A claim is decided by what was read of the code host in this time. */
export const POLICY_MAX_AGE_SECONDS = 180

/** Open pull requests of a repository, those that live claims may still open included, and their cap. */
export interface RepositoryCapacity {
  /** `owner/name`, lower case. */
  repo: string
  openCount: number
  openPrCap: number
}

/** What is recorded of the maintainers of a job's repository. */
export interface MaintainerFacts {
  repo: string
  /** Null before the first reading. */
  policy: RepositoryPolicy | null
  /** Null before the first reading, and for a job without an issue. */
  issue: SourceIssue | null
  /** Whether policy and issue were read within `POLICY_MAX_AGE_SECONDS`. */
  isFresh: boolean
  /** True where a claim is decided: what was not read just now refuses it for the time being. */
  mustBeFresh: boolean
  /** Null without a cap. */
  capacity: RepositoryCapacity | null
}

/** Repository and issue whose maintainers decide about a job. */
export interface MaintainedWork {
  /** `owner/name` as the job spells it. */
  repo: string
  /** `owner/name`, lower case. */
  key: string
  /** Null for a job without an issue. */
  issueNumber: number | null
  /** Host of the addresses of the source; null where it has none. */
  host: string | null
}

/** Work whose maintainers are asked before a claim: pull requests of an operator's jobs. Null for every other job. */
export const maintainedWork = ({ definition, postingRoute }: Pick<JobRecord, 'definition' | 'postingRoute'>): MaintainedWork | null => {
  if (postingRoute !== 'curated' || definition.verifierMode !== 'codehost_pr') return null
  const { repo, issueNumber, host } = expectedWork(definition.source)
  return repo === null ? null : { repo, key: repoKey(repo), issueNumber, host }
}

/** Facts for the decision of a claim, which accepts recent readings only. */
export const forMaintainedClaim = (facts: MaintainerFacts | null): MaintainerFacts | null => facts && { ...facts, mustBeFresh: true }

/** The strictest of what repository and issue say, with the sentence that says so. */
export const strictestStatement = ({ policy, issue }: Pick<MaintainerFacts, 'policy' | 'issue'>) => {
  const statements = [
    ...(policy === null ? [] : [{ verdict: policy.verdict, reason: policy.reason, path: policy.path, quote: policy.quote }]),
    ...(issue === null ? [] : [{ verdict: issue.verdict, reason: issue.reason, path: 'issue', quote: issue.quote }]),
  ]
  const rank = (verdict: PolicyVerdict): number => POLICY_VERDICTS.indexOf(verdict)
  return statements.sort((one, other) => rank(one.verdict) - rank(other.verdict))[0] ?? null
}

/** Whether a worker has to name a person who answers for its work. */
export const needsResponsiblePerson = (facts: Pick<MaintainerFacts, 'policy' | 'issue'>): boolean =>
  strictestStatement(facts)?.verdict === 'human_required'

/**
 * Member `maintainerPolicy` of the source of a job that is made of a repository with this policy. It has no `openPrCap`: the maintainers name
 * none, and so the operator's cap holds as it is at each claim. Source: specification, "Job definition".
 */
export const maintainerPolicyMember = ({ verdict, forbidsTrailers, path, quote, scannedPaths }: RepositoryPolicy) => ({
  repoDenied: verdict === 'denies',
  disclosureRequired: true,
  scannedPaths,
  verdict,
  forbidsTrailers,
  ...(path !== null && { path }),
  ...(quote !== null && { quote }),
})

/** What the instructions of such a job have to say beside the disclosure; none where the maintainers ask for nothing more. */
export const policyInstructions = ({ verdict, forbidsTrailers, quote, path }: RepositoryPolicy): string[] => [
  ...(verdict === 'human_required'
    ? ['Name the responsible person who answers for the change: claim the job with `responsiblePerson`, and keep their line in the footer.']
    : []),
  ...(verdict === 'disclose' && quote !== null ? [`The maintainers ask for disclosure in ${path ?? 'their policy'}: “${quote}”`] : []),
  ...(forbidsTrailers ? ['Write no `Co-authored-by` or `Assisted-by` line for an agent into a commit: the maintainers forbid it.'] : []),
]

/** Policy of the job's own text, without what was read later. */
export const definesHumanRequired = ({ source }: Pick<JobDefinition, 'source'>): boolean => {
  const policy = source?.maintainerPolicy
  return policy !== null && typeof policy === 'object' && !Array.isArray(policy) && policy.verdict === 'human_required'
}
