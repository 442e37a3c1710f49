import { describe, expect, test } from '@jest/globals'
import { loadSigningKey } from '../../../activities/common/document-signing.ts'
import { createDocumentSigner } from '../../../activities/identity/signing-keys.ts'
import { buildFundingReceipt } from '../../../activities/postings/funding-receipt.ts'
import { findFundingReceipt } from '../../../activities/receipts/records.ts'
import { createReceiptHandlers } from '../../../api/receipts/handlers.ts'
import { canonicalJson } from '../../../domain/common/canonical-json.ts'
import type { PostingRecord } from '../../../schemas/postings/record.ts'
import type { PostingFunding } from '../../../schemas/postings/terms.ts'
import { useApi } from '../../api/support/started.ts'
import { builtJob, NOW } from '../../domain/builders/job.ts'
import { makePem, testChain } from '../../support/api.ts'
import { POSTER } from '../../support/records/funding-facts.ts'
import { quotedPosting } from '../../support/records/posting-rows.ts'
import { verifyDetached } from '../../support/signed-documents.ts'

const api = useApi({ now: NOW + 60_000, handlers: createReceiptHandlers })
const receiptPem = makePem()
const escrowAddress = testChain.contracts.escrow.generations[0]?.address as `0x${string}`

const funding: PostingFunding = {
  txHash: `0x${'7'.repeat(64)}`,
  blockNumber: '118',
  blockHash: `0x${'b'.repeat(64)}`,
  fundedAt: new Date(NOW).toISOString(),
  totalReservedRaw: '2100000',
}
const posting = quotedPosting(builtJob(), POSTER, NOW)
const readKey = () => loadSigningKey(receiptPem, 'badge-1')
const deps = () => ({
  sign: createDocumentSigner({ database: api.deps.database, clock: api.clock, readKey }),
  reads: { chain: testChain, escrowAddress },
  publicBaseUrl: 'https://work.example',
})
const build = (changes: Partial<PostingFunding> = {}) => buildFundingReceipt(deps(), posting as PostingRecord, { ...funding, ...changes })

describe('the receipt of a funding', () => {
  test('is signed with the key of receipts, and anyone reads it by its id, byte for byte', async () => {
    const receipt = await build()
    const { rows } = api.deps.database
    await rows
      .insertInto('posting')
      .values({ ...posting, status: 'live', funding, fundingReceipt: receipt })
      .execute()
    const { jwk } = await readKey()
    await verifyDetached(receipt, { keys: [{ ...jwk, validFrom: funding.fundedAt, retiredAt: null }] } as never)
    const { status, text, headers } = await api.call(`/receipts/${receipt.receiptId}`)
    expect([status, text]).toEqual([200, canonicalJson(receipt)])
    expect(headers.get('cache-control')).toBe('public, max-age=60, must-revalidate')
    const held = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await api.call(`/receipts/${receipt.receiptId}`, { headers: held })).status).toBe(304)
    const page = await api.call(`/receipts/${receipt.receiptId}`, { headers: { accept: 'text/html' } })
    expect(page.headers.get('cache-control')).toBe('public, max-age=60, must-revalidate')
    expect(await findFundingReceipt(rows, receipt.receiptId)).toBe(text)
  })

  test('has a page for people', async () => {
    const receipt = await build()
    const { text } = await api.call(`/receipts/${receipt.receiptId}`, { headers: { accept: 'text/html' } })
    expect(text).toContain('Funding receipt')
    expect(text).toContain('2.1 USDC')
  })

  test('is not found by another id', async () => {
    const { status, body } = await api.call(`/receipts/${funding.txHash}`)
    expect([status, body.code]).toEqual([404, 'receipt_not_found'])
  })

  test('states the fee that the chain charged, not that of the quote', async () => {
    expect((await build({ totalReservedRaw: '2170000' })).amounts).toMatchObject({
      posterFee: { raw: '170000' },
      totalReserved: { raw: '2170000' },
    })
  })

  test('is dated by its block where the block is ahead of the service', async () => {
    const fundedAt = new Date(NOW + 120_000).toISOString()
    expect((await build({ fundedAt })).signature.signedAt).toBe(fundedAt)
  })

  test('does not exist where the total is smaller than its parts', async () => {
    await expect(build({ totalReservedRaw: '1' })).rejects.toThrow(/posterFee|smaller than its parts/)
  })
})
