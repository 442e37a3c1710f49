import { z } from 'zod'
import { type NativeAccountView, nativeAccountMember } from '../../activities/identity/native-accounts.ts'
import {
  findFormerReceipt,
  findFundingReceipt,
  findReceipt,
  findRunReceipt,
  listReceipts,
  type ReceiptRow,
} from '../../activities/receipts/records.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { receiptUrl } from '../../domain/receipts/work-receipt.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import { listRecordSchemas, RECORD_SCHEMAS } from '../../schemas/operations/record-schemas.ts'
import { FundingReceiptShape } from '../../schemas/receipts/funding.ts'
import type * as receiptOperations from '../../schemas/receipts/operations.ts'
import { RunReceiptShape } from '../../schemas/receipts/run.ts'
import { type WorkReceipt, WorkReceiptShape } from '../../schemas/receipts/shapes.ts'
import type { ServiceDeps } from '../deps.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { fundingPage } from './funding-page.ts'
import { receiptPage } from './receipt-page.ts'
import { runPage } from './run-page.ts'

/** Cache-Control of a receipt of a funding, which a fork of the chain can make void. */
const UNTIL_VOID = { 'cache-control': 'public, max-age=60, must-revalidate' } as const

const Position = z.object({ verifiedAt: InstantKey, receiptId: TextKey })

/** Receipts of ended work and the schemas of signed documents. */
export const createReceiptHandlers = ({ database, chain, baseUrl }: ServiceDeps): HandlersOf<typeof receiptOperations> => {
  const { rows } = database

  const amountsOf = ({ settlement }: WorkReceipt) => {
    if (settlement === undefined) return null
    const toAmount = (raw: string) => assetAmount(BigInt(raw), chain.asset)
    return {
      worker: toAmount(settlement.workerAmountRaw),
      protocolFee: toAmount(settlement.protocolFeeAmountRaw),
      gasRetention: toAmount(settlement.gasRetentionAmountRaw),
      reward: toAmount(settlement.rewardAmountRaw),
    }
  }

  const rowView = ({ document }: ReceiptRow, account: { nativeAccount?: NativeAccountView }) => {
    const receipt = WorkReceiptShape.parse(JSON.parse(document))
    const { receiptId, sessionId, jobId, verdict, timestamps } = receipt
    const canonicalUrl = receiptUrl(baseUrl, receiptId)
    return { receiptId, sessionId, jobId, ...account, outcome: verdict.outcome, amounts: amountsOf(receipt), timestamps, canonicalUrl }
  }

  /** Why no receipt is answered by an id. */
  const absence = async (receiptId: string): Promise<ServiceError> => {
    const former = await findFormerReceipt(rows, receiptId)
    if (former === null) return new ServiceError('receipt_not_found', { details: { receiptId } })
    const { jobId, supersededBy } = former
    if (supersededBy === null) return new ServiceError('receipt_funding_removed', { details: { receiptId, jobId } })
    return new ServiceError('receipt_superseded', { details: { receiptId, jobId, supersededBy } })
  }

  const fundingAnswer = async (receiptId: string) => {
    const document = await findFundingReceipt(rows, receiptId)
    if (document === null) throw await absence(receiptId)
    const body = JSON.parse(document)
    const page = () => fundingPage(FundingReceiptShape.parse(body))
    return { status: 200 as const, body, serialised: Buffer.from(document), page, headers: UNTIL_VOID }
  }

  /** The receipt of a paid run, or of a funding. */
  const otherAnswer = async (receiptId: string) => {
    const ofRun = await findRunReceipt(rows, receiptId)
    if (ofRun === null) return fundingAnswer(receiptId)
    const body = JSON.parse(ofRun.document)
    return { status: 200 as const, body, serialised: Buffer.from(ofRun.document), page: () => runPage(RunReceiptShape.parse(body)) }
  }

  return {
    listReceipts: async ({ query: { wallet, ...query }, caller }) => {
      if (wallet !== undefined && wallet !== caller.wallet) throw new ServiceError('receipt_wallet_mismatch', { details: { wallet } })
      const page = listPage({ ...query, operationId: 'listReceipts', filters: { wallet: caller.wallet }, position: Position })
      const found = await listReceipts(rows, { worker: caller.wallet, limit: page.readLimit, after: page.after })
      const { rows: shown, ...envelope } = page.cut(found, ({ verifiedAt, receiptId }) => ({ verifiedAt, receiptId }))
      const account = await nativeAccountMember(rows, caller.wallet)
      return { status: 200, body: { receipts: shown.map((row) => rowView(row, account)), ...envelope } }
    },

    getReceipt: async ({ params: { receiptId } }) => {
      const receipt = await findReceipt(rows, receiptId)
      if (receipt === null) return otherAnswer(receiptId)
      const body = JSON.parse(receipt.document)
      const page = async (): Promise<string> => {
        const shown = WorkReceiptShape.parse(body)
        const { nativeAccount } = await nativeAccountMember(rows, shown.worker.toLowerCase())
        return receiptPage(shown, nativeAccount)
      }
      return { status: 200, body, serialised: Buffer.from(receipt.document), page }
    },

    listRecordSchemas: async () => {
      const schemas = listRecordSchemas()
      return { status: 200, body: { schemas, count: schemas.length } }
    },

    getRecordSchema: async ({ params: { name } }) => {
      const schema = RECORD_SCHEMAS.get(name)
      if (schema === undefined) throw new ServiceError('schema_not_found', { details: { name } })
      return { status: 200, body: schema }
    },
  }
}
