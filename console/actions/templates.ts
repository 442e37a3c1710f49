import { factTable } from '../../pages/parts.ts'
import { exactUnits } from '../look/bars.ts'
import { address, status } from '../look/values.ts'
import type { View } from '../view.ts'
import { type Action, type Field, reasonField } from './action.ts'

const idOf = ({ query }: View): string => query.jobId ?? ''

const preview = async (view: View, lead: string, button: string, fields: Field[]) => {
  const { job: template } = await view.client.getJobTimeline({ jobId: idOf(view), limit: 1 })
  const { schedule, title, lifecycle, maxRuns } = template
  return {
    lead,
    facts: factTable([
      ['Template', title],
      ['State', status(lifecycle.state)],
      ['Schedule', schedule === undefined ? null : `${schedule.cron} ${schedule.timezone}`],
      ['Runs at most', maxRuns],
      ['Reward of a run', `${exactUnits(BigInt(template.rewardAmountRaw), template.rewardAmount)} ${template.rewardAsset}`],
    ]),
    fields,
    button,
  }
}

const common = { reads: ['getJobTimeline'], subject: ['jobId'] } as const

/** Lists a run of a recurring template beside its schedule. */
export const fireTemplate: Action = {
  ...common,
  name: 'fire-template',
  title: 'List a run now',
  operation: 'fireTemplate',
  preview: (view) =>
    preview(
      view,
      'The template lists one job now, beside its schedule. Reserve, runs and lane count as for the schedule.',
      'List a run now',
      [reasonField()],
    ),
  run: async (view, { reason }, key) => {
    const { id } = await view.client.fireTemplate({ templateId: idOf(view), reason }, { idempotencyKey: key })
    return { to: address('/job', { jobId: id }) }
  },
  done: 'The template has listed this job.',
}

/** Pauses a recurring template. */
export const pauseTemplate: Action = {
  ...common,
  name: 'pause-template',
  title: 'Pause the template',
  operation: 'pauseTemplate',
  preview: (view) =>
    preview(view, 'Due times that pass meanwhile list nothing. Jobs that are listed stay.', 'Pause the template', [reasonField()]),
  run: async (view, { reason }, key) => {
    await view.client.pauseTemplate({ templateId: idOf(view), reason }, { idempotencyKey: key })
    return { to: address('/job', { jobId: idOf(view) }) }
  },
  done: 'The template is paused.',
}

/** Resumes a recurring template. */
export const resumeTemplate: Action = {
  ...common,
  name: 'resume-template',
  title: 'Resume the template',
  operation: 'resumeTemplate',
  preview: (view) => preview(view, 'The template lists jobs again, from its next due time.', 'Resume the template', [reasonField()]),
  run: async (view, { reason }, key) => {
    await view.client.resumeTemplate({ templateId: idOf(view), reason }, { idempotencyKey: key })
    return { to: address('/job', { jobId: idOf(view) }) }
  },
  done: 'The template is resumed.',
}

export const TEMPLATE_ACTIONS: readonly Action[] = [fireTemplate, pauseTemplate, resumeTemplate]
