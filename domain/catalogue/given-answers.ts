import type { ExpectedOutput } from '../../schemas/catalogue/job-definition.ts'
import { normaliseText } from '../common/text.ts'

/** What a verifier compares with a submission: one of the values, or each of them. */
export interface Answered {
  matchMode: 'exact' | 'contains_all'
  expectedOutputs: readonly ExpectedOutput[]
}

const valuesOf = ({ expectedOutputs }: Answered): string[] => expectedOutputs.map(({ value }) => normaliseText(value))

/** Whether a reader of the values of other jobs has the answer of this one: a value of it, or each of them, stands in theirs. */
export const isAnsweredBy = (job: Answered, others: readonly Answered[]): boolean => {
  const known = others.flatMap(valuesOf).join('\n')
  const isKnown = (value: string): boolean => known.includes(value)
  return job.matchMode === 'exact' ? valuesOf(job).some(isKnown) : valuesOf(job).every(isKnown)
}
