import { errorTable, get } from '../common/error-row.ts'

/** Work receipts and the key that signs them. */
export const RECEIPT_ERRORS = errorTable({
  receipt_not_found: {
    status: 404,
    title: 'Receipt not found',
    meaning: 'No work receipt has this id.',
    nextActions: [get('/receipts', 'Read own receipts with GET /receipts.')],
  },
  receipt_wallet_mismatch: {
    status: 403,
    title: 'Receipts of another wallet',
    meaning: 'A wallet lists its own receipts only.',
    nextActions: [get('/receipts', 'Leave out `wallet`.')],
  },
  receipt_key_unavailable: {
    status: 503,
    title: 'Receipt key unavailable',
    meaning: 'The key that signs badges and receipts cannot be used, so the outcome is not recorded yet.',
    reaction: 'Repeat later; the settlement continues by itself.',
    retryable: true,
  },
})
