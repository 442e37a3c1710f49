import { describe, expect, test } from '@jest/globals'
import { LARGEST_PAGE, largerPage, lastPage, nextPage, settledHeight, smallerPage } from '../../../domain/chain/pages.ts'

describe('pages of blocks', () => {
  test('begin after the cursor and end at the target', () => {
    expect(nextPage(9n, 12n, 2_000)).toEqual({ from: 10n, to: 12n })
    expect(nextPage(9n, 12n, 2)).toEqual({ from: 10n, to: 11n })
    expect(nextPage(11n, 12n, 1)).toEqual({ from: 12n, to: 12n })
  })

  test('are over when the target is reached, or lies behind', () => {
    expect(nextPage(12n, 12n, 5)).toBeNull()
    expect(nextPage(12n, 3n, 5)).toBeNull()
  })

  test('follow each other without a gap and without an overlap, whatever their sizes', () => {
    let cursor = 3n
    const read: bigint[] = []
    for (const size of [1, 5, 2, 7, 100]) {
      const page = nextPage(cursor, 40n, size)
      if (page === null) break
      for (let number = page.from; number <= page.to; number += 1n) read.push(number)
      cursor = page.to
    }
    expect(read).toEqual(Array.from({ length: 37 }, (_, index) => BigInt(index + 4)))
  })

  test('backwards begin with the newest and end at the first block, without a gap and without an overlap', () => {
    expect(lastPage(3n, 9n, 4)).toEqual({ from: 6n, to: 9n })
    expect(lastPage(3n, 5n, 4)).toEqual({ from: 3n, to: 5n })
    expect(lastPage(0n, 0n, 4)).toEqual({ from: 0n, to: 0n })
    expect(lastPage(3n, 2n, 4)).toBeNull()
  })

  test('are halved when refused, down to one block', () => {
    expect(smallerPage({ from: 1n, to: 9n })).toBe(4)
    expect(smallerPage({ from: 1n, to: 2n })).toBe(1)
    expect(smallerPage({ from: 4n, to: 4n })).toBeNull()
  })

  test('grow again, up to a bound', () => {
    expect(largerPage(3)).toBe(6)
    expect(largerPage(LARGEST_PAGE)).toBe(LARGEST_PAGE)
  })
})

test('what counts as settled lies so many blocks below the head', () => {
  expect(settledHeight(10n, 0)).toBe(10n)
  expect(settledHeight(10n, 3)).toBe(7n)
  expect(settledHeight(1n, 3)).toBe(-2n)
})
