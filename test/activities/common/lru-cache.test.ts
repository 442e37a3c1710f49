import { describe, expect, test } from '@jest/globals'
import { createLruCache } from '../../../activities/common/lru-cache.ts'

describe('the LRU cache', () => {
  test('evicts the least recently used values above the total weight', () => {
    const kept = createLruCache<{ weight: number }>(10)
    for (const key of ['a', 'b', 'c']) kept.set(key, { weight: 3 })
    kept.get('a')
    kept.set('d', { weight: 3 })
    expect(['a', 'b', 'c', 'd'].filter((key) => kept.get(key) !== undefined)).toEqual(['a', 'c', 'd'])
  })

  test('counts the weight of a key once', () => {
    const kept = createLruCache<{ weight: number }>(10)
    kept.set('other', { weight: 3 })
    for (let time = 0; time < 20; time += 1) kept.set('same', { weight: 6 })
    expect([kept.get('other'), kept.get('same')]).toEqual([{ weight: 3 }, { weight: 6 }])
  })

  test('evicts the least recently used values above the number', () => {
    const kept = createLruCache<{ weight: number }>(100, 2)
    kept.set('a', { weight: 1 })
    kept.set('b', { weight: 1 })
    kept.get('a')
    kept.set('c', { weight: 1 })
    expect(['a', 'b', 'c'].filter((key) => kept.get(key) !== undefined)).toEqual(['a', 'c'])
  })

  test('keeps no value that alone is too heavy', () => {
    const kept = createLruCache<{ weight: number }>(100)
    kept.set('a', { weight: 101 })
    expect(kept.get('a')).toBeUndefined()
    kept.set('b', { weight: 100 })
    expect(kept.get('b')).toEqual({ weight: 100 })
  })
})
