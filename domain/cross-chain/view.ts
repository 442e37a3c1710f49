import { REQUEST_KINDS, REQUEST_STATUSES } from '../../schemas/cross-chain/record.ts'
import { iso } from '../common/instants.ts'
import { type Asset, amounts, rawAndDisplay } from '../common/money.ts'
import { textOfBytes32 } from '../common/text.ts'
import { OBSERVATION_TIMEOUT_CODE } from './watch.ts'

/** Name of a failure code; null for zero and for a code that has none. */
export const failureCodeLabel = (code: string): string | null =>
  code === OBSERVATION_TIMEOUT_CODE ? 'BALANCE_OBSERVATION_TIMEOUT' : textOfBytes32(code)

/** A request as the wrapper stores it. */
export interface StoredRequest {
  context: {
    strategyId: string
    kind: number
    account: string
    asset: string
    recipient: string
    assets: bigint
    shares: bigint
    nonce: bigint
  }
  queuedBy: string
  status: number
  settledAssets: bigint
  settledShares: bigint
  remoteRef: string
  failureCode: string
  /** Epoch seconds. */
  createdAt: bigint
  updatedAt: bigint
}

const lower = (address: string): `0x${string}` => address.toLowerCase() as `0x${string}`
const instantOf = (seconds: bigint): string => iso(Number(seconds) * 1000)

const RETURNED = 'The assets of the deposit returned to the account from which they came.'
const OUTSTANDING =
  'These assets left for the other chain and did not return. The operator sends them home and pays them out (releaseRecoveredAssets of the adapter): ask with the request id.'
const SHARES_KEPT =
  'The withdrawal burned no shares: the account has them all. Request it again under a new nonce; assets that arrive late stay in the adapter and pay that request.'

/** Whether a request ended without success. */
export const hasFailed = ({ status }: Pick<StoredRequest, 'status'>): boolean =>
  ['failed', 'cancelled'].includes(REQUEST_STATUSES[status] ?? '')

/** What a request that did not succeed left, and how it is recovered; null for another request. */
const recoveryView = ({ context, status }: StoredRequest, outstanding: bigint, decimals: number) => {
  if (!hasFailed({ status })) return null
  const isDeposit = REQUEST_KINDS[context.kind] === 'Deposit'
  const statement = isDeposit ? (outstanding === 0n ? RETURNED : OUTSTANDING) : SHARES_KEPT
  return { ...amounts({ outstandingAssets: outstanding, keptShares: isDeposit ? 0n : context.shares }, decimals), statement }
}

/**
 * Answer of `GET /xcm/request`; `outstanding` are assets of a failed deposit that are not back yet. Shares have the decimals of the asset.
 * Source: http, "GET /xcm/request".
 */
export const requestView = (requestId: string, request: StoredRequest, asset: Asset & { address: string }, outstanding = 0n) => {
  const { context, queuedBy, status, settledAssets, settledShares, remoteRef, failureCode, createdAt, updatedAt } = request
  const raws = { requestedAssets: context.assets, requestedShares: context.shares, settledAssets, settledShares }
  const nonce = context.nonce.toString()
  return {
    requestId,
    strategyId: context.strategyId,
    strategyIdLabel: textOfBytes32(context.strategyId),
    kind: context.kind,
    kindLabel: REQUEST_KINDS[context.kind] ?? 'Claim',
    account: lower(context.account),
    asset: lower(context.asset),
    assetSymbol: lower(context.asset) === lower(asset.address) ? asset.symbol : null,
    recipient: lower(context.recipient),
    ...rawAndDisplay(raws, asset.decimals),
    nonce,
    nonceRaw: nonce,
    queuedBy: lower(queuedBy),
    status,
    statusLabel: REQUEST_STATUSES[status] ?? 'unknown',
    remoteRef,
    remoteRefLabel: textOfBytes32(remoteRef),
    failureCode,
    failureCodeLabel: failureCodeLabel(failureCode),
    recovery: recoveryView(request, outstanding, asset.decimals),
    createdAt: instantOf(createdAt),
    createdAtRaw: createdAt.toString(),
    updatedAt: instantOf(updatedAt),
    updatedAtRaw: updatedAt.toString(),
  }
}
