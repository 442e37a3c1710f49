import type { Schemas } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { actionLinks } from '../../actions/action.ts'
import { decideDispute } from '../../actions/disputes.ts'
import { decideReview } from '../../actions/reviews.ts'
import { inAsset } from '../../look/amounts.ts'
import { list } from '../../look/list.ts'
import { words } from '../../look/texts.ts'
import { deadline, disputeLink, jobLink, money, sessionLink, status, when, withTimes } from '../../look/values.ts'
import { party } from './parts.ts'

/** What the API says happens at the deadline; for a resolved dispute, its verdict. */
const outlook = ({ status: standing, verdict, nextActions }: Schemas.DisputeRow): Html | string =>
  standing === 'resolved' ? (verdict === null ? '–' : words(verdict)) : withTimes(nextActions[0]?.description ?? '–')

/** Every dispute that the reader may see. */
export const disputes = list({
  path: '/disputes',
  name: 'Disputes',
  group: 'Work',
  lead: 'Who disputes what, with the money at stake and what happens if no verdict comes.',
  operation: 'listDisputes',
  filters: [{ name: 'status', label: 'State', options: ['open', 'resolved'] }],
  views: [{ name: 'Open', query: { status: 'open' } }],
  read: async ({ client }, input) => {
    const { disputes: rows, nextCursor } = await client.listDisputes(input)
    return { rows, nextCursor }
  },
  columns: [
    { name: 'Dispute', cell: ({ id }) => disputeLink(id) },
    { name: 'State', cell: ({ status: code }) => status(code) },
    { name: 'Stage', cell: ({ stage }) => words(stage) },
    { name: 'Opened by', cell: ({ origin }) => words(origin) },
    { name: 'Worker', cell: ({ claimant }, view) => party(view, claimant) },
    { name: 'Poster', cell: ({ respondent }, view) => party(view, respondent) },
    { name: 'Reward left', cell: ({ remainingPayout, asset }) => inAsset(remainingPayout, asset), isAmount: true },
    { name: 'Bond', cell: ({ totalClaimLock, asset }) => inAsset(totalClaimLock, asset), isAmount: true },
    { name: 'Deadline', cell: (row, { now }) => deadline(row.deadline, now) },
    { name: 'What comes', cell: outlook },
  ],
  empty: 'No dispute matches. A dispute opens by itself when work needs a review, or when a party contests a rejection.',
})

/** A pull request of a submission as a link, if its address is one of the web. */
const pullRequest = (url: string | undefined): Html | string =>
  url === undefined ? '' : /^https:\/\//.test(url) ? html` <a href="${url}" rel="noreferrer">Pull request</a>` : ` ${url}`

/** Submissions that wait for a verdict or for a person. */
export const reviews = list({
  path: '/reviews',
  name: 'Reviews',
  group: 'Work',
  lead: 'Submissions that wait for a verdict or a review, oldest first.',
  operation: 'listPendingVerifications',
  read: async ({ client }, input) => {
    const { pending: rows, nextCursor } = await client.listPendingVerifications(input)
    return { rows, nextCursor }
  },
  columns: [
    { name: 'Session', cell: ({ sessionId }) => sessionLink(sessionId) },
    { name: 'Job', cell: ({ jobId, jobTitle }) => html`${jobTitle}<br>${jobLink(jobId)}` },
    { name: 'Worker', cell: ({ wallet }, view) => party(view, wallet) },
    { name: 'Reward', cell: ({ reward }) => money(reward), isAmount: true },
    { name: 'Waits for', cell: ({ disposition }) => words(disposition) },
    { name: 'Why', cell: ({ reason, heldBecause, prUrl }) => html`${words(heldBecause ?? reason)}${pullRequest(prUrl)}` },
    { name: 'Submitted', cell: ({ submittedAt }, { now }) => when(submittedAt, now) },
    { name: 'Deadline', cell: ({ slaDeadline }, { now }) => deadline(slaDeadline, now) },
    {
      name: 'Decide',
      cell: ({ sessionId, disputeId }, view) =>
        disputeId === undefined
          ? ''
          : html`${disputeLink(disputeId)}${actionLinks(view, [
              [decideReview, { sessionId }],
              [decideDispute, { disputeId }],
            ])}`,
    },
  ],
  empty: 'Nothing waits for a review. A submission appears here when no verifier can decide it alone.',
})
