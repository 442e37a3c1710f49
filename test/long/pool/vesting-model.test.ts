import { expect, test } from '@jest/globals'
import { foldPoolEvents, NO_VESTING } from '../../../domain/pool/vesting.ts'
import { deposit, poolHistory, type Step, withdraw } from '../../domain/builders/pool-history.ts'
import { differsFromModel } from '../../domain/builders/vesting-model.ts'

type Move = (hours: number) => Step

/** Every kind of event. A loan of one name opens once and closes once; the contract allows no more. */
const MOVES: readonly Move[] = [
  (hours) => deposit(5, hours),
  (hours) => deposit(2, hours),
  (hours) => deposit(4, hours, 2),
  (hours) => withdraw(3, hours, 2),
  (hours) => withdraw(1, hours, 5),
  (hours) => ({ open: 'a', hours }),
  (hours) => ({ close: 'a', hours }),
  (hours) => ({ open: 'b', hours }),
  (hours) => ({ close: 'b', hours }),
]
const GAPS = [0, 20, 48]
const LATEST = [0, 1, 47, 48, 100]

const sharesOf = (step: Step): number => ('deposit' in step ? Number(step.shares) : 'withdraw' in step ? -Number(step.shares) : 0)

const isLegal = (steps: readonly Step[], next: Step): boolean => {
  if ('withdraw' in next) return [...steps, next].reduce((sum, step) => sum + sharesOf(step), 0) >= 0
  if ('open' in next) return !steps.some((step) => 'open' in step && step.open === next.open)
  if (!('close' in next)) return true
  const isOpen = steps.some((step) => 'open' in step && step.open === next.close)
  return isOpen && !steps.some((step) => 'close' in step && step.close === next.close)
}

/** Visits every legal history of at most `length` events that goes on from `steps`; the number of visits. */
const visit = (steps: readonly Step[], length: number, check: (history: readonly Step[]) => void): number => {
  check(steps)
  if (steps.length === length) return 1
  const begin = steps.at(-1)?.hours ?? 0
  const next = GAPS.flatMap((gap) => MOVES.map((move) => move(begin + gap))).filter((step) => isLegal(steps, step))
  return next.reduce((visits, step) => visits + visit([...steps, step], length, check), 1)
}

test('the vesting rule agrees with a slow model over every history of at most four events', () => {
  const visits = visit([], 4, (steps) => {
    const history = poolHistory(steps)
    const state = history.reduce((folded, event) => foldPoolEvents(folded, [event], event.at), NO_VESTING)
    for (const later of LATEST) {
      const difference = differsFromModel(state, history, 1_000, state.asOf + later * 3_600_000)
      if (difference !== null) expect({ steps, later, rule: difference.rule }).toEqual(difference.model)
    }
  })
  expect(visits).toBeGreaterThan(50_000)
}, 300_000)
