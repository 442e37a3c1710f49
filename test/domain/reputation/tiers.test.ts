import { expect, test } from '@jest/globals'
import { ROLE_SKILL, roleGate, tierGate, tierLadder, tierOf, walletTierLadder } from '../../../domain/reputation/tiers.ts'

const scores = (skill: number) => ({ skill, reliability: 5, economic: 1 })

test('the public ladder names the three tiers with the skill each requires', () => {
  const tier = (name: string, skill: number) => ({ tier: name, requires: { skill } })
  expect(tierLadder()).toEqual({
    ladder: 'claim tier',
    scoringVersion: 1,
    tiers: [tier('starter', 0), tier('pro', 100), tier('elite', 200)],
  })
})

test('a tier begins exactly at its skill', () => {
  expect([0, 99, 100, 199, 200].map(tierOf)).toEqual(['starter', 'starter', 'pro', 'pro', 'elite'])
})

test('a locked gate says how much is missing, an open one nothing', () => {
  expect(tierGate('pro', scores(60))).toEqual({
    tier: 'pro',
    unlocked: false,
    requires: { skill: 100 },
    has: scores(60),
    missing: { skill: 40 },
  })
  expect(tierGate('pro', scores(100))).toMatchObject({ unlocked: true, missing: {} })
  expect(roleGate('arbitrator', scores(100))).toMatchObject({ role: 'arbitrator', unlocked: false, missing: { skill: 400 } })
})

test('role thresholds rise from worker to arbitrator', () => {
  expect(ROLE_SKILL).toEqual({ worker: 0, curator: 50, reviewer: 100, publisher: 200, verifier: 300, arbitrator: 500 })
})

test('a wallet sees which tier it unlocks next', () => {
  const ladder = walletTierLadder('0xabc', scores(120))
  expect(ladder).toMatchObject({ ladder: 'claim tier', scoringVersion: 1, wallet: '0xabc' })
  expect(ladder.reputation).toEqual({ ...scores(120), tier: 'pro' })
  expect(ladder.tiers.map((gate) => gate.unlocked)).toEqual([true, true, false])
  expect(ladder.nextLocked).toMatchObject({ tier: 'elite', missing: { skill: 80 } })
  expect(walletTierLadder('0xabc', scores(200)).nextLocked).toBeNull()
})
