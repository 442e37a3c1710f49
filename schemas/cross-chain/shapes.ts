import { z } from 'zod'
import {
  Address,
  AddressInput,
  Bytes32,
  DecimalAmount,
  DigitString,
  IdempotencyKeyInput,
  InstantInput,
  IsoTime,
  RawAmount,
  trimmedText,
} from '../operations/values.ts'
import { OUTCOME_STATUSES, REQUEST_KINDS, REQUEST_STATUSES } from './record.ts'

/** Id of the examples: the published vector. */
export const REQUEST_EXAMPLE = '0xc3b09b5710adc32ea23f83f7c73ef1bf7a2374c46c178a5f3ac7d6642113c68b'

/** 32 bytes of an input, in either case; parsed to lower case. */
const Bytes32Input = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, { error: 'must be 0x and 64 hex digits' })
  .transform((text) => text.toLowerCase() as `0x${string}`)

/** Id of a request. */
export const RequestIdInput = Bytes32Input.meta({ description: 'Id of the request, 0x and 64 hex digits.', examples: [REQUEST_EXAMPLE] })

const Label = z.string().nullable()

/** Answer of `GET /xcm/request`. Source: http, "GET /xcm/request". */
export const CrossChainRequestShape = z
  .object({
    requestId: Bytes32.describe('Id of the request.'),
    strategyId: Bytes32,
    strategyIdLabel: Label,
    kind: z.int().min(0).max(2),
    kindLabel: z.enum(REQUEST_KINDS),
    account: Address,
    asset: Address,
    assetSymbol: z.string().nullable(),
    recipient: Address,
    requestedAssets: DecimalAmount,
    requestedAssetsRaw: RawAmount,
    requestedShares: DecimalAmount,
    requestedSharesRaw: RawAmount,
    nonce: DigitString,
    nonceRaw: DigitString,
    queuedBy: Address,
    status: z.int().min(0).max(4),
    statusLabel: z.enum(REQUEST_STATUSES),
    settledAssets: DecimalAmount,
    settledAssetsRaw: RawAmount,
    settledShares: DecimalAmount,
    settledSharesRaw: RawAmount,
    remoteRef: Bytes32,
    remoteRefLabel: Label,
    failureCode: Bytes32,
    failureCodeLabel: Label,
    createdAt: IsoTime,
    createdAtRaw: DigitString,
    updatedAt: IsoTime,
    updatedAtRaw: DigitString,
  })
  .meta({ id: 'CrossChainRequest', description: 'Request to a yield source on another chain.' })

/** Outcome of a request, as it was observed and, once it is processed, settled. */
export const CrossChainOutcomeShape = z
  .object({
    requestId: Bytes32.describe('Id of the request.'),
    wrapper: Address,
    status: z.enum(OUTCOME_STATUSES),
    settledAssets: DecimalAmount,
    settledAssetsRaw: RawAmount,
    settledShares: DecimalAmount,
    settledSharesRaw: RawAmount,
    remoteRef: Bytes32,
    failureCode: Bytes32,
    failureCodeLabel: Label,
    source: z.string(),
    observedAt: IsoTime,
    recordedAt: IsoTime.describe('Instant at which the service recorded it.'),
    processed: z.boolean(),
    processedAt: IsoTime.nullable(),
    exhaustedAt: IsoTime.nullable(),
    lastFailure: z.string().nullable(),
  })
  .meta({ id: 'CrossChainOutcome', description: 'Outcome of a cross-chain request.' })

/** Amount of an observation: digits, below the largest number of the chain. */
const ObservedAmount = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,76})$/, { error: 'must be an integer in base units, as digits' })
  .default('0')
  .meta({ description: 'Integer in base units, as digits.', examples: ['4980000'] })

const NO_CODE = `0x${'0'.repeat(64)}`

/** Body of `POST /admin/xcm/observe`. */
export const ObserveBody = z
  .strictObject({
    requestId: RequestIdInput,
    status: z.enum(OUTCOME_STATUSES),
    settledAssets: ObservedAmount,
    settledShares: ObservedAmount,
    remoteRef: Bytes32Input.optional(),
    failureCode: Bytes32Input.optional(),
    source: trimmedText(1, 60).optional(),
    observedAt: InstantInput.optional(),
    wrapper: AddressInput.optional(),
    idempotencyKey: IdempotencyKeyInput.optional(),
  })
  .superRefine(({ status, settledAssets, settledShares, failureCode }, { addIssue }) => {
    const issue = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    if (status === 'failed' && (failureCode === undefined || failureCode === NO_CODE)) issue('failureCode', 'is required when failed')
    if (status !== 'succeeded' && settledAssets !== '0') issue('settledAssets', 'must be 0 unless succeeded')
    if (status !== 'succeeded' && settledShares !== '0') issue('settledShares', 'must be 0 unless succeeded')
  })

/** Body of `POST /admin/xcm/finalize`. */
export const FinalizeBody = z.strictObject({ requestId: RequestIdInput, idempotencyKey: IdempotencyKeyInput.optional() })
