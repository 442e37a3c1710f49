import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { known } from '../../../../domain/common/fact.ts'
import type { CountedClaim } from '../../../../domain/eligibility/delegate-budget.ts'
import { evaluate, refusalOf } from '../../../../domain/eligibility/evaluate.ts'
import type { EligibilityFacts } from '../../../../domain/eligibility/facts.ts'
import type { DelegateTerms } from '../../../../schemas/identity/delegate-terms.ts'
import { aCountedClaim, aDelegate, aJob, aStarter, economicsFor, NOW, POLICY, someFacts } from '../../builders/eligibility.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Bond of a job with a reward of 1 USDC: a stake of 0.1 and the least fee of 0.05. */
const BOND_RAW = 150_000n
const usdc = (raw: string, display: string) => expect.objectContaining({ asset: 'USDC', raw, display })

const blockerOf = (changes: Partial<EligibilityFacts>) =>
  evaluate(someFacts(changes), POLICY).blockers.find(({ gate }) => gate === 'delegate_budget')
const judged = (terms: Partial<DelegateTerms>, claims: CountedClaim[] = [], changes: Partial<EligibilityFacts> = {}) =>
  blockerOf({ delegate: known(aDelegate(terms, claims)), ...changes })

describe('a delegate', () => {
  test.each<[string, Partial<DelegateTerms>, CountedClaim[]]>([
    ['with nothing used', {}, []],
    ['with exactly the bond left', { bondPerDayRaw: '300000' }, [aCountedClaim(BOND_RAW)]],
    ['with one job left', { jobsPerDay: 2 }, [aCountedClaim(BOND_RAW)]],
    ['with the tier of the job alone', { tiers: ['starter'] }, []],
  ])('%s may claim', (_what, terms, claims) => {
    expect(judged(terms, claims)).toBeUndefined()
  })

  test.each<[string, string, Partial<DelegateTerms>, CountedClaim[], object, number | undefined]>([
    [
      'without the tier',
      'delegate_tier_not_granted',
      { tiers: ['pro', 'elite'] },
      [],
      { tier: 'starter', granted: ['pro', 'elite'] },
      undefined,
    ],
    ['without a job a day', 'delegate_jobs_budget_exceeded', { jobsPerDay: 0 }, [], { jobsPerDay: 0, used: 0 }, undefined],
    [
      'with no job left',
      'delegate_jobs_budget_exceeded',
      { jobsPerDay: 2 },
      [aCountedClaim(0n, 5 * HOUR), aCountedClaim(0n, 2 * HOUR)],
      { jobsPerDay: 2, used: 2, freeAt: '2026-03-01T14:00:00.000Z' },
      7_200,
    ],
    [
      'with more jobs than granted, after terms were lowered',
      'delegate_jobs_budget_exceeded',
      { jobsPerDay: 1 },
      [aCountedClaim(0n, HOUR), aCountedClaim(0n, 3 * HOUR)],
      { jobsPerDay: 1, used: 2, freeAt: '2026-03-01T15:00:00.000Z' },
      10_800,
    ],
    [
      'with one base unit too little',
      'delegate_bond_budget_exceeded',
      { bondPerDayRaw: '299999' },
      [aCountedClaim(BOND_RAW, 2 * HOUR)],
      {
        needed: usdc('150000', '0.15'),
        left: usdc('149999', '0.149999'),
        perDay: usdc('299999', '0.299999'),
        freeAt: '2026-03-01T14:00:00.000Z',
      },
      7_200,
    ],
    [
      'whose first claim to leave frees too little',
      'delegate_bond_budget_exceeded',
      { bondPerDayRaw: '300000' },
      [aCountedClaim(200_000n, 4 * HOUR), aCountedClaim(50_000n, HOUR)],
      expect.objectContaining({ left: usdc('50000', '0.05'), freeAt: '2026-03-01T16:00:00.000Z' }),
      14_400,
    ],
    [
      'that may never lock so much',
      'delegate_bond_budget_exceeded',
      { bondPerDayRaw: '149999' },
      [aCountedClaim(1n)],
      { needed: usdc('150000', '0.15'), left: usdc('149998', '0.149998'), perDay: usdc('149999', '0.149999') },
      undefined,
    ],
    [
      'that has used more than its day',
      'delegate_bond_budget_exceeded',
      { bondPerDayRaw: '150000' },
      [aCountedClaim(400_000n)],
      expect.objectContaining({ left: usdc('0', '0') }),
      3_600,
    ],
  ])('%s is refused: %s', (_what, code, terms, claims, details, retryAfterSeconds) => {
    const refused = judged(terms, claims)
    expect(refused).toMatchObject({ code, gate: 'delegate_budget', retryable: retryAfterSeconds !== undefined })
    expect(refused?.details).toEqual(details)
    expect(refused?.retryAfterSeconds).toBe(retryAfterSeconds)
    const kinds = refused?.nextActions.map(({ kind }) => kind)
    expect([kinds?.[0] === 'wait', kinds?.at(-1)]).toEqual([retryAfterSeconds !== undefined, 'sign_in'])
  })

  test('gets advice on jobs whose bond is within what is left', () => {
    const [, smaller] = judged({ bondPerDayRaw: '200000' }, [aCountedClaim(120_000n)])?.nextActions ?? []
    expect(smaller).toMatchObject({ path: '/jobs?maxBond=80000', description: 'Choose a job with a bond of at most 0.08 USDC.' })
  })

  test('needs the whole bond left although a waiver is likely', () => {
    const job = aStarter()
    const economics = economicsFor(job)
    expect([economics.waived, economics.lockRaw]).toEqual([true, 0n])
    const leaves = (raw: bigint) => judged({ bondPerDayRaw: String(raw) }, [], { job, economics: known(economics) })
    expect(leaves(economics.unwaived.lockRaw)).toBeUndefined()
    expect(leaves(economics.unwaived.lockRaw - 1n)?.code).toBe('delegate_bond_budget_exceeded')
  })

  test.each(['capability_grant_revoked', 'capability_grant_expired'] as const)('whose grant has ended is refused for that: %s', (ended) => {
    const refused = blockerOf({ delegate: known(aDelegate({}, [], ended)) })
    expect(refused && refusalOf(refused)).toMatchObject({ code: 'delegate_ended', info: { reason: ended } })
  })

  test('is refused by tier and jobs already in a list, which reads no bond', () => {
    const listed = (terms: Partial<DelegateTerms>) => judged(terms, [], { economics: 'unknown' })?.code
    expect(listed({ tiers: ['elite'] })).toBe('delegate_tier_not_granted')
    expect(listed({ jobsPerDay: 0 })).toBe('delegate_jobs_budget_exceeded')
    expect(listed({ bondPerDayRaw: '0' })).toBeUndefined()
  })
})

test('the wallet itself has no such budget', () => {
  expect(blockerOf({ delegate: known(null) })).toBeUndefined()
})

test('in any order of claims, no 24 hours hold more bonds or jobs than granted, and a refusal says when the claim is let in', () => {
  const steps = fc.array(fc.record({ rewardRaw: fc.integer({ min: 1, max: 9 }), afterMs: fc.integer({ min: 0, max: 9 * HOUR }) }), {
    minLength: 1,
    maxLength: 40,
  })
  const granted = fc.record({ bondPerDayRaw: fc.integer({ min: 0, max: 900_000 }).map(String), jobsPerDay: fc.integer({ min: 0, max: 6 }) })
  let admitted = 0
  let waited = 0
  fc.assert(
    fc.property(granted, steps, (terms, wanted) => {
      const made: { at: number; bondRaw: bigint }[] = []
      let now = NOW
      const within = (at: number) => made.filter((one) => one.at + DAY > at)
      const judgedAt = (at: number, rewardRaw: bigint) => {
        const counted = within(at).map(({ at: madeAt, bondRaw }) => ({ bondRaw, freesAt: madeAt + DAY }))
        return judged(terms, counted, { now: at, job: aJob({ rewardRaw }) })
      }
      for (const { rewardRaw, afterMs } of wanted) {
        now += afterMs
        const reward = BigInt(rewardRaw) * 100_000n
        const refused = judgedAt(now, reward)
        if (refused === undefined) {
          made.push({ at: now, bondRaw: economicsFor(aJob({ rewardRaw: reward })).lockRaw })
          admitted += 1
        } else if (refused.retryAfterSeconds !== undefined) {
          waited += 1
          const freeAt = Date.parse(String(refused.details.freeAt))
          const code = (at: number) => judgedAt(at, reward)?.code
          expect([code(freeAt - 1), code(freeAt)]).toEqual([refused.code, expect.not.stringMatching(refused.code)])
        }
      }
      for (const { at } of made) {
        const window = within(at).filter((one) => one.at <= at)
        expect(window.length).toBeLessThanOrEqual(terms.jobsPerDay)
        expect(window.reduce((sum, { bondRaw }) => sum + bondRaw, 0n)).toBeLessThanOrEqual(BigInt(terms.bondPerDayRaw))
      }
    }),
    { numRuns: 300 },
  )
  expect([admitted > 300, waited > 300]).toEqual([true, true])
})
