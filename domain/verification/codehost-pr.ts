import type { CodehostPrConfig, JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { CodehostLookup, KnownRepository, PullRequestReading } from '../../schemas/pull-requests/record.ts'
import type { Finding } from '../../schemas/verification/verdict.ts'
import { offeredPullRequest, repoOf } from '../pull-requests/address.ts'
import { type PullRequestBlocker, pullRequestBlockers } from '../pull-requests/blockers.ts'
import { checkPullRequest, isExpectedRepo, type PullRequestChecks } from '../pull-requests/checks.ts'
import { decidePullRequest, type PullRequestDecision } from '../pull-requests/decision.ts'
import { type ClaimantBinding, disclosureRequired, personRequired } from '../pull-requests/disclosure.ts'
import { expectedRepositoryId, expectedWork } from '../pull-requests/expected.ts'
import { type Claimant, lookupOf } from '../pull-requests/lookup.ts'
import { scorePullRequest } from '../pull-requests/score.ts'
import { pullRequestItems } from './pull-request-items.ts'

/** Input of the judgement. */
export interface PullRequestCase {
  config: CodehostPrConfig
  definition: Pick<JobDefinition, 'source' | 'verifierMode'>
  submission: unknown
  claimant: Claimant
  reading: PullRequestReading
  /** Repository of the first read; null before it. */
  knownRepository: KnownRepository | null
}

/** Achievements of the worker besides the verdict, for profiles. */
interface PullRequestSignals {
  attempted: boolean
  prOpened: boolean
  issueReferenced: boolean
  testEvidenceSubmitted: boolean
  checksPassed: boolean
  maintainerApproved: boolean
  merged: boolean
}

/** A finding with its evidence. Source: lifecycle, "codehost_pr". */
export interface PullRequestFinding extends Finding {
  evidence: Record<string, string | number | boolean | null>
  blockers: PullRequestBlocker[]
  disclosure: Omit<ClaimantBinding, 'status'>
  ciExclusions: NonNullable<CodehostLookup['ciExclusions']>
  policyGates: NonNullable<CodehostLookup['policyGates']>
  checks: PullRequestChecks
  signals: PullRequestSignals
  reputationSignals: PullRequestSignals
  codehostLookup: CodehostLookup
  /** Set when a reviewer has to decide. */
  escalatedFrom?: 'codehost_pr'
}

const signalsOf = (checks: PullRequestChecks): PullRequestSignals => ({
  attempted: true,
  prOpened: checks.prUrlValid,
  issueReferenced: checks.issueReferenced,
  testEvidenceSubmitted: checks.testEvidenceSubmitted,
  checksPassed: checks.checksPassing,
  maintainerApproved: checks.reviewApproved,
  merged: checks.merged,
})

/** Signals count towards a profile only where the code host confirms them. */
const vouchedSignals = (signals: PullRequestSignals, lookup: CodehostLookup): PullRequestSignals =>
  lookup.status === 'verified'
    ? signals
    : { ...signals, prOpened: false, issueReferenced: false, checksPassed: false, maintainerApproved: false, merged: false }

type Decided = Pick<Finding, 'outcome' | 'reasonCode' | 'detail'> & { escalatedFrom?: 'codehost_pr' }

function decidedBy(decision: PullRequestDecision, score: number, minimum: number, blockers: readonly string[]): Decided {
  const scored = `Score ${score} (${minimum} needed).`
  switch (decision.kind) {
    case 'approve':
      return { outcome: 'approved', reasonCode: 'CODEHOST_PR_EVIDENCE_ACCEPTED', detail: scored }
    case 'reject':
      return { outcome: 'rejected', reasonCode: 'CODEHOST_PR_EVIDENCE_INCOMPLETE', detail: `${scored} Not met: ${blockers.join(', ')}.` }
    case 'review':
      return { outcome: 'disputed', reasonCode: 'HUMAN_REVIEW_REQUIRED', detail: decision.reason, escalatedFrom: 'codehost_pr' }
  }
}

/** Judges a submitted pull request by its reading. Source: lifecycle, "codehost_pr". */
export function judgePullRequest({ config, definition, submission, reading, ...known }: PullRequestCase): PullRequestFinding {
  const expected = expectedWork(definition.source)
  const offered = offeredPullRequest(submission)
  const { claimant } = known
  const isPersonRequired = personRequired(definition, claimant.responsiblePerson ?? null)
  const { lookup, binding } = lookupOf(reading, { expected, claimant, personRequired: isPersonRequired })
  const required = disclosureRequired(definition)
  const expectedRepoId = expectedRepositoryId(definition.source)
  const checks = checkPullRequest({
    submission,
    offered,
    expected,
    expectedRepoId,
    lookup,
    binding: binding.status,
    knownRepository: known.knownRepository,
  })
  const score = scorePullRequest(config, checks)
  const blockers = pullRequestBlockers({ config, checks, lookup, disclosureRequired: required })
  const isReplaced = expectedRepoId !== null && lookup.repoId !== undefined && lookup.repoId !== expectedRepoId
  const named = { repoExpected: expected.repo !== null, addressExpected: isExpectedRepo(offered, expected), isReplaced }
  const decision = decidePullRequest({ config, checks, lookup, blockers, score, ...named })
  const signals = signalsOf(checks)
  const { status, ...disclosure } = binding
  return {
    ...decidedBy(decision, score, config.minimumScore, blockers),
    score,
    items: pullRequestItems({ config, checks, lookup, disclosureRequired: required, blockers, score }),
    evidence: {
      prUrl: offered.address,
      repo: offered.ref === null ? null : repoOf(offered.ref),
      pullNumber: offered.ref?.number ?? null,
      expectedRepo: expected.repo,
      expectedIssueNumber: expected.issueNumber,
      disclosureRequired: required,
      responsiblePersonRequired: isPersonRequired,
      claimantBindingRequired: config.requireClaimantBinding,
      claimantBindingStatus: status,
    },
    blockers,
    disclosure,
    ciExclusions: lookup.ciExclusions ?? [],
    policyGates: lookup.policyGates ?? [],
    checks,
    signals,
    reputationSignals: vouchedSignals(signals, lookup),
    codehostLookup: lookup,
  }
}
