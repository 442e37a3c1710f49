import { describe, expect, test } from '@jest/globals'
import { createOpenCounter, type Holder } from '../../../api/http/open-counter.ts'
import { isServiceError } from '../../../schemas/errors.ts'

const LIMITS = { all: 100, perWallet: 20, perAddress: 40 }

/** Opens for a wallet at an address; `opened`, or the reason of the refusal. */
const opener = (limits = LIMITS) => {
  const open = createOpenCounter(limits)
  return (wallet: string | null, ip: string): string => {
    try {
      open({ wallet, ip })
      return 'opened'
    } catch (error) {
      if (!isServiceError(error)) throw error
      return String(error.info.reason)
    }
  }
}
const openMany = (count: number, open: (place: number) => string): Record<string, number> => {
  const results = Array.from({ length: count }, (_, place) => open(place))
  const counts = [...Map.groupBy(results, (result) => result)].map(([result, all]): [string, number] => [result, all.length])
  return Object.fromEntries(counts)
}

describe('what a process keeps open', () => {
  test('is bounded from one address, however many wallets ask there', () => {
    const open = opener()
    expect(openMany(1_000, (place) => open(`wallet ${place % 50}`, 'one'))).toEqual({ opened: 40, address: 960 })
    expect(open('another', 'two')).toBe('opened')
    expect(open(null, 'one')).toBe('address')
  })

  test('is bounded of one wallet, from however many addresses it asks', () => {
    const open = opener()
    expect(openMany(100, (place) => open('one', `address ${place}`))).toEqual({ opened: 20, wallet: 80 })
    expect(open(null, 'address 1')).toBe('opened')
  })

  test('keeps its last fifth for wallets and networks that have none', () => {
    const open = opener()
    expect(openMany(1_000, (place) => open(`wallet ${place % 50}`, `10.0.${place % 25}.1`))).toEqual({ opened: 80, service: 920 })
    expect(open('wallet 1', '10.9.0.1')).toBe('service')
    expect(openMany(1_000, (place) => open(`fresh ${place}`, `10.0.${place % 25}.${place % 200}`))).toEqual({ service: 1_000 })
    expect(open(null, '10.0.1.1')).toBe('service')
    expect(openMany(10, (place) => open(`new ${place}`, `10.1.${place}.1`))).toEqual({ opened: 10 })
    expect(openMany(1_000, (place) => open(`new ${place}`, `2001:db8:1:${place.toString(16)}::/64`))).toEqual({ opened: 1, service: 999 })
    expect(openMany(10, (place) => open(null, `10.2.${place}.1`))).toEqual({ opened: 9, service: 1 })
    expect(open('the last', '10.3.0.1')).toBe('service')
  })

  test('has room again for each that closes, once', () => {
    const open = createOpenCounter({ all: 2, perWallet: 1, perAddress: 2 })
    const holder: Holder = { wallet: 'one', ip: 'a' }
    for (let round = 0; round < 3; round += 1) {
      const close = open(holder)
      expect(() => open(holder)).toThrow()
      close()
      close()
    }
    open(holder)
    open({ wallet: 'two', ip: 'a' })
    expect(() => open({ wallet: 'three', ip: 'b' })).toThrow()
  })
})
