import { describe, expect, test } from '@jest/globals'
import { known } from '../../../../domain/common/fact.ts'
import { evaluate } from '../../../../domain/eligibility/evaluate.ts'
import type { EligibilityFacts } from '../../../../domain/eligibility/facts.ts'
import {
  byFit,
  type Recommendation,
  rankRecommendations,
  recommendationRow,
  recommendationsView,
} from '../../../../domain/eligibility/views/recommendations.ts'
import { recommendJobs } from '../../../../schemas/eligibility/operations.ts'
import { aBalance, aClaim, aJob, economicsFor, OTHER, POLICY, someFacts } from '../../builders/eligibility.ts'

const row = (changes: Partial<EligibilityFacts> = {}) => recommendationRow(evaluate(someFacts(changes), POLICY))
const NOTHING = aBalance(0n)
const skill = (value: number) => known({ skill: value, reliability: 0, economic: 0 })

describe('the fit of a job', () => {
  test('is 100 when category, verifier, level and bond all fit', () => {
    expect(row()).toMatchObject({
      jobId: 'job-1',
      fitScore: 100,
      eligible: true,
      netReward: '0.95',
      netRewardRaw: '950000',
      unlockHints: [],
    })
  })

  test('loses 30 for a category that is not preferred', () => {
    expect(row({ job: aJob({ definition: { category: 'docs' } }) }).fitScore).toBe(70)
  })

  test('gives the 20 of the level to starters on starter jobs and to elite wallets on every job', () => {
    expect(row({ scores: skill(100) }).fitScore).toBe(80)
    expect(row({ scores: skill(200), job: aJob({ definition: { tier: 'pro' } }) }).fitScore).toBe(100)
  })

  test('gives the 20 of the bond to a wallet that can lock it, and to each wallet when there is no bond', () => {
    expect(row({ liquidity: NOTHING })).toMatchObject({ fitScore: 80, eligible: false })
    const starter = aJob({ definition: { onboardingWaiverEligible: true } })
    expect(row({ job: starter, liquidity: NOTHING })).toMatchObject({ fitScore: 100, eligible: true })
  })
})

describe('hints', () => {
  test('name the skill to earn or the money to deposit', () => {
    expect(row({ job: aJob({ definition: { tier: 'pro' } }), scores: skill(60), liquidity: NOTHING }).unlockHints).toEqual([
      'Earn 40 more skill to unlock pro jobs.',
      'Deposit 0.15 USDC and claim again.',
    ])
    expect(row({ job: aJob({ definition: { requiredRole: 'curator' } }) }).unlockHints).toEqual([
      'Earn 50 more skill to take the role of curator.',
    ])
  })

  test('the explanation says what fits', () => {
    expect(row().explanation).toBe(
      'This job fits because coding is a preferred category, the verifier mode is supported, the tier suits the wallet, the bond is covered.',
    )
    const docs = aJob({ definition: { category: 'docs' } })
    expect(row({ job: docs, scores: skill(100), liquidity: NOTHING }).explanation).toBe(
      'This job fits because the verifier mode is supported.',
    )
  })
})

describe('a locked job', () => {
  test.each([
    ['tier', { job: aJob({ definition: { tier: 'pro' } }), scores: skill(60) }, 'Earn 40 more skill to unlock pro jobs.'],
    ['role', { job: aJob({ definition: { requiredRole: 'curator' } }) }, 'Earn 50 more skill to take the role of curator.'],
    [
      'tier and role',
      { job: aJob({ definition: { tier: 'pro', requiredRole: 'curator' } }), scores: skill(40) },
      'Earn 60 more skill to unlock pro jobs. Earn 10 more skill to take the role of curator.',
    ],
  ])('by its %s is explained by what it needs, not by what fits', (_gate, changes, missing) => {
    expect(row(changes)).toMatchObject({ eligible: false, explanation: `This job is locked. ${missing}` })
  })
})

describe('the order', () => {
  test('is fit, then net reward by value, then job id', () => {
    const make = (jobId: string, fitScore: number, netRewardRaw: string): Recommendation => ({ ...row(), jobId, fitScore, netRewardRaw })
    const rows = [make('d', 70, '99000000'), make('c', 100, '9'), make('b', 100, '10'), make('a', 100, '10')]
    expect(rows.sort(byFit).map((one) => one.jobId)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('is what can be claimed, then what a deposit opens, then the ten best of the locked tier', () => {
    const evaluated = (id: string, changes: Partial<EligibilityFacts> = {}) =>
      evaluate(someFacts({ ...changes, job: { ...(changes.job ?? aJob()), id } }), POLICY)
    const pro = (index: number) => evaluated(`pro-${10 + index}`, { job: aJob({ definition: { tier: 'pro' } }), scores: skill(0) })
    const unlocked = [
      evaluated('poor', { liquidity: NOTHING }),
      evaluated('good', { job: aJob({ definition: { category: 'docs' } }) }),
      evaluated('taken', { latestSession: aClaim() }),
      evaluated('submitted', { latestSession: aClaim({ status: 'submitted' }) }),
      evaluated('paused', { job: aJob({ lifecycleStatus: 'paused' }) }),
      evaluated('unfunded', { rewardBank: known({ fresh: true, asset: 'USDC', liquidRaw: 0n }) }),
      evaluated('for others', { job: aJob({ designatedClaimants: [OTHER] }) }),
    ]
    const rows = rankRecommendations(unlocked, [
      ...Array.from({ length: 12 }, (_, index) => pro(index)),
      evaluated('taken pro', { latestSession: aClaim() }),
    ])
    const locked = Array.from({ length: 10 }, (_, index) => `pro-${10 + index}`)
    expect(rows.map(({ jobId }) => jobId)).toEqual(['good', 'poor', ...locked])
    expect(rows.at(-1)).toMatchObject({
      eligible: false,
      tierGate: { missing: { skill: 100 } },
      unlockHints: ['Earn 100 more skill to unlock pro jobs.'],
    })
  })

  test('the answer says over which jobs it ran and has the published shape', () => {
    const body = recommendationsView([row()], 25, null)
    expect(body.ranked).toBe('The newest 1000 open jobs of each unlocked tier, then up to 10 of the next locked tier.')
    expect(recommendJobs.responses[200].safeParse(body).error).toBeUndefined()
  })
})

test('a row without known economics is refused, never shown as free', () => {
  expect(() => row({ economics: 'unreadable' })).toThrow(expect.objectContaining({ code: 'claim_economics_unavailable' }))
  expect(row({ economics: known(economicsFor(aJob())) }).gasRetention).toMatchObject({ retained: '0.05' })
})
