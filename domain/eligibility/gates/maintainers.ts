import { knownValue } from '../../common/fact.ts'
import { expectedRepositoryId } from '../../pull-requests/expected.ts'
import { type MaintainerFacts, needsResponsiblePerson, strictestStatement } from '../../pull-requests/policy/standing.ts'
import type { Assessment } from '../assessment.ts'
import { type Blocker, blocker } from './blocker.ts'

/** A claim that found no recent reading may try again after this time. */
const RETRY_SECONDS = 60

/** Refusals that a policy states by its reason. */
const DENIALS = ['repo_denylisted', 'repo_ai_policy_denies_agent_contributions', 'maintainer_stop_signal'] as const
type Denial = (typeof DENIALS)[number]

const denialOf = (facts: MaintainerFacts): { code: Denial; path: string | null; quote: string | null } | null => {
  const found = strictestStatement(facts)
  if (found?.verdict !== 'denies') return null
  const { path, quote } = found
  return { code: DENIALS.find((code) => code === found.reason) ?? 'repo_ai_policy_denies_agent_contributions', path, quote }
}

/** Refuses by what was last read of the repository and the issue: a no of the maintainers, a closed or another repository, a closed issue. */
const refuseByRecords = (jobId: string, repoId: number | null, facts: MaintainerFacts): Blocker | null => {
  const { repo, policy, issue } = facts
  const denial = denialOf(facts)
  if (denial !== null) {
    const { code, path, quote } = denial
    return blocker('maintainer_policy', code, { details: { jobId, repo, path, quote } })
  }
  if (policy?.isClosed === true) return blocker('maintainer_policy', 'source_repository_closed', { details: { jobId, repo } })
  if (policy !== null && repoId !== null && policy.repoId !== repoId)
    return blocker('maintainer_policy', 'source_repository_closed', { details: { jobId, repo, state: 'replaced' } })
  if (issue === null || issue.state === 'open') return null
  return blocker('maintainer_policy', 'source_issue_closed', { details: { jobId, repo, issueNumber: issue.number, state: issue.state } })
}

/** Refuses where the maintainers say no, and for the time being where a claim is decided without a recent reading. */
export const maintainerPolicyGate = ({ facts: { job, maintainers } }: Assessment): Blocker | null => {
  const known = knownValue(maintainers)
  if (known === undefined || known === null) return null
  const refused = refuseByRecords(job.id, expectedRepositoryId(job.definition.source), known)
  if (refused !== null || known.isFresh || !known.mustBeFresh) return refused
  const details = { jobId: job.id, repo: known.repo }
  return blocker('maintainer_policy', 'maintainer_policy_unavailable', { retryAfterSeconds: RETRY_SECONDS, details })
}

/** Refuses where open pull requests and claims that may open one fill the cap of the repository. */
export const openPrCapGate = ({ facts: { job, maintainers } }: Assessment): Blocker | null => {
  const capacity = knownValue(maintainers)?.capacity
  if (!capacity || capacity.openCount < capacity.openPrCap) return null
  return blocker('open_pr_cap', 'maintainer_open_pr_cap_reached', { details: { jobId: job.id, ...capacity } })
}

/** Refuses a claim without a person where the maintainers accept work only if a person answers for it. */
export const responsiblePersonGate = ({ facts: { job, maintainers, responsiblePerson } }: Assessment): Blocker | null => {
  const known = knownValue(maintainers)
  if (!known || knownValue(responsiblePerson) !== null || !needsResponsiblePerson(known)) return null
  const { path = null, quote = null } = strictestStatement(known) ?? {}
  return blocker('responsible_person', 'responsible_person_required', { details: { jobId: job.id, repo: known.repo, path, quote } })
}
