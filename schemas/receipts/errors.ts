import { errorTable } from '../common/error-row.ts'

/** Work receipts and the key that signs them. */
export const RECEIPT_ERRORS = errorTable({
  receipt_not_found: '404 | Receipt not found | No work receipt has this id. | Read own receipts with GET /receipts. | GET /receipts',
  receipt_wallet_mismatch: '403 | Receipts of another wallet | A wallet lists its own receipts only. | Leave out `wallet`. | GET /receipts',
  receipt_key_unavailable:
    '503 | Receipt key unavailable | The key that signs badges and receipts cannot be used, so the outcome is not recorded yet. | Repeat later; the settlement continues by itself. | retryable',
})
