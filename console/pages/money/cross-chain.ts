import type { Schemas } from '../../../client/src/index.ts'
import { html } from '../../../pages/html.ts'
import { choices, identifier } from '../../../pages/parts.ts'
import { actionLinks } from '../../actions/action.ts'
import { finalizeRequest } from '../../actions/cross-chain.ts'
import { type Column, list } from '../../look/list.ts'
import { status, when } from '../../look/values.ts'
import type { View } from '../../view.ts'

const COLUMNS: readonly Column<Schemas.CrossChainOutcome>[] = [
  { name: 'Request', cell: ({ requestId }) => identifier(requestId) },
  { name: 'Outcome', cell: ({ status: code }) => status(code) },
  { name: 'Assets', cell: ({ settledAssets }) => settledAssets, isAmount: true },
  { name: 'Shares', cell: ({ settledShares }) => settledShares, isAmount: true },
  { name: 'Observed', cell: ({ observedAt, source }, { now }) => html`${when(observedAt, now)} by ${source}` },
  {
    name: 'Settled',
    cell: ({ processed, processedAt, exhaustedAt }, { now }) =>
      processed
        ? when(processedAt, now)
        : exhaustedAt === null
          ? 'the service tries'
          : html`waits for an operator since ${when(exhaustedAt, now)}`,
  },
  { name: 'Last failure', cell: ({ lastFailure, failureCodeLabel }) => lastFailure ?? failureCodeLabel ?? '–' },
  {
    name: 'Action',
    cell: ({ requestId, processed }, view) => (processed ? '' : actionLinks(view, [[finalizeRequest, { requestId }]])),
  },
]

const both = ({ path }: View) =>
  choices('Saved views', [
    ['All', '/xcm', path === '/xcm'],
    ['Waiting for an operator', '/xcm/waiting', path === '/xcm/waiting'],
  ])

/** Outcomes of requests to yield sources on other chains. */
export const crossChain = list({
  path: '/xcm',
  name: 'Cross-chain requests',
  group: 'Money',
  operation: 'listXcmOutcomes',
  acts: both,
  read: async ({ client }, input) => {
    const { items: rows, nextCursor } = await client.listXcmOutcomes(input)
    return { rows, nextCursor }
  },
  columns: COLUMNS,
  empty: 'No outcome is recorded. A request appears here once its end on the other chain is observed.',
})

/** Those that the service could not settle by itself. */
export const crossChainWaiting = list({
  path: '/xcm/waiting',
  name: 'Cross-chain requests that wait',
  title: 'Cross-chain requests that wait for an operator',
  operation: 'listExhaustedXcmRequests',
  acts: both,
  read: async ({ client }, input) => {
    const { items: rows, nextCursor } = await client.listExhaustedXcmRequests(input)
    return { rows, nextCursor }
  },
  columns: COLUMNS,
  empty: 'No request waits for an operator.',
})
