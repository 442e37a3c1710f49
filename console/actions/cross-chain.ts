import { html } from '../../pages/html.ts'
import { factTable, identifier } from '../../pages/parts.ts'
import { NoPage } from '../http/failures.ts'
import { words } from '../look/texts.ts'
import { link, status, walletLink, when } from '../look/values.ts'
import type { Action } from './action.ts'

const SETTLEMENTS: Readonly<Record<string, string>> = {
  adapter_managed: 'Another party settles this request, so the service did nothing.',
  refused: 'The contract refused it.',
}

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
    const { requestId } = query
    if (!requestId) throw new NoPage()
    const request = await client.getXcmRequest({ requestId })
    const asset = request.assetSymbol ?? ''
    return {
      lead: 'The service settles the request on chain by what was observed of its end.',
      facts: factTable([
        ['Request', identifier(requestId)],
        ['State on chain', status(request.statusLabel)],
        ['Kind', words(request.kindLabel)],
        ['Account', walletLink(request.account)],
        ['Who gets it', walletLink(request.recipient)],
        ['Asked for', html`${request.requestedAssets} ${asset}, ${request.requestedShares} shares`],
        ['Observed', html`${request.settledAssets} ${asset}, ${request.settledShares} shares`],
        ['Recovery', request.recovery?.statement],
        ['Changed', when(request.updatedAt, now)],
      ]),
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
