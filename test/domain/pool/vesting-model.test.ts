import { expect, test } from '@jest/globals'
import { formatCheckpoint, parseCheckpoint } from '../../../domain/pool/checkpoint.ts'
import { foldPoolEvents, NO_VESTING } from '../../../domain/pool/vesting.ts'
import { runsOf } from '../../support/cases/sample.ts'
import { poolHistory, randomSteps, seededInts } from '../builders/pool-history.ts'
import { differsFromModel } from '../builders/vesting-model.ts'

test('the vesting rule agrees with a slow model over random histories, folded from checkpoints', () => {
  const int = seededInts(26)
  for (let round = 0; round < runsOf(100_000); round++) {
    const history = poolHistory(randomSteps(int))
    const cut = int(history.length + 1)
    const early = foldPoolEvents(NO_VESTING, history.slice(0, cut), history[cut]?.at ?? 0)
    const stored = int(4) === 0 ? parseCheckpoint(formatCheckpoint(early)) : early
    // From any earlier log on: what the checkpoint counts already must change nothing.
    const state = foldPoolEvents(stored, history.slice(int(cut + 1)), 0)
    const now = state.asOf + int(4) * int(72 * 3_600_000)
    const assetsOf = int(3) === 0 ? int(60) : 1_000_000
    const difference = differsFromModel(state, history, assetsOf, now)
    if (difference !== null) expect({ round, history, now, rule: difference.rule }).toEqual(difference.model)
  }
})
