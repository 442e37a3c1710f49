import { type RecurringActivities, recurringWorkflowId } from '../../../../schemas/lanes/process.ts'
import { newJob } from '../../../e2e/support/jobs.ts'
import { endOf, shapeOf } from '../end-state.ts'
import { event, type ProcessRow, type Scenario } from '../scenario.ts'
import { type Stage, waitFor } from '../stage.ts'

const INSTANTS = ['createdAt', 'decidedUntil', 'pausedAt', 'wakeRequestedAt']

/** A template that is due once a month, until its one job is listed and its runs are used up. */
const monthly = async (stage: Stage): Promise<Scenario> => {
  const template = newJob({ recurring: true, schedule: { cron: '0 0 1 * *' }, maxRuns: 1 })
  const { rows } = stage.database
  const row = () => rows.selectFrom('recurring_template').selectAll().where('templateId', '=', template.id).executeTakeFirst()
  return {
    key: template.id,
    acts: {
      list: async () => {
        await stage.operatorPost('/admin/jobs', template)
        await waitFor('the process of the template', async () => (await row())?.wakeRequestedAt === null)
      },
      passTerms: async () => {
        await stage.passTerms()
        await waitFor('the end of the template', async () => (await row())?.pausedAt != null)
      },
    },
    readEnd: async () => ({
      process: await endOf(stage, recurringWorkflowId(template.id)),
      template: shapeOf((await row()) ?? {}, INSTANTS, ['templateId']),
      jobs: (await rows.selectFrom('recurring_run').select('jobId').where('templateId', '=', template.id).execute()).length,
    }),
  }
}

export const recurringJob: ProcessRow<RecurringActivities> = {
  scenarios: {
    monthly: { create: monthly, leaves: { process: 'COMPLETED', template: { runs: 1, pausedBy: null }, jobs: 1 } },
  },
  steps: {
    advanceTemplate: [{ scenario: 'monthly', act: 'passTerms', record: event('recurring.fired'), result: ['ended'] }],
  },
}
