import { expect, test } from '@jest/globals'
import { vestedCapacity } from '../../../domain/eligibility/exposure.ts'
import { type ProgressionFacts, progressionView } from '../../../domain/eligibility/progression.ts'
import { getMe } from '../../../schemas/reputation/operations.ts'
import { POLICY } from '../builders/eligibility.ts'

const { limits } = POLICY
const facts = (changes: Partial<ProgressionFacts> = {}, settledJobs = 2): ProgressionFacts => ({
  scores: { skill: 50, reliability: 40, economic: 0 },
  badges: [],
  exposure: { openRaw: 0n, lifetimeSettledRaw: 0n, settledJobs, rolling: [] },
  capacity: vestedCapacity(4_000_000n, limits, 0n),
  ...changes,
})

const sum = (raw: string, display: string) => ({ raw, decimals: 6, display })

test('a wallet sees its caps, what they are made of and what raises them', () => {
  const view = progressionView(facts(), limits)
  expect(view.effectiveCaps).toEqual({
    perJobMax: {
      asset: 'USDC',
      raw: '5000000',
      decimals: 6,
      display: '5',
      source: 'base_and_vested_deposit',
      components: { base: sum('1000000', '1'), deposit: sum('4000000', '4') },
    },
    rolling24h: {
      asset: 'USDC',
      raw: '1500000',
      decimals: 6,
      display: '1.5',
      source: 'daily_exposure_budget',
      active: false,
      settledJobs: 2,
      activatesAtSettledJobs: 10,
    },
    concurrent: {
      asset: 'USDC',
      raw: '3500000',
      decimals: 6,
      display: '3.5',
      source: 'base_and_vested_deposit',
      components: { base: sum('2500000', '2.5'), deposit: sum('1000000', '1') },
    },
  })
  expect(view.raises).toEqual([
    { action: 'keep_completing', effect: '8 more settled jobs replace the lifetime credit of 10 USDC by a daily budget.' },
  ])
  expect(getMe.responses[200].shape.progression.safeParse(view).error).toBeUndefined()
})

test('without a deposit every cap is its base', () => {
  const view = progressionView(facts({ capacity: vestedCapacity(0n, limits, 0n) }), limits)
  expect(view.effectiveCaps.concurrent).toMatchObject({
    raw: '2500000',
    source: 'base',
    components: { base: { raw: '2500000' }, deposit: { raw: '0' } },
  })
})

test('graduation switches the daily budget on and leaves nothing to raise', () => {
  const view = progressionView(facts({}, 10), limits)
  expect(view.effectiveCaps.rolling24h.active).toBe(true)
  expect(view.raises).toEqual([])
})

test('interest in credit opens with the third approved job', () => {
  expect(progressionView(facts({}, 2), limits).creditInterest.eligible).toBe(false)
  expect(progressionView(facts({}, 3), limits).creditInterest).toEqual({ eligible: true, registered: false })
})
