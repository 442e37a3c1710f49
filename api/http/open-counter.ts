import { callerNetwork } from '../../domain/http/caller-address.ts'
import { ServiceError } from '../../schemas/errors.ts'

const RETRY_SECONDS = 5
/** The last fifth of all places is for wallets and networks that have none: those that have many cannot take the service from them. */
const RESERVED_FRACTION = 5

/** Who holds a place: a wallet at an address, or an anonymous caller at one. */
export interface Holder {
  wallet: string | null
  ip: string
}

const networkKey = (ip: string): string => `network ${callerNetwork(ip)}`

interface Limits {
  all: number
  perWallet: number
  perAddress: number
}

/**
 * Counts what a process keeps open: in all, of a wallet and from an address. `open` returns the function that closes, which may run twice. It
 * throws 503 `too_many_waits` above a limit.
 */
export const createOpenCounter = ({ all: limit, perWallet, perAddress }: Limits) => {
  const open = new Map<string, number>()
  let all = 0

  const change = (key: string, by: 1 | -1): void => {
    const count = (open.get(key) ?? 0) + by
    if (count === 0) open.delete(key)
    else open.set(key, count)
  }

  const reasonAgainst = ({ wallet, ip }: Holder): 'wallet' | 'address' | 'service' | null => {
    const count = (key: string): number => open.get(key) ?? 0
    if (wallet !== null && count(wallet) >= perWallet) return 'wallet'
    if (count(ip) >= perAddress) return 'address'
    const hasNone = count(wallet ?? ip) === 0 && count(networkKey(ip)) === 0
    return all >= (hasNone ? limit : limit - Math.floor(limit / RESERVED_FRACTION)) ? 'service' : null
  }

  return (holder: Holder): (() => void) => {
    const reason = reasonAgainst(holder)
    if (reason !== null) throw new ServiceError('too_many_waits', { retryAfterSeconds: RETRY_SECONDS, reason })
    const keys = [networkKey(holder.ip), holder.ip, ...(holder.wallet === null ? [] : [holder.wallet])]
    for (const key of keys) change(key, 1)
    all += 1
    return () => {
      if (keys.length > 0) all -= 1
      for (const key of keys.splice(0)) change(key, -1)
    }
  }
}
