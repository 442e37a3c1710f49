import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { REPUTATION_KINDS, type ReputationEvent, type ReputationKind, reputationEvent } from '../../../domain/reputation/scores.ts'
import { SCORING_VERSION, type Scores, tierOf } from '../../../domain/reputation/tiers.ts'

const NO_SCORES: Scores = { skill: 0, reliability: 0, economic: 0 }

/** Scores of a wallet as the ledger sums them: the applied columns of its events. */
const sumScores = (events: readonly { applied: Scores }[]): Scores =>
  events.reduce((sum, { applied: { skill, reliability, economic } }) => {
    return { skill: sum.skill + skill, reliability: sum.reliability + reliability, economic: sum.economic + economic }
  }, NO_SCORES)

const SMALL = { rewardRaw: 200_000n, decimals: 6 }

const ledger = (kinds: readonly ReputationKind[], reward = SMALL): ReputationEvent[] => {
  const events: ReputationEvent[] = []
  for (const kind of kinds) events.push(reputationEvent(sumScores(events), kind, reward))
  return events
}
const approvals = (count: number): ReputationKind[] => Array.from({ length: count }, () => 'approval_level_1')

describe('the reputation ledger', () => {
  test('four approvals reach pro; a rejection and two lost disputes take down to zero and no further', () => {
    const kinds = approvals(4)
    const standing = () => sumScores(ledger(kinds))
    expect(standing()).toMatchObject({ skill: 100, reliability: 80 })
    expect(tierOf(standing().skill)).toBe('pro')
    kinds.push('rejection_final')
    expect(standing()).toMatchObject({ skill: 90, reliability: 60 })
    expect(tierOf(standing().skill)).toBe('starter')
    kinds.push('dispute_lost')
    expect(standing()).toMatchObject({ skill: 60, reliability: 10 })
    kinds.push('dispute_lost')
    expect(standing()).toMatchObject({ skill: 30, reliability: 0 })
    expect(ledger(kinds).at(-1)).toMatchObject({ nominal: { reliability: -50 }, applied: { reliability: -10 } })
    const milestone = reputationEvent(standing(), 'approval_level_2', { rewardRaw: 12_700_000n, decimals: 6 })
    expect(sumScores([...ledger(kinds), milestone])).toEqual({ skill: 80, reliability: 40, economic: 12 })
  })

  test('eight approvals reach elite', () => {
    const scores = sumScores(ledger(approvals(8)))
    expect(scores).toMatchObject({ skill: 200, reliability: 160 })
    expect(tierOf(scores.skill)).toBe('elite')
  })

  test('a fresh wallet loses nothing by a rejection, so its first approval counts whole', () => {
    const events = ledger(['rejection_final', 'approval_level_1'])
    expect(events[0]?.applied).toEqual(NO_SCORES)
    expect(sumScores(events)).toMatchObject({ skill: 25, reliability: 20 })
  })

  const BOOKED: [kind: ReputationKind, reason: string, skill: number, reliability: number, economic: number][] = [
    ['approval_level_1', 'APPROVED', 25, 20, 12],
    ['approval_level_2', 'MILESTONES_APPROVED', 50, 40, 12],
    ['rejection_final', 'REJECTED', -10, -20, 0],
    ['dispute_lost', 'DISPUTE_LOST', -30, -50, 0],
    ['dispute_won', 'DISPUTE_WON', 0, 0, 0],
  ]
  test('has these kinds of events', () => expect(REPUTATION_KINDS).toEqual(BOOKED.map(([kind]) => kind)))

  test.each(BOOKED)('%s is booked as %s; of a reward whole units count, whatever its decimals', (kind, reason, ...scores) => {
    const [skill, reliability, economic] = scores
    const nominal = { skill, reliability, economic }
    const booked = { kind, reason, nominal, applied: nominal, scoringVersion: SCORING_VERSION }
    const rich = { skill: 100, reliability: 100, economic: 100 }
    expect(reputationEvent(rich, kind, { rewardRaw: 12_999_999n, decimals: 6 })).toEqual(booked)
    expect(reputationEvent(rich, kind, { rewardRaw: 1_299n, decimals: 2 })).toEqual(booked)
  })

  test('no sequence of events takes a score below zero, and summing the rows in any order gives the same scores', () => {
    const sequences = fc.array(fc.constantFrom(...REPUTATION_KINDS), { maxLength: 40 })
    fc.assert(
      fc.property(sequences, fc.infiniteStream(fc.nat()), (kinds, keys) => {
        const events = ledger(kinds)
        for (let count = 1; count <= events.length; count += 1) {
          const { skill, reliability, economic } = sumScores(events.slice(0, count))
          if (skill < 0 || reliability < 0 || economic < 0) return false
        }
        const shuffled = events
          .map((event) => ({ event, key: keys.next().value }))
          .sort((left, right) => left.key - right.key)
          .map(({ event }) => event)
        expect(sumScores(shuffled)).toEqual(sumScores(events))
        return true
      }),
    )
  })

  test('whatever the order of events, the total stays between all losses suffered last and none at all', () => {
    const kinds = fc.array(fc.constantFrom(...REPUTATION_KINDS), { maxLength: 20 })
    fc.assert(
      fc.property(kinds, (events) => {
        const gains = events.filter((kind) => kind.startsWith('approval'))
        const losses = events.filter((kind) => !kind.startsWith('approval'))
        const lowest = sumScores(ledger([...gains, ...losses]))
        const highest = sumScores(ledger([...losses, ...gains]))
        const mixed = sumScores(ledger(events))
        return lowest.skill <= mixed.skill && mixed.skill <= highest.skill && lowest.reliability <= mixed.reliability
      }),
    )
  })
})
