import { expect, test } from '@jest/globals'
import { rehearse } from '../../../activities/postings/rehearse.ts'
import { draftView, type PostingChain, posterJobView } from '../../../domain/postings/views.ts'
import { buildFundingReceipt } from '../../../domain/receipts/funding-receipt.ts'
import type { PostingRecord } from '../../../schemas/postings/record.ts'
import { DraftShape, PosterJobShape } from '../../../schemas/postings/shapes.ts'
import { builtJob, NOW } from '../../domain/builders/job.ts'
import { newKey, signWith } from '../../examples/support/records.ts'
import { fundingFacts, POSTER } from '../../support/records/funding-facts.ts'
import { quotedPosting } from '../../support/records/posting-rows.ts'
import { createFixtureSources } from '../verification/fixtures/fixture.ts'

const CHAIN: PostingChain = {
  escrow: `0x${'5'.repeat(40)}`,
  escrowVersion: 3,
  asset: { symbol: 'USDC', decimals: 6, address: `0x${'a'.repeat(40)}` },
}
const CLAIMERS = { bondPolicy: null, walletsWithSkill: 0 }
const UNFUNDED = { funding: null, mismatch: null, refund: null, reason: null, handedOutAt: null, rehearsal: null, fundingReceipt: null }

test('a draft shows its last rehearsal and its funding receipt once it has them, and its row the id of the receipt', async () => {
  const built = builtJob()
  const quoted = { ...quotedPosting(built, POSTER, NOW), ...UNFUNDED } as PostingRecord
  const bare = draftView(quoted, CHAIN, CLAIMERS, NOW)
  expect([bare.rehearsal, bare.fundingReceipt]).toEqual([undefined, undefined])

  const rehearsal = await rehearse(quoted, [], { sources: createFixtureSources(), checks: new Map(), now: NOW })
  const fundingReceipt = await signWith(await newKey())(buildFundingReceipt(fundingFacts()))
  const full = { ...quoted, rehearsal, fundingReceipt }
  expect(DraftShape.parse(draftView(full, CHAIN, CLAIMERS, NOW))).toMatchObject({ rehearsal, fundingReceipt })
  const row = PosterJobShape.parse(posterJobView(full, CHAIN, null, NOW))
  expect(row.fundingReceiptId).toBe(fundingReceipt.receiptId)
})
