import type { Schemas } from '../../client/src/index.ts'
import { factTable } from '../../pages/parts.ts'
import { when } from '../look/values.ts'
import type { View } from '../view.ts'
import { type Action, type Field, reasonField, type Sent } from './action.ts'

type Provider = Schemas.IngestSource['provider']

/** The source as it is, for the preview of an action on it. */
const sourceFacts = async ({ client, query, now }: View) => {
  const { sources } = await client.listSources({})
  const source = sources.find(({ provider }) => provider === query.provider)
  const schedule = source?.schedule
  return factTable([
    ['Source', query.provider ?? ''],
    ['Schedule', schedule ? (schedule.paused ? 'paused' : 'runs') : 'none'],
    ['Runs of the schedule', schedule ? (schedule.dryRun ? 'list nothing (dry run)' : 'list jobs') : null],
    ['Next run', schedule?.next ? when(schedule.next, now) : null],
    ['Last success', source ? when(source.lastSuccessAt, now) : null],
    ['May be asked again', source?.nextAllowedAt ? when(source.nextAllowedAt, now) : null],
    ['Note', schedule?.note],
  ])
}

interface Step {
  name: string
  title: string
  lead: string
  done: string
  /** `keep` leaves the schedule paused or running, as it is. */
  steer: 'pause' | 'resume' | 'trigger' | 'keep'
  fields?: readonly Field[]
  /** Members beside the action. */
  more?: (sent: Sent) => { dryRun: boolean }
}

/** The action that leaves a schedule as it is. */
const presentState = async (client: View['client'], provider: Provider): Promise<'pause' | 'resume'> => {
  const { sources } = await client.listSources({})
  return sources.find((source) => source.provider === provider)?.schedule?.paused === false ? 'resume' : 'pause'
}

const step = ({ name, title, lead, done, steer, fields = [], more = () => ({}) as { dryRun: boolean } }: Step): Action => ({
  name,
  title,
  operation: 'steerSource',
  reads: ['listSources'],
  subject: ['provider'],
  preview: async (view) => ({ lead, facts: await sourceFacts(view), fields: [...fields, reasonField()], button: title }),
  run: async ({ client, query }, sent, key) => {
    const provider = query.provider as Provider
    const { reason } = sent
    const action = steer === 'keep' ? await presentState(client, provider) : steer
    await client.steerSource({ provider, action, ...(reason && { note: reason }), ...more(sent) }, { idempotencyKey: key })
    return { to: '/sources' }
  },
  done,
})

/** Stops the schedule of a source. */
export const pauseSource = step({
  name: 'pause-source',
  title: 'Pause the source',
  lead: 'Its schedule starts no run until it is resumed. Listed jobs stay, and a run that is under way ends.',
  done: 'The source is paused.',
  steer: 'pause',
})

/** Starts the schedule of a source again. */
export const resumeSource = step({
  name: 'resume-source',
  title: 'Resume the source',
  lead: 'Its schedule starts runs again. The facts below say whether they list jobs.',
  done: 'The source runs.',
  steer: 'resume',
})

/** Runs a source now, as its schedule would. */
export const triggerSource = step({
  name: 'trigger-source',
  title: 'Run it now',
  lead: 'The source runs once, now, as its schedule would: with its input, and as a dry run where its runs are dry.',
  done: 'The run is started; its result appears here.',
  steer: 'trigger',
})

/** Changes whether the runs of the schedule list jobs. */
export const changeRuns = step({
  name: 'change-source-runs',
  title: 'Change its runs',
  lead: 'From now on the runs of the schedule list jobs, or list nothing and only propose. The schedule stays paused or running, as it is.',
  done: 'The runs of the source are changed.',
  steer: 'keep',
  fields: [
    {
      name: 'dryRun',
      label: 'Its runs',
      kind: 'choice',
      options: [
        ['true', 'list nothing (dry run)'],
        ['false', 'list jobs'],
      ],
      isRequired: true,
    },
  ],
  more: ({ dryRun }) => ({ dryRun: dryRun !== 'false' }),
})

export const SOURCE_ACTIONS: readonly Action[] = [pauseSource, resumeSource, triggerSource, changeRuns]
