import type { Schemas } from '../../client/src/index.ts'
import { type Html, html } from '../../pages/html.ts'
import { factTable, identifier } from '../../pages/parts.ts'
import { NoPage } from '../http/failures.ts'
import { words } from '../look/texts.ts'
import { link, status, walletLink, when } from '../look/values.ts'
import type { View } from '../view.ts'
import type { Action } from './action.ts'

const SETTLEMENTS: Readonly<Record<string, string>> = {
  adapter_managed: 'Another party settles this request, so the service did nothing.',
  refused: 'The contract refused it.',
}

/** States on chain after which no outcome counts any more. */
const ENDED: readonly string[] = ['succeeded', 'failed', 'cancelled']

/** The request as it is on chain. */
const requestFacts = async (client: View['client'], requestId: string | undefined, now: number): Promise<Html> => {
  if (!requestId) throw new NoPage()
  const request = await client.getXcmRequest({ requestId })
  const asset = request.assetSymbol ?? ''
  return factTable([
    ['Request', identifier(requestId)],
    ['State on chain', status(request.statusLabel)],
    ['Kind', words(request.kindLabel)],
    ['Account', walletLink(request.account)],
    ['Who gets it', walletLink(request.recipient)],
    ['Asked for', html`${request.requestedAssets} ${asset}, ${request.requestedShares} shares`],
    ['Observed', html`${request.settledAssets} ${asset}, ${request.settledShares} shares`],
    ['Recovery', request.recovery?.statement],
    ['Changed', when(request.updatedAt, now)],
    ['Note', ENDED.includes(request.statusLabel) ? 'The request has ended on chain. Nothing changes its outcome.' : null],
  ])
}

const outcomeFacts = (
  { requestId, status: code, observedAt, source, processedAt, lastFailure }: Schemas.CrossChainOutcome,
  now: number,
): Html =>
  factTable([
    ['Request', identifier(requestId)],
    ['Outcome', status(code)],
    ['Observed', html`${when(observedAt, now)} by ${source}`],
    ['Settled', processedAt === null ? 'not yet' : when(processedAt, now)],
    ['Last failure', lastFailure],
  ])

/** Settles an observed request now. The API takes no reason for it. */
export const finalizeRequest: Action = {
  name: 'finalize-request',
  hasNoReason: true,
  title: 'Settle the request',
  operation: 'finalizeXcmRequest',
  reads: ['getXcmRequest'],
  subject: ['requestId'],
  isFinal: true,
  preview: async ({ client, query, now }) => {
    const facts = await requestFacts(client, query.requestId, now)
    return {
      lead: 'The service settles the request on chain by what was observed of its end.',
      facts,
      fields: [],
      button: 'Settle the request',
    }
  },
  run: async ({ client, query }, _sent, key) => {
    const { settlement, reason, outcome } = await client.finalizeXcmRequest({ requestId: query.requestId ?? '' }, { idempotencyKey: key })
    if (settlement === 'settled') return { to: '/xcm' }
    return {
      title: 'The request is not settled',
      body: html`<p>${SETTLEMENTS[settlement] ?? words(settlement)}</p>${factTable([
        ['Request', identifier(outcome.requestId)],
        ['Reason', reason],
        ['Last failure', outcome.lastFailure],
      ])}<p>${link('/xcm', 'Cross-chain requests')}</p>`,
    }
  },
  done: 'The request is settled.',
}

const OUTCOMES = [
  ['succeeded', 'It succeeded'],
  ['failed', 'It failed'],
  ['cancelled', 'It was cancelled'],
] as const

/** Records what became of a request on the other chain, where the service cannot tell by itself. The API takes no reason for it. */
export const observeRequest: Action = {
  name: 'observe-request',
  hasNoReason: true,
  title: 'Record its outcome',
  operation: 'observeXcmRequest',
  reads: ['getXcmRequest'],
  subject: ['requestId'],
  isFinal: true,
  preview: async ({ client, query, now }) => ({
    lead: 'You have looked at the other chain. The service settles the request by what you record here.',
    facts: await requestFacts(client, query.requestId, now),
    fields: [
      { name: 'status', label: 'Outcome', kind: 'choice', options: OUTCOMES },
      {
        name: 'settledAssets',
        label: 'Assets that came out, base units',
        kind: 'number',
        value: '0',
        isRequired: true,
        hint: '0 unless it succeeded.',
      },
      {
        name: 'settledShares',
        label: 'Shares that came out, base units',
        kind: 'number',
        value: '0',
        isRequired: true,
        hint: '0 unless it succeeded.',
      },
      { name: 'failureCode', label: 'Failure code', kind: 'text', hint: '0x and 64 hex digits, if it failed.' },
      { name: 'remoteRef', label: 'Block or transaction of the other chain', kind: 'text', hint: '0x and 64 hex digits, if you have it.' },
    ],
    button: 'Record the outcome',
  }),
  run: async ({ client, query, now }, sent, key) => {
    const { status: outcome = '', settledAssets = '', settledShares = '', failureCode, remoteRef } = sent
    const input = {
      requestId: query.requestId ?? '',
      status: outcome,
      settledAssets,
      settledShares,
      ...(failureCode && { failureCode }),
      ...(remoteRef && { remoteRef }),
    }
    // The API checks which members belong together.
    const { recorded, outcome: known } = await client.observeXcmRequest(input as never, { idempotencyKey: key })
    if (recorded) return { to: '/xcm' }
    return {
      title: 'Nothing was recorded',
      body: html`<p>The request had an outcome already, which stays.</p>${outcomeFacts(known, now)}<p>${link('/xcm', 'Cross-chain requests')}</p>`,
    }
  },
  done: 'The outcome is recorded.',
}
