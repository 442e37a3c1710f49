import type { Hex } from 'viem'
import { readOrElse } from '../../activities/chain/reachable.ts'
import { walletExposure } from '../../activities/eligibility/exposure.ts'
import { readCatalogueFacts } from '../../activities/eligibility/facts.ts'
import { liveLocks } from '../../activities/locked-deposits/records.ts'
import { readVestedRaw } from '../../activities/pool/capital.ts'
import { badgesOfWorker } from '../../activities/reputation/badges.ts'
import { readScores } from '../../activities/reputation/ledger.ts'
import { owedRaw } from '../../domain/chain/account-position.ts'
import { knownValue } from '../../domain/common/fact.ts'
import { bankShareRaw, exposureLimits, vestedCapacity } from '../../domain/eligibility/exposure.ts'
import { progressionView } from '../../domain/eligibility/progression.ts'
import { countingTier, tierOfLocks } from '../../domain/locked-deposits/tiers.ts'
import type { ApiDeps } from '../deps.ts'

const NEWEST_BADGES = 50

export type WalletFacts = Awaited<ReturnType<ApiDeps['reads']['walletFacts']>>

/** Chain facts of a wallet, or null while the chain is unreadable: the summary is useful without them. */
const findWalletFacts = (reads: ApiDeps['reads'], wallet: Hex): Promise<WalletFacts | null> =>
  readOrElse(
    () => reads.walletFacts(wallet),
    () => null,
  )

const waiverSlots = (facts: WalletFacts | null): number | null =>
  facts === null ? null : Math.max(facts.policy.waiverClaims - facts.workerClaimCount, 0)

const STANDING = 'Tier, badges and scores come from settled work. They stay when you withdraw, and no deposit buys them.'

/** Reads what a wallet has earned besides money, and what it comes from. */
export const createWorkerReader = ({ settings, chain, database, reads, clock, baseUrl }: ApiDeps) => {
  const { symbol, decimals } = chain.asset
  const limits = exposureLimits(settings, { symbol, decimals })
  return async (wallet: Hex) => {
    const { rows } = database
    const now = clock.now()
    const [scores, exposure, badges, facts, locks, { rewardBank, policy }] = await Promise.all([
      readScores(rows, wallet),
      walletExposure(rows, wallet, now),
      badgesOfWorker(rows, wallet, NEWEST_BADGES, baseUrl),
      findWalletFacts(reads, wallet),
      liveLocks(rows, wallet.toLowerCase(), now),
      readCatalogueFacts(rows, { settings, chain }),
    ])
    const vestedRaw = facts === null ? 'unreadable' : await readVestedRaw(rows, chain, wallet.toLowerCase(), facts)
    const debtRaw = facts === null ? null : owedRaw(facts.creditDebtRaw, facts.position)
    const tier = countingTier(tierOfLocks(locks, now), debtRaw ?? undefined)
    const shareRaw = policy.tierPerksEnabled ? bankShareRaw(tier, rewardBank) : 0n
    const capacity = vestedCapacity(knownValue(vestedRaw) ?? 0n, limits, shareRaw)
    const progression = progressionView({ scores, exposure, badges: badges.newest, capacity }, limits)
    const { tier: claimTier, creditInterest } = progression
    return {
      facts,
      progression,
      standing: {
        claimTier,
        badges: badges.count,
        creditInterest,
        waiverSlotsRemaining: waiverSlots(facts),
        persists: true,
        statement: STANDING,
      },
    }
  }
}
