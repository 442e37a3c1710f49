import type { CodehostLookup, PullRequestReading, VerifiedLookup } from '../../schemas/pull-requests/record.ts'
import { summariseChecks } from './ci-summary.ts'
import { type ClaimantBinding, claimantBinding, footerPresent, namesResponsiblePerson } from './disclosure.ts'
import { type ExpectedWork, pageNamesIssue } from './expected.ts'
import { reviewState } from './reviews.ts'

type Verified = Extract<PullRequestReading, { status: 'verified' }>

/** Claimant that the text of the pull request must name. */
export interface Claimant {
  wallet: string
  sessionId: string
  /** Person whom the claim named as the one who answers for the work; absent without one. */
  responsiblePerson?: string | undefined
}

/** Lookup of a reading, with its claimant lines. */
export interface LookupResult {
  lookup: CodehostLookup
  /** Claimant lines of the pull request; `unavailable` when its text was not read. */
  binding: ClaimantBinding
}

const partOf = (list: unknown[] | null): 'read' | 'unavailable' => (list === null ? 'unavailable' : 'read')

/** What the text of a pull request must have. */
interface ExpectedText {
  expected: ExpectedWork
  claimant: Claimant
  /** Whether it must name the person who answers for the work. */
  personRequired: boolean
}

function verifiedLookup(
  { pull, statuses, runs, reviews }: Verified,
  { expected, claimant, personRequired }: ExpectedText,
  binding: ClaimantBinding,
): VerifiedLookup {
  const checkState = { statuses: statuses ?? [], runs: runs ?? [] }
  const checks = summariseChecks(checkState.statuses, checkState.runs)
  const { author, body, number, ...page } = pull
  const state = reviewState(reviews ?? [], author)
  return {
    status: 'verified',
    reason: null,
    ...page,
    pullNumber: number,
    issueReferenced: pageNamesIssue(pull, expected),
    checksPassing: checks.ciStatus === 'passing',
    ...checks,
    checkState,
    reviewApproved: state === 'approved',
    reviewState: state,
    disclosureFooterPresent:
      body !== null && footerPresent(body) && (!personRequired || namesResponsiblePerson(body, claimant.responsiblePerson ?? null)),
    prBodyReadable: body !== null,
    claimantBinding: binding.status,
    partial: { status: partOf(statuses), checkRuns: partOf(runs), reviews: partOf(reviews) },
  }
}

/** Lookup of a verdict, from a reading of the pull request. */
export function lookupOf(reading: PullRequestReading, text: ExpectedText): LookupResult {
  const { claimant } = text
  if (reading.status !== 'verified') {
    return { lookup: { status: reading.status, reason: reading.reason }, binding: claimantBinding(null, claimant) }
  }
  const binding = claimantBinding(reading.pull.body, claimant)
  return { lookup: verifiedLookup(reading, text, binding), binding }
}

/** True when a part of a verified lookup could not be read. */
export const isPartial = ({ partial }: CodehostLookup): boolean => Object.values(partial ?? {}).some((part) => part === 'unavailable')
