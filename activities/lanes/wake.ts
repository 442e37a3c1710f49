import { planRun } from '../../domain/lanes/recurring.ts'
import { templateChanged } from '../../schemas/lanes/process.ts'
import type { SendMessage } from '../common/processes.ts'
import type { RecordDeps } from '../database/database.ts'
import { recurringStart } from './start.ts'

/** Rounds of the loop between two searches for a lost process. */
const SEARCH_ROUNDS = 600

interface WakeDeps extends RecordDeps {
  send: SendMessage
}

/**
 * Tells the processes of templates of a change, and starts them if needed. In the first round and now and then it does so for every template
 * for which a run follows, so that a lost process comes back. If the engine refuses, the round rejects and comes again.
 */
export const createTemplateWaker = ({ database: { rows }, clock, send }: WakeDeps): (() => Promise<void>) => {
  let round = 0

  const wake = (templateId: string): Promise<void> =>
    send({ workflow: 'recurringJob', start: recurringStart({ v: 1, templateId }), signal: templateChanged })

  const wakeChanged = async (): Promise<void> => {
    const changed = rows.selectFrom('recurring_template').select(['templateId', 'wakeRequestedAt']).where('wakeRequestedAt', 'is not', null)
    for (const { templateId, wakeRequestedAt } of await changed.execute()) {
      await wake(templateId)
      await rows
        .updateTable('recurring_template')
        .set({ wakeRequestedAt: null })
        .where('templateId', '=', templateId)
        .where('wakeRequestedAt', '=', wakeRequestedAt)
        .execute()
    }
  }

  /** Wakes the templates for which a run follows. A paused or archived one gets its signal with the change that opens it. */
  const wakeAll = async (): Promise<void> => {
    const open = await rows
      .selectFrom('recurring_template')
      .innerJoin('job', 'job.id', 'recurring_template.templateId')
      .select([
        'recurring_template.templateId',
        'recurring_template.decidedUntil',
        'recurring_template.runs',
        'recurring_template.spentRaw',
      ])
      .select('job.definition')
      .where('job.lifecycleStatus', '=', 'open')
      .execute()
    const now = clock.now()
    for (const { templateId, definition, ...state } of open) if (planRun(definition, state, now).state !== 'ended') await wake(templateId)
  }

  return async () => {
    if (round % SEARCH_ROUNDS === 0) await wakeAll()
    await wakeChanged()
    round += 1
  }
}
