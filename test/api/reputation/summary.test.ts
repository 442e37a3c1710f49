import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createChainClients } from '../../../activities/chain/clients.ts'
import { createChainReads } from '../../../activities/chain/reads.ts'
import { appendReputation } from '../../../activities/reputation/ledger.ts'
import { createReputationHandlers } from '../../../api/reputation/handlers.ts'
import { ask, deposit, NOW, operator, reputation, type Stage, startStage, worker } from '../support/account-world.ts'
import { addBadge, addSession, approvedAt } from '../support/work-rows.ts'

let stage: Stage
const MINUTE = 60_000

beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage?.stop())

/** An unused wallet. */
let wallets = 0
const freshWallet = (): Hex => {
  wallets += 1
  return `0x${(0xfee1_0000 + wallets).toString(16).padStart(40, '0')}`
}

const unreadableChain = () => {
  const chain = { ...stage.chain, rpc: { ...stage.chain.rpc, primary: 'http://127.0.0.1:9' } }
  const reads = createChainReads(chain, createChainClients(chain), operator)
  return createReputationHandlers({ ...stage.deps, chain, reads })
}

describe('the worker summary', () => {
  const getMe = (wallet: Hex) => ask(reputation.getMe, stage.reputation.getMe, { wallet })

  test('a wallet that has only deposits gets its whole summary', async () => {
    const wallet = freshWallet()
    await deposit(stage.world, wallet, 2_500_000n)
    const { body } = await getMe(wallet)
    expect(body).toMatchObject({
      wallet,
      subject: wallet,
      claimTier: 'starter',
      accountPosition: { liquid: { asset: 'USDC', raw: '2500000', decimals: 6, display: '2.5' }, jobStakeLocked: { raw: '0' } },
      lockedDeposits: { enabledForNewLocks: false, tier: 'flex', priorityRank: 0, entries: [], activationGate: { open: false } },
      directory: { publicProfileOptIn: false, currentActivityOptIn: false },
      standing: { claimTier: 'starter', badges: 0, waiverSlotsRemaining: 3, persists: true },
    })
    expect(body.progression.effectiveCaps).toMatchObject({
      perJobMax: { asset: 'USDC', raw: '1000000', display: '1' },
      rolling24h: { raw: '1500000', active: false, settledJobs: 0, activatesAtSettledJobs: 10 },
      concurrent: { raw: '2500000', display: '2.5', components: { base: { raw: '2500000' }, deposit: { raw: '0' } } },
    })
    expect(body.progression.raises.map(({ action }) => action)).toEqual(['keep_completing'])
  })

  test('approved work shows as tier, badges and interest in credit', async () => {
    const wallet = freshWallet()
    for (let index = 0; index < 4; index += 1) {
      const at = NOW - index * MINUTE
      const session = await addSession(stage.database, wallet, `me-${index}`, at, approvedAt(at))
      await addBadge(stage.database, wallet, `me-${index}`, at)
      await stage.database.transaction((rows) =>
        appendReputation(rows, {
          wallet,
          sessionId: session,
          kind: 'approval_level_1',
          reward: { rewardRaw: 2_000_000n, decimals: 6 },
          at,
        }),
      )
    }
    const { body } = await getMe(wallet)
    expect(body.claimTier).toBe('pro')
    expect(body.progression.badges.map(({ jobId }) => jobId)).toEqual(['me-0', 'me-1', 'me-2', 'me-3'])
    expect(body.progression.badges[0]?.badgeUrl).toBe(
      `http://service.test/badges/${encodeURIComponent(body.progression.badges[0]?.sessionId ?? '')}`,
    )
    expect(body.progression.effectiveCaps.rolling24h).toMatchObject({ active: false, settledJobs: 4 })
    expect(body.progression.creditInterest).toEqual({ eligible: true, registered: false })

    const { body: scores } = await ask(reputation.getReputation, stage.reputation.getReputation, { wallet })
    expect(scores).toEqual({
      wallet,
      skill: 100,
      reliability: 80,
      economic: 8,
      tier: 'pro',
      scoringVersion: 1,
      deliveries: { open: 0, merged: 0, closedUnmerged: 0, stale: 0, reverted: 0 },
      events: { count: 4, lastAt: new Date(NOW).toISOString() },
    })
  })

  test('an unreadable chain leaves null in the summary, with the reason', async () => {
    const { body } = await ask(reputation.getMe, unreadableChain().getMe, { wallet: worker })
    expect(body.accountPosition).toEqual({
      liquid: null,
      jobStakeLocked: null,
      available: false,
      reason: 'blockchain_unavailable',
    })
    expect(body.standing).toMatchObject({ waiverSlotsRemaining: null })
  })

  test('a wallet without a ledger has zero scores and the starter tier', async () => {
    const { body } = await ask(reputation.getReputation, stage.reputation.getReputation, { wallet: freshWallet() })
    expect(body).toMatchObject({ skill: 0, reliability: 0, economic: 0, tier: 'starter', events: { count: 0, lastAt: null } })
  })
})
