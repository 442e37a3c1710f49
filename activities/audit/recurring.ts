import { deriveJob } from '../../domain/lanes/recurring.ts'
import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import { type Check, PAGE, readPages } from './context.ts'

/** Counts, limits and jobs of one template. */
interface Run {
  jobId: string
  nominalAt: number
  rewardRaw: bigint
  specHash: string
}

const limitsOf = ({ maxRuns, reserveAmountRaw, startAt, endAt }: JobDefinition) => ({
  maxRuns: maxRuns ?? Number.POSITIVE_INFINITY,
  reserveRaw: reserveAmountRaw === undefined ? null : BigInt(reserveAmountRaw),
  startAt: startAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(startAt),
  endAt: endAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(endAt),
})

/** Compares every recurring template with its limits and with the jobs that were made from it. */
export const checkRecurringTemplates: Check = async ({ rows }, add) => {
  const templates = rows.selectFrom('recurring_template').innerJoin('job', 'job.id', 'recurring_template.templateId')
  const selected = templates
    .select(['recurring_template.templateId', 'recurring_template.runs', 'recurring_template.spentRaw', 'job.definition'])
    .orderBy('recurring_template.templateId')
    .limit(PAGE)
  const list = (last: { templateId: string } | undefined) =>
    selected.where('recurring_template.templateId', '>', last?.templateId ?? '').execute()
  for await (const page of readPages(list))
    for (const { templateId, runs, spentRaw, definition } of page) {
      const found: Run[] = await rows
        .selectFrom('recurring_run')
        .innerJoin('job', 'job.id', 'recurring_run.jobId')
        .select(['recurring_run.jobId', 'recurring_run.nominalAt', 'recurring_run.rewardRaw', 'job.specHash'])
        .where('recurring_run.templateId', '=', templateId)
        .orderBy('recurring_run.nominalAt')
        .execute()
      const sum = found.reduce((total, { rewardRaw }) => total + rewardRaw, 0n)
      const { maxRuns, reserveRaw, startAt, endAt } = limitsOf(definition)
      const expect = (holds: boolean, subject: string, expected: string, seen: string): void => {
        if (!holds) add({ subject, expected, found: seen })
      }
      const subject = `template ${templateId}`
      expect(found.length === runs, subject, `${runs} runs`, `${found.length} runs`)
      expect(sum === spentRaw, subject, `${spentRaw} spent`, `${sum} spent`)
      expect(found.length <= maxRuns, subject, `at most ${maxRuns} runs`, `${found.length} runs`)
      expect(reserveRaw === null || sum <= reserveRaw, subject, `at most ${reserveRaw} spent`, `${sum} spent`)
      for (const { jobId, nominalAt, specHash } of found) {
        const job = deriveJob(definition, nominalAt)
        const isSame = job.definition.id === jobId && job.specHash === specHash
        expect(isSame, `job ${jobId}`, `the terms of ${job.definition.id}`, 'other terms')
        expect(nominalAt >= startAt && nominalAt <= endAt, `job ${jobId}`, 'a time of its template', new Date(nominalAt).toISOString())
      }
    }
}
