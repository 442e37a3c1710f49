import { errorTable, forbidden, get, gone, notFound, unavailable } from '../common/error-row.ts'

const OWN_POSTINGS = get('/poster/jobs', 'List your own postings; each names the receipt of its funding.')

/** Work receipts and the key that signs them. */
export const RECEIPT_ERRORS = errorTable({
  receipt_not_found: notFound({ meaning: 'No receipt has this id.', next: get('/receipts', 'Read own receipts with GET /receipts.') }),
  receipt_superseded: gone({
    meaning: 'A fork of the chain moved the funding of this receipt to another block, and a new receipt states it.',
    next: [get('/receipts/{supersededBy}', 'Read the receipt that counts.'), OWN_POSTINGS],
  }),
  receipt_funding_removed: gone({
    title: 'Funding of a receipt removed',
    meaning: 'A fork of the chain took the funding of this receipt away: the job has no funding that counts.',
    next: [get('/jobs/definition?jobId={jobId}', 'Read the job.'), OWN_POSTINGS],
  }),
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
