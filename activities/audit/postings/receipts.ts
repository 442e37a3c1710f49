import { fundingReceiptRule } from '../../../domain/audit/posting-records.ts'
import { canonicalJson } from '../../../domain/common/canonical-json.ts'
import { findFundingProblem } from '../../../domain/receipts/funding-receipt.ts'
import { receiptUrl } from '../../../domain/receipts/work-receipt.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import { type FundingReceipt, FundingReceiptShape } from '../../../schemas/receipts/funding.ts'
import { type KeyRecord, listKeyRecords } from '../../identity/key-records.ts'
import { findForgery } from '../../identity/signing-keys.ts'
import { unsignedFundingReceipt } from '../../postings/funding-receipt.ts'
import type { Audit, Check, Contradiction } from '../context.ts'
import { type AuditedPosting, settledPostings } from './rows.ts'

/** The receipt made again from the posting and its funding, with the signature and the base address of the stored one. */
const rebuild = ({ chain }: Audit, { posting }: AuditedPosting, { signature, canonicalUrl, receiptId }: FundingReceipt): string | null => {
  if (posting.funding === null) return null
  const publicBaseUrl = canonicalUrl.slice(0, canonicalUrl.length - receiptUrl('', receiptId).length)
  const place = { reads: { chain, escrowAddress: liveEscrow(chain) }, publicBaseUrl }
  return canonicalJson({ ...unsignedFundingReceipt(place, posting, posting.funding), signature })
}

/** Contradiction between a receipt, its posting and its signature; null if they agree. */
const compareReceipt = async (audit: Audit, audited: AuditedPosting, keys: readonly KeyRecord[]): Promise<Contradiction | null> => {
  const { posting, job, isForked } = audited
  const { fundingReceipt: stored } = posting
  const rule = fundingReceiptRule(posting, { hasJob: job !== null, isForked })
  if (stored === null) return rule === 'required' ? { expected: `a receipt of ${posting.funding?.txHash}`, found: 'none' } : null
  if (rule === 'forbidden') return { expected: `no receipt (${posting.status})`, found: `the receipt ${stored.receiptId}` }
  const { data: receipt, error } = FundingReceiptShape.safeParse(stored)
  if (error !== undefined) return { expected: 'a receipt of the published schema', found: error.issues[0]?.message ?? 'another document' }
  const problem = findFundingProblem(receipt) ?? (await findForgery(keys, receipt))
  if (problem !== null) return { expected: 'our signed receipt', found: problem }
  const [expected, found] = [rebuild(audit, audited, receipt), canonicalJson(receipt)]
  return expected === found ? null : { expected: expected ?? 'no receipt without a funding', found }
}

/** Compares the receipts of fundings with their postings and with their signatures. */
export const checkFundingReceipts: Check = async (audit, add) => {
  const keys = await listKeyRecords(audit.rows, 'receipt')
  for await (const page of settledPostings(audit))
    for (const audited of page) {
      const contradiction = await compareReceipt(audit, audited, keys)
      if (contradiction !== null) add({ subject: `receipt of posting ${audited.posting.jobId}`, ...contradiction })
    }
}
