import type { JsonValue } from '../../schemas/catalogue/job-definition.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { UncollectableReason } from '../../schemas/paid-verification/record.ts'
import type { RunOverview, RunView } from '../../schemas/paid-verification/shapes.ts'
import { iso, isoOrNull } from '../common/instants.ts'
import { toDisplay } from '../common/money.ts'
import { receiptUrl } from '../receipts/work-receipt.ts'
import { getProfileByRef } from './profiles.ts'
import { showsVerdict, viewOf } from './run-states.ts'

type StoredRun = Tables['verification_run']

const isObject = (value: JsonValue): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An address without user, query and fragment, which may hold credentials; other texts as they are. */
const withoutSecrets = (text: string): string =>
  /^[a-z][a-z0-9+.-]*:/i.test(text) ? text.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1') : text

/** A request without addresses of artefacts, credentials and queries of addresses. */
export const redacted = (value: JsonValue): JsonValue => {
  if (typeof value === 'string') return withoutSecrets(value)
  if (Array.isArray(value)) return value.map(redacted)
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([name]) => name !== 'locator' && name !== 'credentialRef')
  return Object.fromEntries(members.map(([name, member]) => [name, redacted(member)]))
}

const REASONS: Readonly<Record<UncollectableReason | 'sent_by_another', string>> = {
  cancelled: 'The payer cancelled the authorisation.',
  used_elsewhere: 'The payer used the nonce of the authorisation for another transfer.',
  insufficient_funds: 'The payer no longer holds the price.',
  expired: 'The authorisation ended before its payment was mined.',
  sent_by_another: 'The result is inconclusive, but another account sent the authorisation. The operator owes the price back.',
}

const billingOf = (run: StoredRun): RunView['billing'] => {
  const { billing } = viewOf(run.state)
  const isOwedBack = billing === 'captured' && run.verdict === 'inconclusive'
  const unbilled = billing === 'not_billed' ? (run.result?.reason ?? 'inconclusive') : undefined
  const uncollected = run.uncollectable ?? (isOwedBack ? 'sent_by_another' : null)
  const reason = uncollected ?? unbilled
  const amountRaw = billing === 'not_billed' ? 0n : run.amountRaw
  return {
    status: billing,
    amount: toDisplay(amountRaw, run.decimals),
    amountRaw: amountRaw.toString(),
    asset: run.asset,
    network: run.network,
    ...(run.txHash !== null && { transactionHash: run.txHash }),
    ...(reason !== undefined && { reason }),
    ...(uncollected !== null && { detail: REASONS[uncollected] }),
  }
}

/** What was bought, and by whom. */
const boughtOf = ({ profileRef, profileDigest, requestHash, payer: customer }: StoredRun) => {
  const { name: profile, version: profileVersion } = getProfileByRef(profileRef).document
  return { profile, profileVersion, profileRef, profileDigest, requestHash, customer }
}

/** Where a run stands; its verdict is absent until it may be shown. */
const standingOf = (run: StoredRun, baseUrl: string) => {
  const { state, result, receiptId } = run
  return {
    submittedAt: iso(run.submittedAt),
    expiresAt: iso(run.expiresAt),
    status: viewOf(state).status,
    billing: billingOf(run),
    ...(receiptId !== null && { receiptId, receiptUrl: receiptUrl(baseUrl, receiptId) }),
    ...(showsVerdict(state) && result !== null && { verdict: result.verdict }),
  }
}

/** A run as operators see it: its id, its inputs and its payment authorisation stay with the customer. */
export const runOverview = (run: StoredRun, baseUrl: string): RunOverview => ({
  runKey: run.runKey,
  ...boughtOf(run),
  ...standingOf(run, baseUrl),
  executedAt: isoOrNull(run.executedAt),
  endedAt: isoOrNull(run.endedAt),
})

/**
 * A run as its customer sees it. Its verdict appears once it is paid, or will never be billed. An authorisation that is not used ends by itself at its
 * `validBefore`. Source: HTTP facts, "paid runs".
 */
export const runView = (run: StoredRun, { runId, baseUrl }: { runId: string; baseUrl: string }): RunView => {
  const { status, ...standing } = standingOf(run, baseUrl)
  const path = `/verify/runs/${runId}`
  return {
    runId,
    runUrl: `${baseUrl}${path}`,
    ...boughtOf(run),
    target: redacted(run.target) as Record<string, JsonValue>,
    inputs: redacted(run.inputs) as Record<string, JsonValue>,
    status,
    ...standing,
    ...(standing.verdict !== undefined && run.result !== null && { execution: run.result }),
    nextActions:
      status === 'complete'
        ? []
        : [{ kind: 'wait', method: 'GET', path, description: 'Read the run again in a few seconds, until its status is complete.' }],
  }
}
