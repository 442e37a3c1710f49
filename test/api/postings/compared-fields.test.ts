// A funding as drafted, and one for each term that the service compares, as its poster reads it over HTTP.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex } from 'viem'
import { testUsdcAbi } from '../../../activities/chain/abi/test-usdc.ts'
import { loadArtifact } from '../../../contracts/artifact.ts'
import { COMPARED_FIELDS } from '../../../schemas/postings/terms.ts'
import { callsOf, who } from '../../contracts/support/world.ts'
import { accounts, type Reply } from '../../support/api.ts'
import { useStarted } from '../../support/started.ts'
import { startPostingHttp } from '../support/posting-http.ts'
import { freshDefinition, freshPoster } from '../support/posting-stage.ts'

const stage = useStarted(startPostingHttp, ({ stop }) => stop())
const HOUR = 3_600
const ENDOWMENT = 50_000_000n
const CLAIMANT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** A definition with a value in every compared term. */
const TERMS = { rewardAmount: 2, opsReserve: 0.5, contingencyReserve: 0.25, claimTtlSeconds: 3_600 }
/** Arguments of the creation, in the order of the contract. */
const [ASSET, REWARD, OPS, CONTINGENCY, TTL, SPEC] = [1, 2, 3, 4, 5, 8] as const

/** A second asset of the escrow. */
let token: Hex
beforeAll(async () => {
  token = (await stage.world.create(who.owner, await loadArtifact('TestUSDC'))).toLowerCase() as Hex
  await stage.world.run(who.owner, 'policy', 'setApprovedAsset', token, true)
})
const tokenCall = (from: Hex, functionName: 'mint' | 'approve', to: Hex, raw: bigint) =>
  stage.world.attemptAt(from, token, encodeFunctionData({ abi: testUsdcAbi, functionName, args: [to, raw] }))

/** A wallet without a key of its own, and its token by the signature of its owner. */
const contractWallet = async () => {
  const artifact = await loadArtifact('MockWalletFactory')
  const factory = { ...artifact, prefix: 'NEW', address: await stage.world.create(who.owner, artifact) }
  const calls = callsOf(stage.world, { factory })
  const owners = [accounts.other.address]
  await calls.run(who.owner, 'factory', 'deploy', owners)
  const address = String(await calls.read('factory', 'walletOf', owners)).toLowerCase() as Hex
  const { body: challenge } = await stage.api.call('/auth/nonce', { body: { wallet: address } })
  const signature = await accounts.other.signMessage({ message: challenge.message })
  const { body } = await stage.api.call('/auth/verify', { body: { message: challenge.message, signature } })
  return { address, token: body.token as string }
}

interface Draft {
  poster: Hex
  jobId: Hex
  draftId: Hex
  specHash: Hex
  args: readonly unknown[]
}

const drafted = async (changes: object = {}): Promise<Draft> => {
  const poster = await stage.posterWith(ENDOWMENT)
  const { body } = await stage.post(poster, '/jobs/draft', { definition: freshDefinition({ ...TERMS, ...changes }) })
  expect((await stage.post(poster, `/jobs/draft/${body.draftId}/transactions`)).status).toBe(200)
  const { jobId, draftId, specHash, calldata } = body
  return { poster, jobId, draftId, specHash, args: calldata.args }
}

const create = (payer: Hex, args: readonly unknown[]) => stage.world.run(payer, 'escrow', 'createSinglePayoutJob', ...args)
const withArg = ({ args }: Pick<Draft, 'args'>, place: number, value: unknown) => args.map((arg, index) => (index === place ? value : arg))
const byPoster = (draft: Draft, place: number, value: unknown) => create(draft.poster, withArg(draft, place, value))

const draftOf = async ({ poster, draftId }: Draft): Promise<Reply['body']> => (await stage.get(poster, `/jobs/draft/${draftId}`)).body
const rowOf = async ({ poster, jobId }: Draft): Promise<Reply['body']> =>
  (await stage.get(poster, '/poster/jobs')).body.jobs.find((row: { jobId: string }) => row.jobId === jobId)
const listedAs = async ({ jobId }: Draft) => {
  const { status, body } = await stage.api.call(`/jobs/definition?jobId=${jobId}`)
  return [status, body.code]
}
const cancel = (payer: Hex, { jobId }: Draft) => stage.post(payer, `/poster/jobs/${jobId}/cancel/transactions`)
const nextOf = ({ next }: { next: { kind: string; path?: string } }, { draftId, jobId }: Draft): string =>
  (next.path ?? next.kind).replace(jobId, '{job}').replace(draftId, '{draft}')

/** A draft that is funded so many seconds after the last one of its quote. */
const fundedAt = async (seconds: number): Promise<Draft> => {
  const draft = await drafted()
  const { expiresAt } = await draftOf(draft)
  await stage.pass(72 * HOUR - 60)
  await stage.world.nextBlockAt(Math.floor(Date.parse(expiresAt) / 1000) + seconds)
  await create(draft.poster, draft.args)
  stage.clock.freeze((await stage.world.now()) * 1000)
  await stage.postings.observe(draft)
  stage.clock.run()
  return draft
}

const CANCEL = '/poster/jobs/{job}/cancel/transactions'

interface Wrong {
  name: string
  field: (typeof COMPARED_FIELDS)[number]
  expected: (draft: Draft) => string
  observed: (payer: Hex) => string
  /** Funds the job otherwise than drafted; the wallet that paid. */
  fund: (draft: Draft) => Promise<Hex>
  /** What the poster does next; takes the money back, unless another wallet paid. */
  next?: string
  /** What comes back, base units. */
  refundRaw: string
  /** Whether its parts are those of the draft. */
  hasParts?: boolean
}

const differs = (
  field: Wrong['field'],
  name: string,
  [place, expected, observed]: readonly [number, string, string],
  refundRaw: string,
): Wrong => ({
  ...{ name, field, refundRaw, expected: () => expected, observed: () => observed },
  fund: async (draft) => {
    await byPoster(draft, place, observed)
    return draft.poster
  },
})

const OTHER_SPEC = `0x${'7'.repeat(64)}`
const AS_QUOTED = '2850000'

const WRONG: readonly Wrong[] = [
  {
    ...{ name: 'another wallet', field: 'poster', next: '/jobs/draft', refundRaw: AS_QUOTED },
    ...{ expected: ({ poster }: Draft) => poster, observed: (payer: Hex) => payer },
    fund: async ({ args }) => {
      const payer = await stage.posterWith(ENDOWMENT)
      await create(payer, args)
      return payer
    },
  },
  {
    ...differs('specHash', 'the hash of another definition', [SPEC, '', OTHER_SPEC], AS_QUOTED),
    expected: ({ specHash }) => specHash,
  },
  {
    ...{ name: 'another asset', field: 'asset', refundRaw: AS_QUOTED },
    ...{ expected: () => 'USDC', observed: () => token },
    fund: async (draft) => {
      const { poster } = draft
      await tokenCall(who.owner, 'mint', poster, ENDOWMENT)
      await tokenCall(poster, 'approve', stage.world.at.accounts, ENDOWMENT)
      await stage.world.run(poster, 'accounts', 'deposit', token, ENDOWMENT)
      await byPoster(draft, ASSET, token)
      return poster
    },
  },
  differs('reward', 'one unit too little', [REWARD, '2000000', '1999999'], '2849998'),
  differs('reward', 'one unit too much', [REWARD, '2000000', '2000001'], '2850001'),
  differs('opsReserve', 'a smaller ops reserve', [OPS, '500000', '499999'], '2849999'),
  differs('opsReserve', 'a larger ops reserve', [OPS, '500000', '500001'], '2850001'),
  differs('contingencyReserve', 'a smaller contingency reserve', [CONTINGENCY, '250000', '249999'], '2849999'),
  differs('contingencyReserve', 'a larger contingency reserve', [CONTINGENCY, '250000', '250001'], '2850001'),
  {
    ...differs('opsReserve', 'a unit of one reserve in the other', [OPS, '500000', '499999'], AS_QUOTED),
    fund: async (draft) => {
      await create(draft.poster, withArg({ ...draft, args: withArg(draft, OPS, '499999') }, CONTINGENCY, '250001'))
      return draft.poster
    },
  },
  { ...differs('claimTtlSeconds', 'a second less to work', [TTL, '3600', '3599'], AS_QUOTED), hasParts: true },
  { ...differs('claimTtlSeconds', 'a second more to work', [TTL, '3600', '3601'], AS_QUOTED), hasParts: true },
  {
    ...{ name: 'a payout in parts', field: 'payoutMode', refundRaw: AS_QUOTED, hasParts: true },
    ...{ expected: () => 'single', observed: () => 'milestone' },
    fund: async (draft) => {
      await stage.world.run(draft.poster, 'escrow', 'createMilestoneJob', ...withArg(draft, REWARD, [1_500_000n, 500_000n]))
      return draft.poster
    },
  },
]

/** Takes the money back over HTTP and compares the accounts; the poster then has nothing left to do. */
const takeBack = async (draft: Draft, payer: Hex, refundRaw: string, asset = 'USDC', then = 'wait'): Promise<void> => {
  const before = await stage.accountOf(payer)
  await stage.pass(HOUR)
  const { status, body } = await cancel(payer, draft)
  expect([status, body.refund?.total]).toMatchObject([200, { raw: refundRaw, asset }])
  await stage.send(body.templates)
  const after = await stage.accountOf(payer)
  expect([after.reserved, after.liquid - before.liquid]).toEqual([0n, before.reserved])
  await stage.postings.observe(draft)
  const [read, row] = [await draftOf(draft), await rowOf(draft)]
  expect([read.next.kind, row.next.kind]).toEqual([then, then])
}

describe('a funding', () => {
  test('as drafted is live, listed, and says how and when the money could come back', async () => {
    const draft = await drafted()
    await create(draft.poster, draft.args)
    await stage.postings.observe(draft)
    const [read, row] = [await draftOf(draft), await rowOf(draft)]
    const expected = { status: 'live', cancellation: { method: 'cancelOpenJob', refund: { total: { raw: AS_QUOTED } } } }
    expect(read).toMatchObject({ ...expected, fundingStatus: 'funded', listingStatus: 'listed', persisted: true })
    expect(row).toMatchObject({ ...expected, claimState: 'open' })
    for (const shown of [read, row]) {
      expect(shown).not.toHaveProperty('mismatch')
      expect(nextOf(shown, draft)).toBe(CANCEL)
      expect(shown.next.availableAt).toBe(shown.cancellation.earliestAt)
    }
    expect(await listedAs(draft)).toEqual([200, undefined])
    await takeBack(draft, draft.poster, AS_QUOTED)
    expect((await draftOf(draft)).status).toBe('cancelled')
  })

  test.each(WRONG.map((wrong) => [wrong.name, wrong] as const))(
    'by %s is never listed, and the payer gets it back',
    async (_name, wrong) => {
      const { field, fund, next = CANCEL, refundRaw, hasParts = false } = wrong
      const draft = await drafted()
      const payer = await fund(draft)
      await stage.postings.observe(draft)
      const total = { raw: refundRaw, asset: field === 'asset' ? token : 'USDC' }
      const mismatch = { field, expected: wrong.expected(draft), observed: wrong.observed(payer) }
      const [read, row] = [await draftOf(draft), await rowOf(draft)]
      expect(read).toMatchObject({ status: 'mismatch', mismatch, persisted: false, fundingStatus: 'funded', listingStatus: 'unlisted' })
      expect(row).toMatchObject({ status: 'mismatch', mismatch, mismatchField: field, claimState: null })
      for (const shown of [read, row]) {
        expect(nextOf(shown, draft)).toBe(next)
        if (field === 'poster') {
          // The money is that of the other wallet.
          expect(shown.cancellation).toBeNull()
          continue
        }
        const { method, refund } = shown.cancellation
        expect({ method, refund, hasParts: 'reward' in refund }).toMatchObject({ method: 'cancelOpenJob', refund: { total }, hasParts })
      }
      if (field === 'asset') expect(read.funding.totalReserved).toMatchObject({ asset: token, display: refundRaw })
      expect(await listedAs(draft)).toEqual([404, 'job_not_found'])
      expect((await stage.post(freshPoster(), '/jobs/claim', { jobId: draft.jobId })).body.code).toBe('job_not_found')
      expect(await stage.postings.announcedTo(draft)).toEqual(['posting.not_listed'])
      await takeBack(draft, payer, refundRaw, total.asset, field === 'poster' ? 'http' : 'wait')
      expect((await draftOf(draft)).status).toBe('mismatch')
    },
  )

  test('with several wrong terms names the first of the comparison', async () => {
    const draft = await drafted()
    const args = withArg({ ...draft, args: withArg(draft, TTL, '60') }, REWARD, '1')
    await create(draft.poster, args)
    await stage.postings.observe(draft)
    expect((await draftOf(draft)).mismatch.field).toBe('reward')
  })

  test('in the last second of the quote is live', async () => {
    expect((await draftOf(await fundedAt(0))).status).toBe('live')
  })

  test('after the quote has expired is not listed, and the poster gets it back', async () => {
    const draft = await fundedAt(1)
    const expected = { status: 'expired', reason: 'funded_after_expiry', next: { kind: 'http' } }
    const [read, row] = [await draftOf(draft), await rowOf(draft)]
    for (const shown of [read, row]) {
      expect(shown).toMatchObject(expected)
      expect(nextOf(shown, draft)).toBe(CANCEL)
    }
    expect(await listedAs(draft)).toEqual([404, 'job_not_found'])
    expect(await stage.postings.announcedTo(draft)).toEqual(['posting.not_listed'])
    await takeBack(draft, draft.poster, AS_QUOTED)
  })

  test('of a sixth agreement is not listed, and the poster gets it back', async () => {
    const named = { designatedClaimants: [CLAIMANT] }
    const drafts: Draft[] = []
    for (let count = 0; count < 6; count += 1) drafts.push(await drafted(named))
    for (const draft of drafts) await create(draft.poster, draft.args)
    for (const draft of drafts) await stage.postings.observe(draft)
    const rows = await Promise.all(drafts.map(rowOf))
    expect(rows.map(({ status }) => status)).toEqual([...Array(5).fill('live'), 'mismatch'])
    const sixth = drafts[5] as Draft
    const mismatch = { field: 'concurrentAgreements', expected: 'fewer than 5', observed: '5' }
    expect(rows[5]).toMatchObject({ mismatch, mismatchField: 'concurrentAgreements' })
    expect(await draftOf(sixth)).toMatchObject({ mismatch })
    expect(nextOf(rows[5], sixth)).toBe(CANCEL)
    expect(await listedAs(sixth)).toEqual([404, 'job_not_found'])
    await takeBack(sixth, sixth.poster, AS_QUOTED)
  })

  test('is compared by every field of the list', () => {
    const proved = new Set([...WRONG.map(({ field }) => field), 'concurrentAgreements'])
    expect(COMPARED_FIELDS.filter((field) => !proved.has(field))).toEqual([])
  })
})

describe('a poster', () => {
  test('that is a contract (EIP-1271) signs in, funds its job and takes the money back', async () => {
    const { address: wallet, token } = await contractWallet()
    await stage.postings.endow(wallet, ENDOWMENT)
    const { body } = await stage.api.call('/jobs/draft', { token, body: { definition: freshDefinition(TERMS) } })
    const built = await stage.api.call(`/jobs/draft/${body.draftId}/transactions`, { token, body: {} })
    expect(built.body.templates.map(({ from, step }: { from: string; step: string }) => [from, step])).toEqual([[wallet, 'create']])
    await stage.send(built.body.templates)
    const draft = { ...body, poster: wallet, args: body.calldata.args } as Draft
    await stage.postings.observe(draft)
    expect((await draftOf(draft)).status).toBe('live')
    await takeBack(draft, wallet, AS_QUOTED)
  })

  test('whose allowance another transaction used first is asked for it again, and no money is lost', async () => {
    const poster = freshPoster()
    await stage.mint(poster, 10_000_000n)
    await stage.world.run(poster, 'token', 'approve', stage.world.at.accounts, 2_850_000n)
    const { draftId } = (await stage.post(poster, '/jobs/draft', { definition: freshDefinition(TERMS) })).body
    const build = async () => (await stage.post(poster, `/jobs/draft/${draftId}/transactions`)).body.templates
    const stepsOf = (templates: { step: string }[]) => templates.map(({ step }) => step)
    const first = await build()
    expect(stepsOf(first)).toEqual(['deposit', 'create'])
    for (const move of ['deposit', 'withdraw']) await stage.world.run(poster, 'accounts', move, stage.world.at.token, 1n)
    await expect(stage.send(first)).rejects.toThrow('TransferFailed')
    expect(await stage.accountOf(poster)).toMatchObject({ liquid: 0n, reserved: 0n })
    const second = await build()
    expect(stepsOf(second)).toEqual(['approve', 'deposit', 'create'])
    await stage.send(second)
    expect(await stage.accountOf(poster)).toMatchObject({ liquid: 0n, reserved: 2_850_000n })
  })
})
