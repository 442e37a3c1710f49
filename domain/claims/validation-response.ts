import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { ValidationAnswer } from '../../schemas/claims/operations.ts'
import type { Finding } from '../../schemas/verification/verdict.ts'
import { SCHEMA_VALIDATES, SUBMISSION_SHAPE, UNWRAPPED_ALIAS } from '../catalogue/submission-contract.ts'
import { checksumAddress } from '../common/ids.ts'
import {
  type BindingStatus,
  claimantBinding,
  disclosureFooter,
  disclosureRequired,
  namesResponsiblePerson,
  personRequired,
} from '../pull-requests/disclosure.ts'
import type { Claimant } from '../pull-requests/lookup.ts'
import { foreseeRejection, isOpenData } from '../verification/foreseen-rejection.ts'
import { type AcceptedSubmission, type CheckedSubmission, checkSubmission, type SubmissionTerms } from './submission.ts'

const HINTS: Record<BindingStatus, string> = {
  matched: 'The pull request names you as the claimant.',
  mismatched: 'The pull request names another claimant; put your own wallet or claim session in a labelled line.',
  missing:
    'The pull request names no claimant; add the footer, or one labelled line with your wallet or claim session, outside of code and comments.',
  claimant_context_missing: 'The pull request names a claimant; the service can compare it with you once you hold the claim.',
  unavailable: 'The submission has no prBody; make sure that the text of the pull request has the footer.',
}

const NO_PERSON = 'The pull request names no responsible person as the claim did; add the line of the footer, outside of code and comments.'

/**
 * Disclosure advice for a pull-request job; undefined for other jobs and where the maintainer asks for none. `accepted`: null when not valid.
 * The footer has placeholders where the claimant is unknown.
 */
function submissionDisclosure(
  definition: JobDefinition,
  definitionUrl: string,
  accepted: AcceptedSubmission | null,
  claimant: Claimant | null,
): ValidationAnswer['disclosure'] {
  if (!disclosureRequired(definition)) return undefined
  const body = typeof accepted?.normalized === 'object' ? accepted.normalized.prBody : accepted?.normalized
  const { status } = claimantBinding(typeof body === 'string' ? body : null, claimant)
  // The checksummed wallet, as in the footer of the claim's answer.
  const own = claimant === null ? {} : { ...claimant, wallet: checksumAddress(claimant.wallet) ?? claimant.wallet }
  const footer = disclosureFooter({ ...own, definitionUrl, submissionHash: accepted?.evidenceHash })
  const person = claimant?.responsiblePerson ?? null
  const lacksPerson = status === 'matched' && personRequired(definition, person) && !namesResponsiblePerson(String(body), person)
  return { status, hint: lacksPerson ? NO_PERSON : HINTS[status], footer }
}

/** Warnings of a valid submission that may be rejected later. */
function submissionWarnings(
  accepted: AcceptedSubmission,
  disclosure: ValidationAnswer['disclosure'],
  rejection: Finding | null,
  definition: JobDefinition,
): NonNullable<ValidationAnswer['warnings']> {
  const unwrapped = accepted.normalizedFrom !== undefined
  const isSecret = definition.verifierConfig.handler === 'deterministic' && !isOpenData(definition)
  const unbound = disclosure?.status === 'missing' || disclosure?.status === 'mismatched' || disclosure?.hint === NO_PERSON
  return [
    ...(rejection
      ? [{ code: 'verifier_will_reject', message: `The verifier rejects this: ${rejection.detail} (${rejection.reasonCode})` }]
      : []),
    ...(isSecret ? [{ code: 'answer_not_compared', message: 'Only the verdict compares the answer with the expected outputs.' }] : []),
    ...(unwrapped
      ? [{ code: 'submission_unwrapped', message: `Taken from ${UNWRAPPED_ALIAS}; the documented shape is ${SCHEMA_VALIDATES}.` }]
      : []),
    ...(unbound ? [{ code: 'disclosure_binding_missing', message: disclosure.hint }] : []),
  ]
}

export interface ValidationRequest {
  definition: JobDefinition
  /** Public address of the definition, for the footer. */
  definitionUrl: string
  terms: SubmissionTerms
  submission: unknown
  /** Wallet and session when the caller holds the claim. */
  claimant: Claimant | null
}

/** A repository at its cap of open pull requests. */
interface FullRepository {
  repo: string
  openCount: number
  openPrCap: number
}

/** Adds a warning that the repository was at its cap at the last lookup; submit looks again before it refuses. */
export const withCapacityWarning = (answer: ValidationAnswer, { repo, openCount, openPrCap }: FullRepository): ValidationAnswer => ({
  ...answer,
  warnings: [
    ...(answer.warnings ?? []),
    {
      code: 'maintainer_open_pr_cap_reached',
      message: `${repo} has ${openCount} open pull requests of this service and allows ${openPrCap}. Submit checks again, and refuses until one is merged or closed.`,
    },
  ],
})

const base = ({ definition, terms }: ValidationRequest, valid: boolean): ValidationAnswer => ({
  jobId: definition.id,
  valid,
  submitSafe: valid,
  validationEndpoint: 'POST /jobs/validate-submission',
  submitEndpoint: 'POST /jobs/submit',
  submissionShape: terms.schema === null ? 'text' : SUBMISSION_SHAPE,
  schemaValidates: SCHEMA_VALIDATES,
  doNotWrapInOutput: true,
  requiredTopLevelKeys: [...(terms.schema?.required ?? [])],
  schemaRef: terms.schemaRef,
})

function acceptedAnswer(request: ValidationRequest, accepted: AcceptedSubmission): ValidationAnswer {
  const disclosure = submissionDisclosure(request.definition, request.definitionUrl, accepted, request.claimant)
  const rejection = foreseeRejection(request.definition, request.terms.schema, accepted.normalized)
  const warnings = submissionWarnings(accepted, disclosure, rejection, request.definition)
  return {
    ...base(request, true),
    submitSafe: rejection === null,
    submissionKind: accepted.submission.kind,
    normalizedSubmission: accepted.normalized,
    ...(accepted.normalizedFrom ? { normalizedFrom: accepted.normalizedFrom } : {}),
    evidenceHash: accepted.evidenceHash,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(disclosure ? { disclosure } : {}),
  }
}

/** Body of `POST /jobs/validate-submission`: the decision that submit would make, without storing anything. */
export function validateSubmissionAnswer(request: ValidationRequest): ValidationAnswer {
  const checked: CheckedSubmission = checkSubmission(request.terms, request.submission)
  if (checked.valid) return acceptedAnswer(request, checked)
  const { valid: _valid, ...refusal } = checked
  const disclosure = submissionDisclosure(request.definition, request.definitionUrl, null, request.claimant)
  return { ...base(request, false), ...refusal, ...(disclosure && { disclosure }) }
}
