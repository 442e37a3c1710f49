import { describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { deleteUnfunded } from '../../../activities/postings/drafts.ts'
import { useStarted } from '../../support/started.ts'
import { refusal } from '../support/account-world.ts'
import { freshDefinition, freshPoster, type PostingStage, startPostingStage } from '../support/posting-stage.ts'

const HOUR_MS = 3_600_000
const stage = useStarted(startPostingStage, ({ stop }) => stop())
const stepsOf = ({ templates }: { templates: readonly { step: string }[] }) => templates.map(({ step }) => step)

/** A wallet with so much in itself and in its account. */
const posterWith = async ({ wallet = 0n, account = 0n }: { wallet?: bigint; account?: bigint }): Promise<Hex> => {
  const poster = freshPoster()
  await stage.mint(poster, wallet)
  if (account > 0n) await stage.postings.endow(poster, account)
  return poster
}

/** Funds a draft by the transactions that the service builds, and lets its process see it. */
const fundedJob = async (poster: Hex, changes: object = {}) => {
  const draft = await stage.draft(poster, freshDefinition(changes))
  await stage.send((await stage.transactions(poster, draft.draftId)).templates)
  await stage.postings.observe({ jobId: draft.jobId as Hex })
  return draft
}

describe('the transactions of a draft', () => {
  test('approve, deposit and create to the unit of the quote, and make the job live', async () => {
    const poster = await posterWith({ wallet: 2_000_000n })
    const draft = await stage.draft(poster, freshDefinition({ opsReserve: 0.1 }))
    const built = await stage.transactions(poster, draft.draftId)
    expect(stepsOf(built)).toEqual(['approve', 'deposit', 'create'])
    expect(built.deposit).toMatchObject({ required: true, amount: { raw: '1150000' } })
    expect(built.simulation.status).toBe('simulated')
    const moved = Object.fromEntries(built.expected.map(({ kind, direction, change }) => [kind, `${direction} ${change.raw}`]))
    expect(moved).toEqual({ wallet: 'out 1150000', 'account.reserved': 'in 1150000' })
    expect(built.templates.at(-1)).toMatchObject({ to: draft.calldata.to, gasEstimate: { prerequisite: 'deposit_confirmed_on_chain' } })
    expect(built.templates.at(-1)?.decoded).toMatchObject({ function: draft.calldata.function, args: { jobId: draft.jobId } })
    expect(stage.started).toContain(draft.jobId)
    expect(await stage.readDraft(poster, draft.draftId)).toMatchObject({ status: 'awaiting_funding', fundingStatus: 'unfunded' })
    await stage.send(built.templates)
    expect(await stage.accountOf(poster)).toMatchObject({ liquid: 0n, reserved: 1_150_000n })
    await stage.postings.observe({ jobId: draft.jobId as Hex })
    expect(await stage.readDraft(poster, draft.draftId)).toMatchObject({
      ...{ status: 'live', fundingStatus: 'funded', listingStatus: 'listed', persisted: true },
      funding: { totalReserved: { raw: '1150000' } },
    })
  })

  test('deposit only what the balance of the account lacks', async () => {
    const short = await posterWith({ wallet: 1_000_000n, account: 750_000n })
    const covered = await posterWith({ account: 1_050_000n })
    const [lacking, enough] = await Promise.all(
      [short, covered].map(async (poster) => stage.transactions(poster, (await stage.draft(poster)).draftId)),
    )
    expect([stepsOf(lacking as never), lacking?.deposit.amount.raw]).toEqual([['approve', 'deposit', 'create'], '300000'])
    expect([stepsOf(enough as never), enough?.deposit]).toMatchObject([['create'], { required: false, amount: { raw: '0' } }])
    expect(enough?.templates[0]?.gasEstimate.status).toBe('estimated')
  })

  test('need no approval where the allowance covers the deposit', async () => {
    const poster = await posterWith({ wallet: 2_000_000n })
    await stage.world.run(poster, 'token', 'approve', stage.world.at.accounts, 1_050_000n)
    const built = await stage.transactions(poster, (await stage.draft(poster)).draftId)
    expect([stepsOf(built), built.approval.required]).toEqual([['deposit', 'create'], false])
  })

  test('are refused to a wallet that holds too little', async () => {
    const poster = await posterWith({ wallet: 1_049_999n })
    const { draftId } = await stage.draft(poster)
    expect(await refusal(stage.transactions(poster, draftId))).toBe('invalid_request InsufficientBalance')
    expect(await stage.readDraft(poster, draftId)).toMatchObject({ status: 'quoted' })
  })

  test('under one key are built once, and start the process of the posting again', async () => {
    const poster = await posterWith({ account: 2_000_000n })
    const { draftId, jobId } = await stage.draft(poster)
    const first = await stage.transactions(poster, draftId, 'build')
    await stage.mine(1)
    expect(await stage.transactions(poster, draftId, 'build')).toEqual(first)
    expect(stage.started.filter((id) => id === jobId)).toHaveLength(2)
  })
})

describe('a draft that its wallet funded by the call data of the answer', () => {
  /** The process of a posting runs at a wake alone. */
  const fundedByCallData = async () => {
    const poster = await posterWith({ account: 2_000_000n })
    const definition = freshDefinition()
    const draft = await stage.draft(poster, definition)
    const terms = { rewardRaw: 1_000_000n, opsReserveRaw: 0n, contingencyReserveRaw: 0n, claimTtlSeconds: 3_600 }
    const fund = async () => {
      await stage.postings.create({ jobId: draft.jobId as Hex, specHash: draft.specHash as Hex, poster, ...terms })
      await stage.follow()
    }
    return { poster, definition, draft, fund }
  }

  test('is followed from a request for its transactions on', async () => {
    const { poster, draft, fund } = await fundedByCallData()
    await fund()
    expect(await refusal(stage.transactions(poster, draft.draftId))).toBe('external_draft_already_funded')
    expect(await stage.readDraft(poster, draft.draftId)).toMatchObject({ status: 'live', fundingStatus: 'funded' })
  })

  test('after the records lost it is followed once its content is drafted again', async () => {
    const { poster, definition, draft, fund } = await fundedByCallData()
    await stage.pass(5 * 24 * 3_600)
    const now = stage.clock.now()
    await deleteUnfunded(stage.rows, { handedOut: now - 90 * 24 * HOUR_MS, quoted: now - 24 * HOUR_MS })
    expect(await refusal(stage.readDraft(poster, draft.draftId))).toBe('external_draft_not_found')
    await fund()
    expect((await stage.draft(poster, definition)).jobId).toBe(draft.jobId)
    expect(await stage.readDraft(poster, draft.draftId)).toMatchObject({ status: 'live', listingStatus: 'listed' })
  })
})

describe('the cancellation of a job', () => {
  test('gives back each part of the quote', async () => {
    const poster = await posterWith({ account: 2_000_000n })
    const { jobId } = await fundedJob(poster, { opsReserve: 0.2, contingencyReserve: 0.1 })
    await stage.pass(3_601)
    const built = await stage.cancel(poster, jobId)
    expect(built.refund).toMatchObject({
      ...{ total: { raw: '1350000' }, reward: { raw: '1000000' }, posterFee: { raw: '50000' } },
      ...{ opsReserve: { raw: '200000' }, contingencyReserve: { raw: '100000' } },
    })
    const moved = Object.fromEntries(built.expected.map(({ kind, direction, change }) => [kind, `${direction} ${change.raw}`]))
    expect(moved).toEqual({ 'account.liquid': 'in 1350000', 'account.reserved': 'out 1350000' })
    await stage.send(built.templates)
    expect(await stage.accountOf(poster)).toMatchObject({ liquid: 2_000_000n, reserved: 0n })
    await stage.postings.observe({ jobId: jobId as Hex })
    const [row] = (await stage.jobsOf(poster)).jobs
    expect(row).toMatchObject({ status: 'cancelled', claimState: 'archived' })
    expect(await refusal(stage.cancel(poster, jobId))).toBe('external_job_not_open')
  })
})

describe('the jobs of a poster', () => {
  test('are its own, newest first, page by page, each with what to do next', async () => {
    const poster = await posterWith({ account: 3_000_000n })
    const drafts: Awaited<ReturnType<PostingStage['draft']>>[] = []
    for (const rewardAmount of [1, 1.5, 2]) {
      drafts.push(await stage.draft(poster, freshDefinition({ rewardAmount })))
      await stage.pass(1)
    }
    await stage.draft(freshPoster())
    const first = await stage.jobsOf(poster, { limit: '2' })
    const second = await stage.jobsOf(poster, { limit: '2', cursor: first.nextCursor ?? '' })
    expect([...first.jobs, ...second.jobs].map(({ jobId }) => jobId)).toEqual(drafts.map(({ jobId }) => jobId).reverse())
    expect(second.nextCursor).toBeNull()
    expect(first.jobs[0]).toMatchObject({
      ...{ status: 'quoted', claimState: null, fundedAt: null, txHash: null, title: expect.stringMatching(/^Retry policy/) },
      ...{ reward: { display: '2', asset: 'USDC' }, posterReserved: { display: '2.1' }, cancellation: { earliestAt: null } },
      next: { kind: 'http', path: `/jobs/draft/${drafts[2]?.draftId}/transactions` },
    })
  })

  test('show a live job with its claim state, its funding and the instant of its cancellation', async () => {
    const poster = await posterWith({ account: 2_000_000n })
    const { jobId } = await fundedJob(poster)
    const [row] = (await stage.jobsOf(poster)).jobs
    expect(row).toMatchObject({ jobId, status: 'live', claimState: 'open', posterReserved: { raw: '1050000' } })
    const earliest = new Date(Date.parse(row?.fundedAt ?? '') + 3_600_000).toISOString()
    expect(row?.cancellation?.earliestAt).toBe(earliest)
    expect(row?.next).toMatchObject({ path: `/poster/jobs/${jobId}/cancel/transactions`, availableAt: earliest })
  })

  test('hide the wallet that a job names', async () => {
    const poster = await posterWith({ account: 2_000_000n })
    await fundedJob(poster, { designatedClaimants: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] })
    const [row] = (await stage.jobsOf(poster)).jobs
    expect(row?.claimState).toBe('restricted')
    expect(JSON.stringify(row)).not.toMatch(/70997970/i)
  })
})

describe('an operator', () => {
  test('takes a posted job out of the catalogue once, without touching the escrow', async () => {
    const poster = await posterWith({ account: 2_000_000n })
    const { jobId, draftId } = await fundedJob(poster)
    const answer = await stage.delist(jobId, 'Asks for credentials.', 'delist')
    expect(answer).toMatchObject({ jobId, delisted: true, catalogProjectionRemoved: true, onChainEscrowTouched: false })
    await stage.pass(5)
    expect(await stage.delist(jobId, 'Another reason.')).toEqual(answer)
    expect((await stage.reads.escrowJob(jobId as Hex)).state).toBe('open')
    expect(await stage.readDraft(poster, draftId)).toMatchObject({
      ...{ status: 'delisted', listingStatus: 'delisted' },
      next: { path: `/poster/jobs/${jobId}/cancel/transactions` },
    })
  })

  test('delists no job of the operator, none that is unknown, and none for a reason of the chain', async () => {
    const curated = await stage.addJob('curated-job')
    expect(await refusal(stage.delist(curated, 'Old.'))).toBe('job_not_found')
    expect(await refusal(stage.delist(`0x${'0'.repeat(64)}`, 'Unknown.'))).toBe('job_not_found')
    for (const reason of ['poster_cancelled', 'funding_removed'])
      expect(await refusal(stage.delist(`0x${'0'.repeat(64)}`, reason))).toBe('invalid_request')
  })
})
