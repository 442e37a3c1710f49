import { deriveJob, isWithinTime } from '../../../domain/lanes/recurring.ts'
import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import type { Rows } from '../../database/database.ts'
import { type AddFinding, type Check, PAGE, readPages, sumRaw } from '../context.ts'

interface Counted {
  templateId: string
  runs: number
  spentRaw: bigint
}

const readJobs = async (rows: Rows, ids: readonly string[]) => {
  if (ids.length === 0) return new Map<string, { definition: JobDefinition; specHash: string }>()
  const found = await rows.selectFrom('job').select(['id', 'definition', 'specHash']).where('id', 'in', ids).execute()
  return new Map(found.map(({ id, ...job }) => [id, job]))
}

const checkTemplate = async (rows: Rows, { templateId, runs, spentRaw }: Counted, definition: JobDefinition, add: AddFinding) => {
  const listed = await rows.selectFrom('recurring_run').selectAll().where('templateId', '=', templateId).orderBy('nominalAt').execute()
  const jobs = await readJobs(
    rows,
    listed.map(({ jobId }) => jobId),
  )
  const { maxRuns = null, reserveAmountRaw = null } = definition
  const [count, sum] = [listed.length, sumRaw(listed.map(({ rewardRaw }) => rewardRaw))]
  const subject = `template ${templateId}`
  if (count !== runs) add({ subject, expected: `${runs} runs`, found: `${count} runs` })
  if (sum !== spentRaw) add({ subject, expected: `${spentRaw} spent`, found: `${sum} spent` })
  if (maxRuns !== null && count > maxRuns) add({ subject, expected: `at most ${maxRuns} runs`, found: `${count} runs` })
  if (reserveAmountRaw !== null && sum > BigInt(reserveAmountRaw))
    add({ subject, expected: `at most ${reserveAmountRaw} spent`, found: `${sum} spent` })
  for (const { jobId, nominalAt } of listed) {
    const { definition: derived, specHash } = deriveJob(definition, nominalAt)
    if (derived.id !== jobId || jobs.get(jobId)?.specHash !== specHash)
      add({ subject: `job ${jobId}`, expected: `the terms of ${derived.id}`, found: 'other terms' })
    if (!isWithinTime(definition, nominalAt))
      add({ subject: `job ${jobId}`, expected: 'a time of its template', found: new Date(nominalAt).toISOString() })
  }
}

/** Compares every recurring template with its limits and with the jobs that were made from it. */
export const checkRecurringTemplates: Check = async ({ rows }, add) => {
  const templates = rows.selectFrom('recurring_template').select(['templateId', 'runs', 'spentRaw']).orderBy('templateId').limit(PAGE)
  const list = (last: Counted | undefined): Promise<Counted[]> => templates.where('templateId', '>', last?.templateId ?? '').execute()
  for await (const page of readPages(list)) {
    const jobs = await readJobs(
      rows,
      page.map(({ templateId }) => templateId),
    )
    for (const template of page) {
      const job = jobs.get(template.templateId)
      if (job !== undefined) await checkTemplate(rows, template, job.definition, add)
    }
  }
}
