import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { buildBadge } from '../../../domain/reputation/badge.ts'
import { BadgeShape } from '../../../schemas/reputation/shapes.ts'
import type { VerdictItem } from '../../../schemas/sessions/verdicts.ts'
import { badgeFacts, WORKER } from '../builders/badge.ts'
import { builtJob } from '../builders/job.ts'

const PAGE = 'https://work.example/badges/job-1%3A0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const [POSTER, VERIFIER] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`]
const validate = (badge: unknown): boolean => BadgeShape.safeParse(badge).success

describe('a badge', () => {
  test('is what the specification describes', () => {
    const badge = buildBadge(badgeFacts())
    expect(badge).toEqual({
      name: 'Agent Work Service Agent Badge — coding level 1',
      description: 'Work on "Retry policy for a client": the benchmark verifier approved it.',
      image: `${PAGE}/picture.png`,
      external_url: PAGE,
      attributes: [
        { trait_type: 'Category', value: 'coding' },
        { trait_type: 'Level', value: 1 },
        { trait_type: 'Verifier', value: 'benchmark' },
      ],
      service: {
        schemaVersion: 'v1',
        jobId: 'job-1',
        chainJobId: builtJob().chainJobId,
        category: 'coding',
        level: 1,
        sessionId: 'job-1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        verifierMode: 'benchmark',
        reward: { asset: 'USDC', amount: '2000000', decimals: 6 },
        claimStake: { asset: 'USDC', amount: '200000', decimals: 6 },
        evidenceHash: `0x${'1a'.repeat(32)}`,
        completedAt: '2026-03-01T12:00:02.000Z',
        worker: WORKER,
        poster: POSTER,
        verifier: VERIFIER,
        metadataURI: PAGE,
      },
      resolution: { kind: 'verifier', verdict: 'approved', workerShareBps: 10_000 },
      items: badgeFacts().items,
      signers: [
        { role: 'operator', wallet: POSTER, at: '2026-03-01T12:00:00.000Z', status: 'posted' },
        { role: 'worker', wallet: WORKER, at: '2026-03-01T12:00:01.000Z', status: 'submitted' },
        { role: 'verifier', wallet: VERIFIER, at: '2026-03-01T12:00:02.000Z', status: 'signed' },
      ],
    })
    expect(validate(badge)).toBe(true)
  })

  test('shows unknown parties as the zero address and names no signer for them', () => {
    const badge = buildBadge(badgeFacts({ poster: null, verifier: null, claimStakeRaw: 0n }))
    expect(badge.service).toMatchObject({ poster: `0x${'0'.repeat(40)}`, verifier: `0x${'0'.repeat(40)}`, claimStake: { amount: '0' } })
    expect(badge.signers.map((signer) => signer.role)).toEqual(['worker'])
    expect(validate(badge)).toBe(true)
  })

  test('is valid for every job, level and sum there can be', () => {
    const bodies = fc.record({
      jobTitle: fc.string({ minLength: 1, maxLength: 240 }),
      category: fc.string({ minLength: 1, maxLength: 64 }),
      level: fc.integer({ min: 1, max: 255 }),
      rewardRaw: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
      claimStakeRaw: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    })
    fc.assert(
      fc.property(bodies, (changes) => {
        expect(validate(buildBadge(badgeFacts(changes)))).toBe(true)
      }),
    )
  })

  const items: VerdictItem[] = []
  const replaced = { outcome: 'rejected', reasonCode: 'BENCHMARK_THRESHOLD_MISSED', resolvedAt: '2026-03-01T12:00:01.000Z', items } as const
  const BEFORE = ' The verdict before was rejected (BENCHMARK_THRESHOLD_MISSED).'

  const DIVIDED = 'divided the reward, and the worker got'
  const UNDECIDED = 'and the worker got 50 % of the reward'
  test.each([
    ['benchmark', 'benchmark', 'verifier', 'approved', 10_000, 'benchmark', 'the benchmark verifier approved it'],
    ['deterministic', 'deterministic', 'verifier', 'approved', 10_000, 'deterministic', 'the deterministic verifier approved it'],
    ['codehost_pr', 'codehost_pr', 'verifier', 'approved', 10_000, 'deterministic', 'the deterministic verifier approved it'],
    ['human_fallback', 'human_fallback', 'verifier', 'approved', 10_000, 'human_fallback', 'the job accepts every valid submission'],
    ['benchmark', 'chain', 'verifier', 'approved', 10_000, 'human_fallback', 'a verifier approved it by its own transaction'],
    ['benchmark', 'human_review', 'human_review', 'approved', 10_000, 'human_fallback', 'a reviewer approved it'],
    ['codehost_pr', 'human_review', 'human_review', 'approved', 10_000, 'human_fallback', 'a reviewer approved it'],
    ['benchmark', null, 'arbitration', 'dismissed', 10_000, 'human_fallback', 'the arbitrator decided for the worker'],
    ['deterministic', null, 'arbitration', 'split', 4_000, 'human_fallback', `the arbitrator ${DIVIDED} 40 %`],
    ['benchmark', null, 'timeout', 'split', 5_000, 'human_fallback', `there was no decision in time, ${UNDECIDED}`],
  ] as const)(
    'of %s work by %s tells a decision by %s: %s, %i',
    (verifierMode, handler, kind, verdict, workerShareBps, mode, statement) => {
      const resolution = { kind, verdict, workerShareBps }
      // The resolution of a dispute has more members, which no badge shows.
      const recorded = { ...resolution, reasonCode: 'DISPUTE_PARTIAL', txHash: '0x1' }
      const badge = buildBadge(badgeFacts({ verifierMode, handler, resolution: recorded }))
      expect(badge.service.verifierMode).toBe(mode)
      expect(badge.attributes).toContainEqual({ trait_type: 'Verifier', value: mode })
      expect(badge.resolution).toEqual(resolution)
      expect(badge.description).toBe(`Work on "Retry policy for a client": ${statement}.`)
      const after = buildBadge(badgeFacts({ verifierMode, handler, resolution, replacedVerdict: replaced }))
      expect(after.resolution).toEqual({ ...resolution, replacedVerdict: replaced })
      expect(after.description).toBe(`${badge.description}${BEFORE}`)
      expect(validate(after)).toBe(true)
    },
  )
})

describe('the badge schema', () => {
  const service = (changes: object) => ({ ...buildBadge(badgeFacts()), service: { ...buildBadge(badgeFacts()).service, ...changes } })

  test('allows extra members at the root and nowhere inside service', () => {
    expect(validate({ ...buildBadge(badgeFacts()), extra: 1, image: 'https://app.example/badge.png' })).toBe(true)
    expect(validate(service({ extra: 1 }))).toBe(false)
  })

  test('asks for every member of service but metadataURI', () => {
    const { service: full, ...root } = buildBadge(badgeFacts())
    for (const member of Object.keys(full)) {
      const rest = Object.fromEntries(Object.entries(full).filter(([name]) => name !== member))
      expect([member, validate({ ...root, service: rest })]).toEqual([member, member === 'metadataURI'])
    }
  })

  test.each([
    ['another version', { schemaVersion: 'v2' }],
    ['level 0', { level: 0 }],
    ['level 256', { level: 256 }],
    ['a mode a badge does not know', { verifierMode: 'codehost_pr' }],
    ['a negative amount', { reward: { asset: 'USDC', amount: '-1', decimals: 6 } }],
    ['an amount as a number', { reward: { asset: 'USDC', amount: 1, decimals: 6 } }],
    ['31 decimals', { reward: { asset: 'USDC', amount: '1', decimals: 31 } }],
    ['a short hash', { evidenceHash: '0x12' }],
    ['a short address', { worker: '0x12' }],
    ['a time without zone', { completedAt: '2026-03-01T12:00:02' }],
  ])('refuses %s', (_name, changes) => {
    expect(validate(service(changes))).toBe(false)
  })

  test.each([
    ['a name of 141 characters', { name: 'x'.repeat(141) }],
    ['a description of 1025 characters', { description: 'x'.repeat(1025) }],
    ['a picture without address', { image: 'x.png' }],
    ['an attribute without type', { attributes: [{ value: 1 }] }],
  ])('refuses %s', (_name, changes) => {
    expect(validate({ ...buildBadge(badgeFacts()), ...changes })).toBe(false)
  })
})
