import { describe, expect, test } from '@jest/globals'
import { createAnswerCache } from '../../../activities/codehost/answer-cache.ts'

const answer = (bytes: number) => ({ etag: `"${bytes}"`, value: bytes, bytes })

describe('the answers that are kept', () => {
  const held = (cache: ReturnType<typeof createAnswerCache>) => ['a', 'b', 'c', 'd'].filter((url) => cache.get(url) !== undefined)

  test('are no more than so many, the least recently used go first', () => {
    const cache = createAnswerCache({ maxAnswers: 2, maxBytes: 100 })
    cache.set('a', answer(1))
    cache.set('b', answer(1))
    cache.get('a')
    cache.set('c', answer(1))
    expect(held(cache)).toEqual(['a', 'c'])
  })

  test('are no longer together than so many bytes', () => {
    const cache = createAnswerCache({ maxAnswers: 10, maxBytes: 100 })
    for (const url of ['a', 'b', 'c']) cache.set(url, answer(30))
    cache.set('d', answer(60))
    expect(held(cache)).toEqual(['c', 'd'])
    cache.set('d', answer(10))
    cache.set('a', answer(60))
    expect(held(cache)).toEqual(['a', 'c', 'd'])
  })

  test('hold none that is longer than all of them may be', () => {
    const cache = createAnswerCache({ maxAnswers: 10, maxBytes: 100 })
    cache.set('a', answer(101))
    expect(held(cache)).toEqual([])
    cache.set('b', answer(100))
    expect(held(cache)).toEqual(['b'])
  })
})
