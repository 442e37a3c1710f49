import { errorTable, forbidden, get, notFound, unavailable } from '../common/error-row.ts'

/** Work receipts and the key that signs them. */
export const RECEIPT_ERRORS = errorTable({
  receipt_not_found: notFound({ meaning: 'No receipt has this id.', next: get('/receipts', 'Read own receipts with GET /receipts.') }),
  receipt_wallet_mismatch: forbidden({
    title: 'Receipts of another wallet',
    meaning: 'A wallet lists its own receipts only.',
    next: get('/receipts', 'Leave out `wallet`.'),
  }),
  receipt_key_unavailable: unavailable({
    meaning: 'The key that signs badges and receipts cannot be used, so the outcome is not recorded yet.',
    retry: 'Repeat later; the settlement continues by itself.',
  }),
})
