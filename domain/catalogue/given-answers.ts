import type { ExpectedOutput } from '../../schemas/catalogue/job-definition.ts'
import { normaliseText } from '../common/text.ts'

/** What a verifier compares with a submission: one of the values, or each of them. */
export interface Answered {
  matchMode: 'exact' | 'contains_all'
  expectedOutputs: readonly ExpectedOutput[]
}

const valuesOf = ({ expectedOutputs }: Answered): string[] => expectedOutputs.map(({ value }) => normaliseText(value))

/** Whether a reader of the values of other jobs has the answer of this one: one of its values is theirs, or each stands in theirs. */
const isAnsweredBy = (job: Answered, others: readonly Answered[]): boolean => {
  const known = others.flatMap(valuesOf)
  if (job.matchMode === 'exact') return valuesOf(job).some((value) => known.includes(value))
  const text = known.join('\n')
  return valuesOf(job).every((value) => text.includes(value))
}

/** Whether others answer the new job, or one of them is answered with it that was not without it. */
export const givesAnswersAway = (added: Answered, others: readonly Answered[]): boolean => {
  const isNewlyAnswered = (job: Answered): boolean => {
    const before = others.filter((other) => other !== job)
    return isAnsweredBy(job, [...before, added]) && !isAnsweredBy(job, before)
  }
  return isAnsweredBy(added, others) || others.some(isNewlyAnswered)
}
