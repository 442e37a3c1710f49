import { describe, expect, test } from '@jest/globals'
import { coalesce, createLruCache } from '../../../api/http/cache.ts'

/** A question that is answered, with the number of the time it was asked, when the test says so. */
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
const turn = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('a question that is asked together', () => {
  test('is asked again for those who came while it was being asked, once for all of them', async () => {
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

  test('is asked at once when nobody waits for it', async () => {
    const question = slowQuestion()
    const ask = coalesce(question.ask)
    for (const time of [1, 2]) {
      const asked = ask()
      question.answer(time)
      expect(await asked).toBe(time)
    }
  })

  test('fails for those it was asked for, and is asked again for the others', async () => {
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

  test('that hangs does not hold up those who come after it', async () => {
    const question = slowQuestion()
    const ask = coalesce(question.ask)
    void ask()
    const second = ask()
    await turn(60)
    question.answer(2)
    expect(await second).toBe(2)
  })
})

describe('values that are kept by key', () => {
  test('are forgotten, those first that nobody asked for, once they weigh too much together', () => {
    const kept = createLruCache<{ weight: number }>(10)
    for (const key of ['a', 'b', 'c']) kept.set(key, { weight: 3 })
    kept.get('a')
    kept.set('d', { weight: 3 })
    expect(['a', 'b', 'c', 'd'].filter((key) => kept.get(key) !== undefined)).toEqual(['a', 'c', 'd'])
  })

  test('weigh once, however often they are set', () => {
    const kept = createLruCache<{ weight: number }>(10)
    kept.set('other', { weight: 3 })
    for (let time = 0; time < 20; time += 1) kept.set('same', { weight: 6 })
    expect([kept.get('other'), kept.get('same')]).toEqual([{ weight: 3 }, { weight: 6 }])
  })
})
