import { LRUCache } from 'lru-cache'
import { type Fact, known } from '../../domain/common/fact.ts'
import type { LockChainFacts } from '../../domain/locked-deposits/checks.ts'
import { type CreditReading, tierState } from '../../domain/locked-deposits/state.ts'
import { tierStateView } from '../../domain/locked-deposits/view.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Rows } from '../database/database.ts'
import { readGate } from './policy.ts'
import { listLocks } from './records.ts'

/** Wallets whose last debt a process remembers. */
const REMEMBERED = 10_000

/**
 * What wallets owe. A reading that fails is replaced by the last one of this process for the grace of the settings, and is unreadable after
 * it. Source: money, "Perks and state".
 */
const createCreditReadings = ({ CREDIT_READ_GRACE_MS }: Pick<Settings, 'CREDIT_READ_GRACE_MS'>) => {
  const last = new LRUCache<string, { debtRaw: bigint; at: number }>({ max: REMEMBERED })
  return (wallet: string, { creditDebtRaw, position }: LockChainFacts, now: number): Fact<CreditReading> => {
    if (typeof creditDebtRaw !== 'string' && typeof position !== 'string') {
      const debtRaw = creditDebtRaw.known + position.known.debtOutstanding
      last.set(wallet, { debtRaw, at: now })
      return known({ debtRaw, staleSeconds: 0 })
    }
    const earlier = last.get(wallet)
    if (earlier === undefined || now - earlier.at > CREDIT_READ_GRACE_MS) return 'unreadable'
    return known({ debtRaw: earlier.debtRaw, staleSeconds: Math.max(1, Math.ceil((now - earlier.at) / 1000)) })
  }
}

/** Reads the locks of a wallet (lower case) and the tier that they give, as answers show them. */
export const createTierStates = ({ settings, chain }: { settings: Settings; chain: ChainFile }) => {
  const readingOf = createCreditReadings(settings)
  const { LOCKED_TIERS_ENABLED: enabled, NON_YIELD_TIER_PERKS_ENABLED: perksEnabled } = settings
  return async (rows: Rows, wallet: string, facts: LockChainFacts, now: number) => {
    const [locks, gate] = await Promise.all([listLocks(rows, wallet), readGate(rows, { settings, chain }, facts.pool, now)])
    const state = tierState(locks, readingOf(wallet, facts, now), perksEnabled, now)
    return tierStateView(state, locks, gate, { enabled, decimals: chain.asset.decimals, now })
  }
}
