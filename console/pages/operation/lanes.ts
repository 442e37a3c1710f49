import type { Schemas } from '../../../client/src/index.ts'
import { html } from '../../../pages/html.ts'
import { state } from '../../../pages/parts.ts'
import { actionLinks } from '../../actions/action.ts'
import { pauseLane, resumeLane } from '../../actions/lanes.ts'
import { shareWords, usageBar } from '../../look/bars.ts'
import { type Column, table } from '../../look/list.ts'
import { identityOf } from '../../look/names.ts'
import { money, when } from '../../look/values.ts'
import type { Page } from '../../view.ts'

type Lane = Schemas.Lane

const stateCell = ({ paused }: Lane, now: number) =>
  paused === null
    ? state('open', 'good')
    : html`${state('paused', 'warn')} ${when(paused.at, now)} by ${identityOf(paused.by)}<br>${paused.reason}`

const budgetCell = ({ lane, postedToday, dailyBudget }: Lane) => {
  const [used, limit] = [BigInt(postedToday.raw), BigInt(dailyBudget.raw)]
  const words = `${money(postedToday)} of ${money(dailyBudget)}`
  return html`${words}, ${shareWords(used, limit)}${usageBar(`Budget of ${lane}: ${words} used`, used, limit)}`
}

const backlogCell = ({ lane, backlog, backlogLimit }: Lane) =>
  html`${backlog} of ${backlogLimit}${usageBar(`Backlog of ${lane}: ${backlog} of ${backlogLimit}`, BigInt(backlog), BigInt(backlogLimit))}`

const COLUMNS: readonly Column<Lane>[] = [
  { name: 'Lane', cell: ({ lane }) => html`<b>${lane}</b>` },
  { name: 'State', cell: (lane, { now }) => stateCell(lane, now) },
  { name: 'Listed in the last 24 hours', cell: budgetCell },
  { name: 'Wait for a claim', cell: backlogCell },
  { name: 'Listed jobs', cell: ({ openJobs }) => openJobs, isAmount: true },
  { name: 'Budget returns', cell: ({ resumeAt }, { now }) => when(resumeAt, now) },
  {
    name: 'Steps',
    cell: ({ lane, paused }, view) => actionLinks(view, [[paused === null ? pauseLane : resumeLane, { lane }] as const]),
  },
]

/** The budgets from which the service lists its own jobs. */
export const lanes: Page = {
  path: '/lanes',
  name: 'Lanes',
  group: 'Operation',
  operations: ['listLanes'],
  show: async (view) => {
    const { lanes: rows } = await view.client.listLanes({})
    return {
      title: 'Lanes',
      lead: 'Budgets from which the service lists its own jobs. A paused lane lists nothing; its listed jobs stay claimable.',
      body: table('Lanes', COLUMNS, rows, view, 'This service has no lane: every job is funded by a poster.'),
      raw: { operation: 'listLanes', input: {} },
    }
  },
}
