import type { CheckRun, CommitStatus, LookupFailure, PullRequestPage, PullRequestReview } from '../codehost/record.ts'

/** Reference of a pull request by its public address. */
export interface PullRequestRef {
  /** Lower case, with the port of the address if any. */
  host: string
  owner: string
  repo: string
  number: number
  /** `https://<host>/<owner>/<repo>/pull/<number>`, without query and fragment. */
  url: string
}

/** Reading of a pull request. A null list could not be read. */
export type PullRequestReading =
  | {
      status: 'verified'
      pull: PullRequestPage
      statuses: CommitStatus[] | null
      runs: CheckRun[] | null
      reviews: PullRequestReview[] | null
    }
  | ({ status: 'unavailable' } & LookupFailure)
  | { status: 'skipped'; reason: string }
  | { status: 'not_applicable'; reason: string }

export type CiState = 'unknown' | 'pending' | 'passing' | 'failing'

/** An excluded check with its reason. */
export interface CiExclusion {
  name: string
  reason: 'pending_maintainer_approval' | 'deployment_authorization_required' | 'deployment_integration_without_check_runs'
}

/** A check about contributor terms, which a person has to clear. */
export interface PolicyGate {
  name: string
  conclusion: string
  passed: boolean
}

export type ReviewState = 'none' | 'reviewed' | 'approved' | 'changes_requested'
/** Whether a part of the lookup could be read. */
type LookupPart = 'read' | 'unavailable'

/** What a verdict needs of a pull request that was read. Source: lifecycle, "codehost_pr". */
export interface VerifiedLookup extends Omit<PullRequestPage, 'number' | 'body' | 'author'> {
  status: 'verified'
  reason: null
  pullNumber: number
  issueReferenced: boolean
  checksPassing: boolean
  ciStatus: CiState
  ciExclusions: CiExclusion[]
  policyGates: PolicyGate[]
  pendingMaintainerApproval: boolean
  checkState: { statuses: CommitStatus[]; runs: CheckRun[] }
  reviewApproved: boolean
  reviewState: ReviewState
  disclosureFooterPresent: boolean
  prBodyReadable: boolean
  claimantBinding: string
  partial: { status: LookupPart; checkRuns: LookupPart; reviews: LookupPart }
}

/** A lookup that read nothing, with its reason. It has none of the facts of a verified one. */
type UnreadLookup = { status: Exclude<PullRequestReading['status'], 'verified'>; reason: string } & {
  [Fact in Exclude<keyof VerifiedLookup, 'status' | 'reason'>]?: never
}

/** Lookup of a verdict. */
export type CodehostLookup = VerifiedLookup | UnreadLookup

/** State of a pull request at one read, as far as it decides whether an approval settles by itself. */
export interface PullRequestState
  extends Pick<PullRequestPage, 'repo' | 'repoId' | 'baseRef' | 'defaultBranch' | 'state' | 'merged' | 'draft'> {
  /** Checks of the code; `pending` also while a maintainer has to allow them. Null when they could not be read. */
  ci: CiState | null
  /** Checks about contributor terms. */
  gates: 'none' | 'open' | 'passed'
}

/** Repository of the first read. It keeps its id when it is renamed. */
export type KnownRepository = Pick<PullRequestState, 'repo' | 'repoId'>
