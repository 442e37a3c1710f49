import type { ExpectedOutput, JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import type { Finding } from '../../../schemas/verification/verdict.ts'
import { parseFact } from '../../catalogue/committed-facts.ts'
import { normaliseText } from '../../common/text.ts'
import { verdictItem } from '../../sessions/verdict-items.ts'
import { normaliseEvidence } from '../normalise-text.ts'
import { statementFault, statesFact } from './statements.ts'

/** What a fetch of the pinned address shows of the committed bytes. */
export type SourceState = 'unchanged' | 'changed' | 'unreachable'

const factsIn = (outputs: readonly ExpectedOutput[]) => outputs.map(({ value }) => parseFact(normaliseText(value)))

/** SHA-256 that a job committed to, 64 hex digits in lower case; null for facts without one. */
export const committedDigest = (outputs: readonly ExpectedOutput[]): string | null =>
  factsIn(outputs).find((fact) => fact?.name === 'sha256')?.value ?? null

/** Whether each fact stands in a submission, in their order. */
const meets = (outputs: readonly ExpectedOutput[], submission: unknown): boolean[] => {
  const text = normaliseEvidence(submission)
  return factsIn(outputs).map((fact) => fact !== null && statesFact(text, fact))
}

const UNMET = {
  unchanged: {
    outcome: 'rejected',
    reasonCode: 'DETERMINISTIC_MISMATCH',
    detail: 'The submission does not state every fact of the pinned source, which still has the committed bytes.',
    isUnchanged: true,
  },
  changed: {
    outcome: 'inconclusive',
    reasonCode: 'DETERMINISTIC_SOURCE_CHANGED',
    detail: 'The pinned address has other bytes than those of the facts; the work was not judged.',
    isUnchanged: false,
  },
  unreachable: {
    outcome: 'inconclusive',
    reasonCode: 'DETERMINISTIC_SOURCE_UNREACHABLE',
    detail: 'The pinned address did not answer with its bytes; the work was not judged.',
    isUnchanged: null,
  },
} as const

/** Approval of a submission that states every fact; null for any other one, which the state of the source decides. */
export function approveFacts(outputs: readonly ExpectedOutput[], submission: unknown): Finding | null {
  const met = meets(outputs, submission)
  if (met.length === 0 || !met.every(Boolean)) return null
  const items = met.map((isMet) => verdictItem('answer_expected', isMet, '/verificationInput'))
  return {
    outcome: 'approved',
    score: 100,
    reasonCode: 'DETERMINISTIC_MATCH',
    detail: 'The submission states every fact of the source.',
    items,
  }
}

/** Finding of committed facts. A fact that is not stated counts against the worker only where the source still has the committed bytes. */
export function judgeFacts(outputs: readonly ExpectedOutput[], submission: unknown, state: SourceState): Finding {
  const approval = approveFacts(outputs, submission)
  if (approval !== null) return approval
  const { isUnchanged, ...finding } = UNMET[state]
  const met = outputs.length === 0 ? [false] : meets(outputs, submission)
  const facts = met.map((isMet) => verdictItem('answer_expected', isMet, '/verificationInput'))
  return { ...finding, score: 0, items: [...facts, verdictItem('source_unchanged', isUnchanged, '/detail')] }
}

const FAULTS = { missing: 'does not state', ambiguous: 'states with several numbers' } as const

/** Rejection of a submission that cannot state the named facts, whatever their values; null where it can. */
export function foreseeFacts({ verification }: Pick<JobDefinition, 'verification'>, submission: unknown): Finding | null {
  const text = normaliseEvidence(submission)
  const faults = (verification?.signals ?? []).map((name) => ({ name, fault: statementFault(text, name) }))
  const phrases = (['missing', 'ambiguous'] as const).flatMap((kind) => {
    const names = faults.filter(({ fault }) => fault === kind).map(({ name }) => name)
    return names.length === 0 ? [] : [`${FAULTS[kind]} ${names.join(', ')}`]
  })
  if (phrases.length === 0) return null
  const detail = `The submission ${phrases.join(' and ')}. State each fact once in one text, as its name, a space and its value.`
  const items = faults.map(({ fault }) => verdictItem('answer_expected', fault === null, '/verificationInput'))
  return { outcome: 'rejected', score: 0, reasonCode: 'DETERMINISTIC_MISMATCH', detail, items }
}
