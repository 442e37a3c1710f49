import { z } from 'zod'
import { JudgementTermsShape } from '../catalogue/judgement.ts'
import {
  Bytes32,
  closedShape,
  DecimalAmount,
  DigitString,
  DocumentSignatureShape,
  literal,
  RawAmount,
  SignedTime,
} from '../operations/values.ts'
import { Party } from './shapes.ts'

const FundedAmount = closedShape('FundedAmount', 'Amount in base units with its decimals, and in whole units.', {
  raw: RawAmount,
  decimals: z.int().min(0).max(30),
  display: DecimalAmount,
})
const parts = { reward: FundedAmount, opsReserve: FundedAmount, contingencyReserve: FundedAmount, posterFee: FundedAmount }

/** Receipt of the funding of a posted job, signed when the job goes live. Every object is closed. */
export const FundingReceiptShape = z
  .strictObject({
    schemaVersion: literal('service.funding-receipt.v1'),
    kind: literal('funding'),
    receiptId: Bytes32.describe('SHA-256 of the canonical receipt without `receiptId`, `canonicalUrl` and `signature`.'),
    jobId: Bytes32.describe('Of the job here and in the escrow; it follows from `specHash` and `poster`.'),
    specHash: Bytes32.describe('Hash of the definition of the job.'),
    poster: Party,
    chainId: z.int().min(1),
    escrow: Party.describe('Contract that holds the money.'),
    asset: closedShape('FundedAsset', 'Token of the amounts.', { address: Party, symbol: z.string(), decimals: z.int().min(0).max(30) }),
    amounts: closedShape('FundedAmounts', 'What the poster put into the escrow.', {
      ...parts,
      totalReserved: FundedAmount.describe('The other amounts together.'),
    }),
    funding: closedShape('FundingTransaction', 'The transaction that created the job in the escrow.', {
      transactionHash: Bytes32,
      blockNumber: DigitString,
      blockHash: Bytes32,
      fundedAt: SignedTime.describe('Time of the block.'),
    }),
    cancellation: closedShape('CancellationTerms', 'How the poster takes the money back while the job is open.', {
      method: literal('cancelOpenJob').describe('Function of the escrow, which only the poster may call.'),
      minimumOpenSeconds: z.int().min(0).describe('Time for which a job stays open before it can be cancelled.'),
      earliestAt: SignedTime,
      refundTo: Party,
      refund: closedShape('CancellationRefund', 'What comes back, in each part.', {
        ...parts,
        total: FundedAmount.describe('The other amounts together.'),
      }),
    }),
    judgement: JudgementTermsShape,
    attestation: z.string().describe('What the document states and what it does not.'),
    canonicalUrl: z.url(),
    signature: DocumentSignatureShape,
  })
  .meta({ id: 'FundingReceipt', description: 'Signed statement of what a poster put into the escrow, and on which terms it comes back.' })
export type FundingReceipt = z.infer<typeof FundingReceiptShape>
