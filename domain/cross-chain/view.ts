import { REQUEST_KINDS, REQUEST_STATUSES } from '../../schemas/cross-chain/record.ts'
import { iso } from '../common/instants.ts'
import { type Asset, rawAndDisplay } from '../common/money.ts'
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

/** Answer of `GET /xcm/request`. Shares have the decimals of the asset. Source: http, "GET /xcm/request". */
export const requestView = (requestId: string, request: StoredRequest, asset: Asset & { address: string }) => {
  const { context, queuedBy, status, settledAssets, settledShares, remoteRef, failureCode, createdAt, updatedAt } = request
  const amounts = { requestedAssets: context.assets, requestedShares: context.shares, settledAssets, settledShares }
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
    ...rawAndDisplay(amounts, asset.decimals),
    nonce,
    nonceRaw: nonce,
    queuedBy: lower(queuedBy),
    status,
    statusLabel: REQUEST_STATUSES[status] ?? 'unknown',
    remoteRef,
    remoteRefLabel: textOfBytes32(remoteRef),
    failureCode,
    failureCodeLabel: failureCodeLabel(failureCode),
    createdAt: instantOf(createdAt),
    createdAtRaw: createdAt.toString(),
    updatedAt: instantOf(updatedAt),
    updatedAtRaw: updatedAt.toString(),
  }
}
