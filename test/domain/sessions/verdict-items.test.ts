import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { assertItemised, decisionItems, findItemConflict, verdictItem } from '../../../domain/sessions/verdict-items.ts'
import { VerdictItemShape } from '../../../schemas/sessions/shapes.ts'
import { CRITERIA, RESOLUTION_KINDS, ROUND_VERDICTS, VERDICT_OUTCOMES } from '../../../schemas/sessions/verdicts.ts'

const items = fc.array(
  fc
    .tuple(fc.constantFrom(...CRITERIA), fc.constantFrom(true, false, null))
    .map(([criterion, isMet]) => verdictItem(criterion, isMet, '/detail')),
)

describe('an item of a verdict', () => {
  test.each([
    [true, { result: 'met', evidence: '/checks/merged' }],
    [false, { result: 'unmet', evidence: '/checks/merged' }],
    [null, { result: 'not_applicable', evidence: null }],
  ])('of a check that answers %s is %j', (isMet, expected) => {
    const item = verdictItem('repo_matches', isMet, '/checks/merged')
    expect(item).toEqual({ criterion: 'repo_matches', ...expected })
    expect(VerdictItemShape.safeParse(item).success).toBe(true)
  })

  test.each([
    ['an unknown criterion', { criterion: 'looks_good' }],
    ['an unknown result', { result: 'mostly' }],
    ['evidence that is no pointer', { evidence: 'detail' }],
    ['another member', { note: 'x' }],
  ])('with %s is refused', (_name, changes) => {
    expect(VerdictItemShape.safeParse({ ...verdictItem('repo_matches', true, '/detail'), ...changes }).success).toBe(false)
  })
})

describe('an outcome and its items', () => {
  test('contradict each other in three ways only', () => {
    fc.assert(
      fc.property(fc.constantFrom(...VERDICT_OUTCOMES), items, (outcome, checked) => {
        const isUnmet = checked.some(({ result }) => result === 'unmet')
        const isAllowed = outcome === 'approved' ? checked.length > 0 && !isUnmet : outcome !== 'rejected' || isUnmet
        expect(findItemConflict(outcome, checked) === null).toBe(isAllowed)
        if (isAllowed) assertItemised({ outcome, items: checked })
        else expect(() => assertItemised({ outcome, items: checked })).toThrow(/^(an approval|a rejection) /)
      }),
    )
  })
})

describe('the item of a decision that replaced a verdict', () => {
  test.each(RESOLUTION_KINDS)('by %s agrees with every verdict of a round', (kind) => {
    for (const verdict of ROUND_VERDICTS) {
      const [item, ...others] = decisionItems({ kind, verdict })
      expect(others).toEqual([])
      const accepts = verdict !== 'upheld' && verdict !== 'rejected'
      expect(item?.result).toBe(kind === 'timeout' ? 'not_applicable' : accepts ? 'met' : 'unmet')
    }
  })
})
