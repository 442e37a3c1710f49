import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { batched, coalesce } from '../../../api/http/cache.ts'
import { eventually } from '../../support/eventually.ts'

/** A query that ends when the test ends it, with the number of its run. */
const slowQuestion = () => {
  const open: PromiseWithResolvers<number>[] = []
  return {
    ask: () => {
      open.push(Promise.withResolvers<number>())
      return open.at(-1)?.promise ?? Promise.reject(new Error('no question'))
    },
    times: () => open.length,
    answer: (time: number) => open[time - 1]?.resolve(time),
    fail: (time: number) => open[time - 1]?.reject(new Error(`time ${time}`)),
  }
}

describe('a shared query', () => {
  test('runs once more for all callers that arrived while it ran', async () => {
    const question = slowQuestion()
    const ask = coalesce(question.ask)
    const first = ask()
    const later = [ask(), ask(), ask()]
    expect(question.times()).toBe(1)
    question.answer(1)
    await turn()
    question.answer(2)
    expect([await first, ...(await Promise.all(later)), question.times()]).toEqual([1, 2, 2, 2, 2])
  })

  test('runs at once when no other query is running', async () => {
    const question = slowQuestion()
    const ask = coalesce(question.ask)
    for (const time of [1, 2]) {
      const asked = ask()
      question.answer(time)
      expect(await asked).toBe(time)
    }
  })

  test('fails for its own callers and runs again for the others', async () => {
    const question = slowQuestion()
    const ask = coalesce(question.ask)
    const first = ask()
    const second = ask()
    question.fail(1)
    await expect(first).rejects.toThrow('time 1')
    await turn()
    question.answer(2)
    expect(await second).toBe(2)
  })

  test('that hangs does not block later callers', async () => {
    const question = slowQuestion()
    const ask = coalesce(question.ask)
    void ask()
    const second = ask()
    await eventually('the query runs again', () => question.times() === 2)
    question.answer(2)
    expect(await second).toBe(2)
  })
})

test('keys that are asked while a query runs share the next one', async () => {
  const asked: (readonly string[])[] = []
  const lengthOf = batched(async (keys: readonly string[]) => {
    asked.push(keys)
    await turn()
    return new Map(keys.map((key) => [key, key.length]))
  })
  const first = await Promise.all(['a', 'bb', 'ccc', 'bb'].map(lengthOf))
  // Asked between the end of one query and the start of the next.
  const more = await Promise.all([lengthOf('dddd'), turn().then(() => lengthOf('eeeee')), lengthOf('a')])
  expect([first, more]).toEqual([
    [1, 2, 3, 2],
    [4, 5, 1],
  ])
  expect(asked.flat().sort()).toEqual(['a', 'a', 'bb', 'ccc', 'dddd', 'eeeee'])
})
