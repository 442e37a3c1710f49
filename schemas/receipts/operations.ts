import { z } from 'zod'
import { SchemaRowShape } from '../catalogue/shapes.ts'
import { operation, PUBLIC, WALLET } from '../operations/operation.ts'
import { AddressInput, AssetAmount, Bytes32, listAnswer, listQuery, nativeAccount, OpenObject } from '../operations/values.ts'
import { FundingReceiptShape } from './funding.ts'
import { RunReceiptShape } from './run.ts'
import { RECEIPT_OUTCOMES, WorkReceiptShape } from './shapes.ts'

const open = { tags: ['Receipts'], auth: PUBLIC, cache: 'public, max-age=300' } as const

export const listReceipts = operation('listReceipts', 'GET /receipts', {
  fromReplica: true,
  summary: 'Own work receipts, newest first.',
  description: 'Of sessions. A paid run names its receipt itself, and no list has it.',
  tags: ['Receipts'],
  auth: WALLET,
  action: 'read_own_work_receipts',
  capability: 'session:read',
  query: z.object({ ...listQuery(20, 100), wallet: AddressInput.optional().describe('The own wallet; another one is refused.') }),
  responses: {
    200: z.object({
      receipts: z.array(
        z.object({
          receiptId: Bytes32,
          sessionId: z.string(),
          jobId: z.string(),
          nativeAccount,
          outcome: z.enum(RECEIPT_OUTCOMES),
          amounts: z
            .object({ worker: AssetAmount, protocolFee: AssetAmount, gasRetention: AssetAmount, reward: AssetAmount })
            .meta({ id: 'ReceiptAmounts', description: 'Amounts of the settlement.' })
            .nullable()
            .describe('Null where the worker was paid nothing.'),
          timestamps: WorkReceiptShape.shape.timestamps,
          canonicalUrl: z.url(),
        }),
      ),
      ...listAnswer,
    }),
  },
  errors: ['receipt_wallet_mismatch'],
  examples: { query: { limit: '10' } },
})

export const getReceipt = operation('getReceipt', 'GET /receipts/:receiptId', {
  summary: 'A receipt of work, of a paid run or of a funding by its id, byte for byte as it was signed.',
  description:
    'The answer is canonical JSON (RFC 8785); `schemaVersion` tells its kind, and `intent.specSource` of a work receipt whether it is that of a paid run (`verify_request`). Both never change. A fork of the chain can move or remove the funding of a receipt: its id is then answered with 410, so a cache may keep a receipt of a funding for 60 seconds, and revalidates it by its `ETag`. `receiptId` is the SHA-256 of the receipt without `receiptId`, `canonicalUrl`, `signers` and `signature`; the signature is a detached JWS over the receipt without `signature`, by a key of `/.well-known/jwks.json`.',
  ...open,
  params: z.object({ receiptId: Bytes32 }),
  responses: { 200: z.union([WorkReceiptShape, RunReceiptShape, FundingReceiptShape]) },
  hasPage: true,
  errors: ['receipt_not_found', 'receipt_superseded', 'receipt_funding_removed'],
  cache: 'public, max-age=31536000, immutable',
  examples: { params: { receiptId: `0x${'1f'.repeat(32)}` } },
})

export const listRecordSchemas = operation('listRecordSchemas', 'GET /schemas/records', {
  summary: 'Schemas of signed documents.',
  ...open,
  responses: {
    200: z.object({ schemas: z.array(SchemaRowShape), count: z.int() }),
  },
})

export const getRecordSchema = operation('getRecordSchema', 'GET /schemas/records/:name.json', {
  summary: 'Schema of one kind of signed document (JSON Schema draft 2020-12).',
  description: 'The service stores a badge, receipt or dispute file only if its schema accepts it.',
  ...open,
  params: z.object({ name: z.string().min(1).max(120).describe('Name of the schema, such as `work-receipt-v1`.') }),
  responses: { 200: OpenObject },
  errors: ['schema_not_found'],
  examples: { params: { name: 'work-receipt-v1' } },
})
