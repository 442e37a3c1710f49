// The receipt of a funding while the chain forks, on a real chain.
import { describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createReceiptHandlers } from '../../../api/receipts/handlers.ts'
import * as receipts from '../../../schemas/receipts/operations.ts'
import { useStarted } from '../../support/started.ts'
import { freshPoster, startPostingStage } from '../support/posting-stage.ts'

const stage = useStarted(startPostingStage, ({ stop }) => stop())

/** Answer to a receipt's id: its job and block, or the refusal. */
const read = async (receiptId: string) => {
  const { getReceipt } = createReceiptHandlers({ database: stage.database, chain: stage.chain, baseUrl: 'http://service.test' } as never)
  const answer = stage.ask(receipts.getReceipt, getReceipt, { params: { receiptId } })
  return answer.then(
    ({ body }) => ('funding' in body ? { jobId: body.jobId, block: body.funding.blockHash } : body),
    ({ code, info }) => ({ code, ...info.details }),
  )
}

/** A wallet that can pay, with a draft, and the id of the receipt of its funding. */
const drafted = async () => {
  const poster = freshPoster()
  await stage.postings.endow(poster)
  const { draftId, jobId } = await stage.draft(poster)
  const { templates } = await stage.transactions(poster, draftId)
  const observe = () => stage.postings.observe({ jobId: jobId as Hex })
  const receiptId = async () => (await stage.readDraft(poster, draftId)).fundingReceipt?.receiptId ?? 'none'
  return { poster, jobId, observe, receiptId, fund: () => stage.send(templates) }
}

describe('the receipt of a funding', () => {
  test('whose funding a fork moved to another block says which receipt counts now, also after a second fork', async () => {
    const { jobId, fund, observe, receiptId } = await drafted()
    const ids: string[] = []
    for (let blocks = 0; blocks < 3; blocks += 1) {
      const undo = await stage.snapshot()
      if (blocks > 0) await stage.mine(blocks)
      await fund()
      expect((await observe()).status).toBe('live')
      ids.push(await receiptId())
      if (blocks < 2) await undo()
    }
    const [first = '', second = '', third = ''] = ids
    expect(new Set(ids).size).toBe(3)
    expect(await read(third)).toMatchObject({ jobId })
    for (const receiptId of [first, second])
      expect(await read(receiptId)).toEqual({ code: 'receipt_superseded', receiptId, jobId, supersededBy: third })
  })

  test('whose funding a fork took away says so, until the job is funded again', async () => {
    const { jobId, fund, observe, receiptId } = await drafted()
    const undo = await stage.snapshot()
    await fund()
    await observe()
    const first = await receiptId()
    await undo()
    await stage.mine(2)
    expect((await observe()).status).toBe('awaiting_funding')
    expect([await receiptId(), await read(first)]).toEqual(['none', { code: 'receipt_funding_removed', receiptId: first, jobId }])
    await fund()
    await observe()
    expect(await read(first)).toMatchObject({ code: 'receipt_superseded', supersededBy: await receiptId() })
  })

  test('does not stand for another funding that a fork put in its place', async () => {
    const { jobId, fund, observe, receiptId } = await drafted()
    const other = freshPoster()
    await stage.postings.endow(other)
    const { specHash, rewardRaw, ...terms } = await stage.postings.recordOf({ jobId: jobId as Hex })
    const undo = await stage.snapshot()
    await fund()
    await observe()
    const first = await receiptId()
    await undo()
    const { opsReserveRaw, contingencyReserveRaw } = terms
    const amounts = { rewardRaw, opsReserveRaw, contingencyReserveRaw }
    await stage.postings.create({ jobId: jobId as Hex, specHash, poster: other, claimTtlSeconds: 3_600, ...amounts })
    await stage.mine(1)
    expect((await observe()).status).toBe('mismatch')
    expect([await receiptId(), await read(first)]).toEqual(['none', { code: 'receipt_funding_removed', receiptId: first, jobId }])
  })

  test('of a cancelled job follows its funding to another block', async () => {
    const { poster, jobId, fund, observe, receiptId } = await drafted()
    const undo = await stage.snapshot()
    await fund()
    await observe()
    const first = await receiptId()
    await undo()
    await stage.mine(1)
    await fund()
    await stage.pass(3_601)
    await stage.world.run(poster, 'escrow', 'cancelOpenJob', jobId)
    expect((await observe()).status).toBe('cancelled')
    const second = await receiptId()
    expect(await read(first)).toEqual({ code: 'receipt_superseded', receiptId: first, jobId, supersededBy: second })
    expect(await read(second)).toMatchObject({ jobId })
  })
})

test('an id that was never a receipt is unknown', async () => {
  expect(await read(`0x${'0'.repeat(64)}`)).toMatchObject({ code: 'receipt_not_found' })
})
