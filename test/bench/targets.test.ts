import { expect, test } from '@jest/globals'
import { missedTargets, TARGETS } from './targets.ts'

const atTheEdge = Object.fromEntries(
  Object.entries(TARGETS).map(([name, target]) => [name, 'least' in target ? target.least : target.most]),
) as Record<keyof typeof TARGETS, number>

test('a figure at the edge holds its target, one beyond it is named', () => {
  expect(missedTargets(atTheEdge)).toEqual([])
  for (const [name, target] of Object.entries(TARGETS)) {
    const beyond = 'least' in target ? target.least - 0.001 : target.most + 0.001
    expect(missedTargets({ ...atTheEdge, [name]: beyond })).toEqual([expect.stringContaining(`${name} is ${beyond}`)])
  }
})

test('a figure that was not taken holds nothing', () => {
  expect(missedTargets({ ...atTheEdge, claimGrowth: Number.NaN })).toHaveLength(1)
  expect(missedTargets({})).toHaveLength(Object.keys(TARGETS).length)
})
