import { z } from 'zod'
import {
  Address,
  AddressInput,
  Amount,
  Bytes32,
  DecimalAmount,
  DigitString,
  IdempotencyKeyInput,
  InstantInput,
  IsoTime,
  RawAmount,
  shape,
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

const Label = z.string().nullable().describe('Text that the value carries; null where it carries none.')

const settled = {
  settledAssets: DecimalAmount.describe('Assets that were deposited or paid, in whole units.'),
  settledAssetsRaw: RawAmount,
  settledShares: DecimalAmount.describe('Shares that were created or burned, in whole units.'),
  settledSharesRaw: RawAmount,
  remoteRef: Bytes32.describe('Block of the other chain at which the balance was read, or what the operator gave.'),
}
const failureCode = Bytes32.describe('Zero where the request did not fail.')
const EpochSeconds = DigitString.describe('Seconds since 1970, as digits.')

/** Answer of `GET /xcm/request`. Source: http, "GET /xcm/request". */
export const CrossChainRequestShape = shape('CrossChainRequest', 'Request to a yield source on another chain.', {
  requestId: Bytes32,
  strategyId: Bytes32,
  strategyIdLabel: Label,
  kind: z.int().min(0).max(2).describe('Number of `kindLabel` in the contract.'),
  kindLabel: z.enum(REQUEST_KINDS),
  account: Address,
  asset: Address,
  assetSymbol: z.string().nullable().describe('Null for an asset that the service does not have.'),
  recipient: Address,
  requestedAssets: DecimalAmount.describe('Assets of a deposit, in whole units.'),
  requestedAssetsRaw: RawAmount,
  requestedShares: DecimalAmount.describe('Shares of a withdrawal, in whole units.'),
  requestedSharesRaw: RawAmount,
  nonce: DigitString,
  nonceRaw: DigitString.describe('Equals `nonce`.'),
  queuedBy: Address.describe('Adapter that queued the request.'),
  status: z.int().min(0).max(4).describe('Number of `statusLabel` in the contract.'),
  statusLabel: z.enum(REQUEST_STATUSES),
  ...settled,
  remoteRefLabel: Label,
  failureCode,
  failureCodeLabel: Label,
  recovery: z
    .object({
      outstandingAssets: Amount.describe('Assets of the deposit that are not back yet.'),
      keptShares: Amount.describe('Shares of the withdrawal that the account keeps.'),
      statement: z.string().describe('How the wallet gets it.'),
    })
    .nullable()
    .describe('What a failed or cancelled request left; null for another one.'),
  createdAt: IsoTime,
  createdAtRaw: EpochSeconds,
  updatedAt: IsoTime,
  updatedAtRaw: EpochSeconds,
})

/** Outcome of a request, as it was observed and, once it is processed, settled. */
export const CrossChainOutcomeShape = shape('CrossChainOutcome', 'Outcome of a cross-chain request.', {
  requestId: Bytes32,
  wrapper: Address.describe('Contract that holds the request.'),
  status: z.enum(OUTCOME_STATUSES),
  ...settled,
  failureCode,
  failureCodeLabel: Label,
  source: z.string().describe('Who observed it: `balance_watch` or `chain` for the service itself, otherwise what the observer gave.'),
  observedAt: IsoTime,
  recordedAt: IsoTime,
  processed: z.boolean().describe('Whether the outcome is settled on chain.'),
  processedAt: IsoTime.nullable().describe('When the settlement was seen; null before.'),
  exhaustedAt: IsoTime.nullable().describe('Since when the request waits for an operator; null while the service tries by itself.'),
  lastFailure: z.string().nullable().describe('Why the last try to settle failed; null after none.'),
})

/** Amount of an observation: digits, below the largest number of the chain. */
const ObservedAmount = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,76})$/, { error: 'must be an integer in base units, as digits' })
  .default('0')
  .meta({ description: 'Integer in base units, as digits; zero unless `succeeded`.', examples: ['4980000'] })

const NO_CODE = `0x${'0'.repeat(64)}`

/** States to readers of the document what goes with a status; the body's own rule refuses the rest. */
const statedObservation = (status: (typeof OUTCOME_STATUSES)[number]) => {
  const amount = status === 'succeeded' ? { pattern: '^[1-9]' } : { const: '0' }
  const required = [...(status === 'succeeded' ? ['settledAssets', 'settledShares'] : []), ...(status === 'failed' ? ['failureCode'] : [])]
  const code = status === 'failed' && { failureCode: { not: { const: NO_CODE } } }
  return { properties: { status: { const: status }, settledAssets: amount, settledShares: amount, ...code }, required }
}

/** Body of `POST /admin/xcm/observe`. */
export const ObserveBody = z
  .strictObject({
    requestId: RequestIdInput,
    status: z.enum(OUTCOME_STATUSES),
    settledAssets: ObservedAmount,
    settledShares: ObservedAmount,
    remoteRef: Bytes32Input.optional().describe('What refers to the other chain, such as a block.'),
    failureCode: Bytes32Input.optional().describe('Required, and not zero, for `failed`.'),
    source: trimmedText(1, 60).optional().describe('Who observed it; the operator by default.'),
    observedAt: InstantInput.optional().describe('Not in the future; now by default.'),
    wrapper: AddressInput.optional().describe('Wrapper that the observation was made for; another one than the present is refused.'),
    idempotencyKey: IdempotencyKeyInput.optional(),
  })
  .superRefine(({ status, settledAssets, settledShares, failureCode }, { addIssue }) => {
    const issue = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    if (status === 'failed' && (failureCode === undefined || failureCode === NO_CODE)) issue('failureCode', 'is required when failed')
    if (status !== 'succeeded' && settledAssets !== '0') issue('settledAssets', 'must be 0 unless succeeded')
    if (status !== 'succeeded' && settledShares !== '0') issue('settledShares', 'must be 0 unless succeeded')
  })
  .meta({ allOf: [{ oneOf: OUTCOME_STATUSES.map(statedObservation) }] })

/** Body of `POST /admin/xcm/finalize`. */
export const FinalizeBody = z.strictObject({ requestId: RequestIdInput, idempotencyKey: IdempotencyKeyInput.optional() })
