import { factTable } from '../../pages/parts.ts'
import { money, when } from '../look/values.ts'
import type { View } from '../view.ts'
import { type Action, reasonField } from './action.ts'

type LaneName = 'liveness'

const laneFacts = async ({ client, query, now }: View) => {
  const { lanes } = await client.listLanes({})
  const lane = lanes.find((one) => one.lane === query.lane)
  return factTable([
    ['Lane', query.lane ?? ''],
    ['State', lane === undefined ? 'unknown to the API' : lane.paused === null ? 'open' : 'paused'],
    ['Paused', lane?.paused ? when(lane.paused.at, now) : null],
    ['Why it is paused', lane?.paused?.reason],
    ['Listed in the last 24 hours', lane && `${money(lane.postedToday)} of ${money(lane.dailyBudget)}`],
    ['Jobs that wait for a claim', lane?.backlog],
  ])
}

const step = (action: 'pause' | 'resume', words: Pick<Action, 'title' | 'done'> & { lead: string }): Action => ({
  name: `${action}-lane`,
  title: words.title,
  operation: 'setLaneState',
  reads: ['listLanes'],
  subject: ['lane'],
  preview: async (view) => ({ lead: words.lead, facts: await laneFacts(view), fields: [reasonField()], button: words.title }),
  run: async ({ client, query }, { reason = '' }, key) => {
    await client.setLaneState({ lane: query.lane as LaneName, action, reason }, { idempotencyKey: key })
    return { to: '/lanes' }
  },
  done: words.done,
})

/** Stops the listing in a lane. */
export const pauseLane = step('pause', {
  title: 'Pause the lane',
  lead: 'Nothing is listed in the lane until it is resumed. Its listed jobs stay claimable, and claims go on.',
  done: 'The lane is paused.',
})

/** Lets a lane list again. */
export const resumeLane = step('resume', {
  title: 'Resume the lane',
  lead: 'Sources and templates list in the lane again.',
  done: 'The lane is open.',
})

export const LANE_ACTIONS: readonly Action[] = [pauseLane, resumeLane]
