import type { Schemas } from '../../../client/src/index.ts'
import { html } from '../../../pages/html.ts'
import { codeWords, duration } from '../../../pages/parts.ts'
import { actionLinks } from '../../actions/action.ts'
import { sweepDefinitions } from '../../actions/jobs.ts'
import { exactUnits } from '../../look/bars.ts'
import { list } from '../../look/list.ts'
import { reasonWords } from '../../look/reasons.ts'
import { address, jobLink, link, sessionLink, status, when } from '../../look/values.ts'

/** The reward of a job, exact. */
export const rewardOf = ({ rewardAmountRaw, rewardAmount, rewardAsset }: Schemas.Job): string =>
  `${exactUnits(BigInt(rewardAmountRaw), rewardAmount)} ${rewardAsset}`

/** Who pays for a job: the budget of its lane, or a poster. */
export const payerOf = ({ lane }: Schemas.Job): string => (lane === undefined ? 'a poster' : `lane ${lane}`)

/** Every job, paused, archived and stale ones included. */
export const jobs = list<Schemas.Job>({
  path: '/jobs',
  name: 'Jobs',
  group: 'Work',
  operation: 'listAdminJobs',
  acts: (view) => actionLinks(view, [[sweepDefinitions, {}]]),
  filters: [
    {
      name: 'state',
      label: 'State',
      options: [
        'claimable',
        'open',
        'restricted',
        'claimed',
        'submitted',
        'expired',
        'exhausted',
        'unclaimable',
        'paused',
        'archived',
        'stale',
      ],
    },
  ],
  views: [
    { name: 'Claimable', query: { state: 'claimable' } },
    { name: 'Claimed', query: { state: 'claimed' } },
    { name: 'Paused', query: { state: 'paused' } },
  ],
  read: async ({ client }, input) => {
    const { jobs: rows, nextCursor } = await client.listAdminJobs(input)
    return { rows, nextCursor }
  },
  columns: [
    { name: 'Job', cell: ({ id, title }) => html`${link(address('/job', { jobId: id }), title)}<br>${jobLink(id)}` },
    { name: 'State', cell: ({ effectiveState }) => status(effectiveState) },
    { name: 'Why', cell: ({ reason }) => reasonWords(reason) },
    { name: 'Reward', cell: rewardOf, isAmount: true },
    { name: 'Paid by', cell: payerOf },
    { name: 'Verified by', cell: ({ verifierMode }) => codeWords(verifierMode) },
    { name: 'Time to submit', cell: ({ claimTtlSeconds }) => duration(claimTtlSeconds) },
    { name: 'Session', cell: ({ sessionId }) => (sessionId === null ? '–' : sessionLink(sessionId)) },
    { name: 'Changed', cell: ({ lifecycle }, { now }) => when(lifecycle.updatedAt, now) },
  ],
  empty: 'No job matches. Take the filter away; without jobs, turn a source on or create one.',
})
