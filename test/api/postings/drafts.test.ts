import { describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createChainClients } from '../../../activities/chain/clients.ts'
import { createChainReads } from '../../../activities/chain/reads.ts'
import type { PostingFunding } from '../../../schemas/postings/terms.ts'
import { useStarted } from '../../support/started.ts'
import { refusal } from '../support/account-world.ts'
import { freshDefinition, freshPoster, startPostingStage } from '../support/posting-stage.ts'

const stage = useStarted(startPostingStage, ({ stop }) => stop())
const CLAIMANT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const FUNDING: PostingFunding = {
  ...{ txHash: `0x${'1'.repeat(64)}`, blockHash: `0x${'2'.repeat(64)}`, blockNumber: '1' },
  ...{ fundedAt: '2026-01-02T03:04:05.000Z', totalReservedRaw: '1050000' },
}

describe('a draft', () => {
  test('says what the job costs, who can claim it, how it is funded and how the money comes back', async () => {
    const poster = freshPoster()
    const body = await stage.draft(poster, freshDefinition({ opsReserve: 0.5, contingencyReserve: 0.25, tier: 'pro' }))
    expect(body).toMatchObject({
      status: 'quoted',
      persisted: false,
      attemptCount: 1,
      fundingStatus: 'unfunded',
      listingStatus: 'unlisted',
    })
    expect(body.fundingRequirement).toMatchObject({
      ...{ rewardRaw: '1000000', workerReceivesRaw: '1000000', opsReserveRaw: '500000', contingencyReserveRaw: '250000' },
      ...{ protocolFeeRaw: '50000', posterFeeBps: 500, posterFeeFloorRaw: '50000', posterReservedRaw: '1800000' },
    })
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(72 * 3_600_000)
    expect(body.claimRequirement).toMatchObject({
      ...{ tier: 'pro', role: 'worker', skill: 100, walletsWithSkill: 0 },
      bond: { available: true, stake: { raw: '100000' }, fee: { raw: '50000' }, total: { display: '0.15', asset: 'USDC' } },
      exposure: { applies: true, baseCeiling: { display: '1' }, vestedPrincipalNeeded: { raw: '0' } },
    })
    const { args, to } = body.calldata
    expect(to).toBe(stage.world.at.escrow.toLowerCase())
    expect(args.slice(0, 6)).toEqual([body.jobId, stage.world.at.token.toLowerCase(), '1000000', '500000', '250000', '3600'])
    expect(args.slice(6)).toEqual([
      '0xfe6e943664ea20c614f5e9ef10a77775da30c9e509ae648d83f4197fe516f21e',
      '0x67866c9024573b37f651b9a98095410d39d0a2e33cec839f0840ccc95a95e713',
      body.specHash,
    ])
    expect(body.cancellation).toMatchObject({
      ...{ method: 'cancelOpenJob', minimumOpenSeconds: 3600, earliestAt: null },
      refund: { total: { raw: '1800000' }, reward: { raw: '1000000' }, posterFee: { raw: '50000' } },
    })
    expect(body.next).toMatchObject({ method: 'POST', path: `/jobs/draft/${body.draftId}/transactions` })
    expect(await stage.demandOf(poster)).toEqual(['quoted'])
  })

  test('of equal content is the same draft, whose quote and expiry a repeat renews; another wallet has another one', async () => {
    const [poster, other, content] = [freshPoster(), freshPoster(), freshDefinition()]
    const first = await stage.draft(poster, content)
    await stage.pass(60)
    const second = await stage.draft(poster, content)
    expect([second.jobId, second.draftId, second.specHash]).toEqual([first.jobId, first.draftId, first.specHash])
    expect(second.attemptCount).toBe(2)
    expect(second.createdAt).toBe(first.createdAt)
    expect(Date.parse(second.expiresAt)).toBeGreaterThanOrEqual(Date.parse(first.expiresAt) + 60_000)
    expect((await stage.draft(other, content)).jobId).not.toBe(first.jobId)
  })

  test('is quoted again after its quote expired', async () => {
    const [poster, content] = [freshPoster(), freshDefinition()]
    const { draftId } = await stage.draft(poster, content)
    await stage.pass(72 * 3_600 + 1)
    expect(await stage.readDraft(poster, draftId)).toMatchObject({ status: 'expired', next: { path: '/jobs/draft' } })
    expect(await stage.draft(poster, content)).toMatchObject({ draftId, status: 'quoted', attemptCount: 2 })
  })

  test('under one key is asked for once, and its key takes no other definition', async () => {
    const [poster, content] = [freshPoster(), freshDefinition()]
    const first = await stage.draft(poster, content, 'one')
    expect(await stage.draft(poster, content, 'one')).toEqual(first)
    expect(await refusal(stage.draft(poster, freshDefinition(), 'one'))).toBe('idempotency_key_reused')
    expect(await stage.demandOf(poster)).toEqual(['quoted'])
  })

  test('that is funded stays as it is', async () => {
    const [poster, content] = [freshPoster(), freshDefinition()]
    const first = await stage.draft(poster, content)
    await stage.rows
      .updateTable('posting')
      .set({ status: 'live', funding: FUNDING })
      .where('draftId', '=', first.draftId as Hex)
      .execute()
    await stage.pass(60)
    const again = await stage.draft(poster, content)
    expect(again).toMatchObject({ status: 'live', attemptCount: 1, expiresAt: first.expiresAt, fundingStatus: 'funded', persisted: true })
    expect(await stage.demandOf(poster)).toEqual(['already_funded', 'quoted'])
  })

  test('is read as it was drafted', async () => {
    const poster = freshPoster()
    const body = await stage.draft(poster)
    expect(await stage.readDraft(poster, body.draftId)).toEqual(body)
  })

  test('counts the wallets of the records that have the score it needs', async () => {
    const [poster, content] = [freshPoster(), freshDefinition({ tier: 'elite' })]
    const before = (await stage.draft(poster, content)).claimRequirement.walletsWithSkill
    await stage.rows
      .insertInto('agent_statistics')
      .values([
        { wallet: freshPoster(), skill: 199 },
        { wallet: freshPoster(), skill: 200 },
      ] as never)
      .execute()
    expect((await stage.draft(poster, content)).claimRequirement.walletsWithSkill).toBe(before + 1)
  })
})

describe('a request for a draft', () => {
  const settingsWith = (changes: Partial<typeof stage.settings>) => ({ settings: { ...stage.settings, ...changes } })

  const withoutChain = () => {
    const chain = { ...stage.chain, rpc: { ...stage.chain.rpc, primary: 'http://127.0.0.1:9' } }
    const clients = createChainClients(chain)
    return { chain, clients, reads: createChainReads(chain, clients, null) }
  }

  test('is recorded with its outcome, whatever refuses it', async () => {
    const poster = freshPoster()
    const asked: [object, string][] = [
      [{ rewardAmount: 0.5 }, 'floor_rejected external_reward_below_floor'],
      [{ rewardAmount: 10_001 }, 'ceiling_rejected external_reward_above_ceiling'],
      [{ outputSchemaRef: 'schema://jobs/none' }, 'schema_rejected external_schema_not_supported'],
      [{ requiresSponsoredGas: true }, 'validation_rejected external_sponsored_gas_forbidden'],
      [{ title: '' }, 'validation_rejected invalid_request'],
    ]
    for (const [changes, outcome] of asked) expect(await refusal(stage.draft(poster, freshDefinition(changes)))).toBe(outcome.split(' ')[1])
    expect(await refusal(stage.draft(poster, freshDefinition({ title: '' })))).toBe('invalid_request')
    const outcomes = [...asked.map(([, outcome]) => outcome), 'validation_rejected invalid_request']
    const conditions: [Parameters<typeof stage.during>[0], string][] = [
      [settingsWith({ EXTERNAL_POSTING_MODE: 'closed' }), 'mode_closed external_posting_closed'],
      [settingsWith({ EXTERNAL_POSTING_MODE: 'allowlist' }), 'allowlist_rejected external_poster_not_allowed'],
      [withoutChain(), 'quote_failed external_fee_quote_unavailable'],
    ]
    for (const [changes] of conditions) await stage.during(changes, () => refusal(stage.draft(poster)))
    expect(await stage.demandOf(poster)).toEqual([...outcomes, ...conditions.map(([, outcome]) => outcome)].sort())
  })

  test('says what a claimer needs above the usual ceiling, unless it names the claimant', async () => {
    const poster = freshPoster()
    expect((await stage.draft(poster, freshDefinition({ rewardAmount: 101 }))).claimRequirement.exposure).toMatchObject({
      vestedPrincipalNeeded: { display: '100' },
    })
    const named = await stage.draft(poster, freshDefinition({ rewardAmount: 25, designatedClaimants: [CLAIMANT] }))
    expect(named.claimRequirement.exposure).toMatchObject({ applies: false, vestedPrincipalNeeded: { raw: '0' } })
  })

  test('for one open draft more than the wallet may have is refused, until one of them has expired or is funded', async () => {
    const [poster, contents] = [freshPoster(), [1, 2, 3, 4].map(() => freshDefinition())]
    const [one, two, three, four] = contents
    await stage.during(settingsWith({ EXTERNAL_POSTING_OPEN_DRAFTS: 2 }), async () => {
      const { expiresAt } = await stage.draft(poster, one)
      await stage.pass(3_600)
      const second = await stage.draft(poster, two)
      const refused = await stage.draft(poster, three).catch((error: unknown) => error)
      expect(refused).toMatchObject({
        code: 'external_open_drafts_cap_reached',
        info: {
          details: { rule: 'open_drafts_of_a_wallet', limit: 2, open: 2, freesAt: expiresAt },
          nextActions: [{ kind: 'wait', availableAt: expiresAt }, { path: '/poster/jobs' }],
        },
      })
      expect(await refusal(stage.draft(poster, two))).toBe('answered')
      expect(await refusal(stage.draft(freshPoster(), three))).toBe('answered')
      await stage.pass(71 * 3_600)
      expect(await refusal(stage.draft(poster, three))).toBe('answered')
      expect(await refusal(stage.draft(poster, four))).toBe('external_open_drafts_cap_reached')
      await stage.rows
        .updateTable('posting')
        .set({ status: 'live', funding: FUNDING })
        .where('draftId', '=', second.draftId as Hex)
        .execute()
      expect(await refusal(stage.draft(poster, four))).toBe('answered')
      expect(await refusal(stage.draft(poster, two))).toBe('answered')
    })
    expect(await stage.jobsOf(poster)).toMatchObject({ jobs: { length: 4 } })
  })

  test('over a limit that was lowered names the instant from which on one more draft is taken', async () => {
    const poster = freshPoster()
    for (let drafts = 0; drafts < 4; drafts += 1) {
      await stage.draft(poster)
      await stage.pass(3_600)
    }
    const last = freshDefinition()
    await stage.draft(poster, last)
    await stage.during(settingsWith({ EXTERNAL_POSTING_OPEN_DRAFTS: 2 }), async () => {
      const another = freshDefinition()
      const refused = await stage.draft(poster, another).catch((error: unknown) => error)
      const { info } = refused as { info: { details: { freesAt: string } } }
      expect(info.details).toMatchObject({ limit: 2, open: 5 })
      expect(await refusal(stage.draft(poster, last))).toBe('answered')
      stage.clock.freeze(Date.parse(info.details.freesAt) - 1)
      expect(await refusal(stage.draft(poster, another))).toBe('external_open_drafts_cap_reached')
      stage.clock.freeze(Date.parse(info.details.freesAt))
      expect(await refusal(stage.draft(poster, another))).toBe('answered')
      stage.clock.run()
    })
  })
})
