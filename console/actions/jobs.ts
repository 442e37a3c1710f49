import { html } from '../../pages/html.ts'
import { factTable } from '../../pages/parts.ts'
import { address, jobLink, status } from '../look/values.ts'
import type { View } from '../view.ts'
import { type Action, reasonField } from './action.ts'

/** The job as it is, for the preview of an action on it. A job that is not listed has no public definition, so the operators' view is read. */
const jobFacts = async ({ client }: View, jobId: string) => {
  const { job } = await client.getJobTimeline({ jobId, limit: 1 })
  return {
    job,
    facts: factTable([
      ['Job', job.title],
      ['State', status(job.effectiveState)],
      ['Held by', job.claimedBy],
    ]),
  }
}

const STEPS = [
  {
    action: 'pause',
    title: 'Pause the job',
    lead: 'The job leaves the list and takes no claim until it is opened again. A claim that it has goes on.',
    done: 'The job is paused.',
  },
  { action: 'reopen', title: 'Open the job again', lead: 'The job takes claims again.', done: 'The job is open.' },
  {
    action: 'archive',
    title: 'Archive the job',
    lead: 'The job takes no claim and leaves the list. A claim that it has goes on.',
    done: 'The job is archived.',
  },
] as const

/** Steps of a job's life that an operator takes. */
export const JOB_STEPS: Readonly<Record<(typeof STEPS)[number]['action'], Action>> = Object.fromEntries(
  STEPS.map(({ action, title, lead, done }): [string, Action] => [
    action,
    {
      name: `${action}-job`,
      title,
      operation: 'setJobLifecycle',
      reads: ['getJobTimeline'],
      subject: ['jobId'],
      preview: async (view) => {
        const { facts } = await jobFacts(view, view.query.jobId ?? '')
        return { lead, facts, fields: [reasonField()], button: title }
      },
      run: async ({ client, query }, { reason }, key) => {
        const jobId = query.jobId ?? ''
        await client.setJobLifecycle({ jobId, action, reason }, { idempotencyKey: key })
        return { to: address('/job', { jobId }) }
      },
      done,
    },
  ]),
) as Record<(typeof STEPS)[number]['action'], Action>

/** Takes a job of a poster out of the catalogue. */
export const delistJob: Action = {
  name: 'delist-job',
  title: 'Delist the job',
  operation: 'delistJob',
  reads: ['getJobTimeline'],
  subject: ['jobId'],
  isFinal: true,
  preview: async (view) => {
    const { facts } = await jobFacts(view, view.query.jobId ?? '')
    return {
      lead: 'The job leaves the catalogue and takes no claim. Its escrow is not touched: the poster gets the money back by cancelling it.',
      facts,
      fields: [reasonField('Recorded with your wallet and the time; the poster reads it.')],
      button: 'Delist the job',
    }
  },
  run: async ({ client, query }, { reason = '' }, key) => {
    const jobId = query.jobId ?? ''
    await client.delistJob({ jobId, reason }, { idempotencyKey: key })
    return { to: address('/job', { jobId }) }
  },
  done: 'The job is delisted.',
}

/** Compares the definition of every job with its hash. A sweep has no key: a second one compares once more. */
export const sweepDefinitions: Action = {
  name: 'sweep-definitions',
  hasNoReason: true,
  title: 'Check every definition',
  operation: 'sweepDefinitions',
  subject: [],
  preview: async () => ({
    lead: 'The service hashes the definition of every job and pauses those that differ from what was listed; none, if more than half differ.',
    facts: html``,
    fields: [],
    button: 'Check every definition',
  }),
  run: async ({ client }) => {
    const { total, matching, drifted, markedUnclaimable, driftedJobs } = await client.sweepDefinitions({})
    return {
      title: 'Definitions checked',
      body: html`${factTable([
        ['Checked', total],
        ['As listed', matching],
        ['Different', drifted],
        ['Paused now', markedUnclaimable],
      ])}${driftedJobs.length === 0 ? '' : html`<ul>${driftedJobs.map((id) => html`<li>${jobLink(id)}</li>`)}</ul>`}`,
    }
  },
  done: 'Every definition is checked.',
}
