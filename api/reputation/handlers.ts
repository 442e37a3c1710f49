import type { Hex } from 'viem'
import { walletExposure } from '../../activities/eligibility/exposure.ts'
import { badgesOfWorker } from '../../activities/reputation/badges.ts'
import { readLedger, readScores } from '../../activities/reputation/ledger.ts'
import { isoOrNull } from '../../domain/common/instants.ts'
import { type Asset, amount, assetAmount } from '../../domain/common/money.ts'
import { exposureLimits, vestedCapacity } from '../../domain/eligibility/exposure.ts'
import { progressionView } from '../../domain/eligibility/progression.ts'
import { SCORING_VERSION, tierOf } from '../../domain/reputation/tiers.ts'
import { isServiceError } from '../../schemas/errors.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type * as reputationOperations from '../../schemas/reputation/operations.ts'
import type { ApiDeps } from '../deps.ts'

export type ReputationDeps = Pick<ApiDeps, 'settings' | 'chain' | 'database' | 'reads' | 'clock' | 'baseUrl'>

const NEWEST_BADGES = 50

type WalletFacts = Awaited<ReturnType<ReputationDeps['reads']['walletFacts']>>

/** Chain facts of a wallet, or null while the chain is unreadable: the summary is useful without them. */
const findWalletFacts = async (reads: ReputationDeps['reads'], wallet: Hex): Promise<WalletFacts | null> => {
  try {
    return await reads.walletFacts(wallet)
  } catch (error) {
    if (isServiceError(error) && error.code === 'blockchain_unavailable') return null
    throw error
  }
}

const accountPosition = (facts: WalletFacts | null, asset: Asset) => {
  if (facts === null) return { liquid: null, jobStakeLocked: null, available: false, reason: 'blockchain_unavailable' }
  const { liquid, jobStakeLocked } = facts.position
  return { liquid: assetAmount(liquid, asset), jobStakeLocked: assetAmount(jobStakeLocked, asset), available: true }
}

const YIELD_STATUS = 'Locked deposits are not open: nothing is locked and nothing is paid on deposits.'

/** `lockedDeposits` of a wallet while the product does not exist: every wallet is Flex and nothing is locked. */
const flexState = (decimals: number) => {
  const none = amount({ raw: 0n, decimals })
  return {
    enabledForNewLocks: false,
    tier: 'flex',
    contractualTier: 'flex',
    priorityRank: 0,
    perksActive: false,
    locked: none,
    encumbered: none,
    activationGate: {
      open: false,
      status: 'closed',
      blockers: ['no_active_locks', 'locked_cohort_below_minimum', 'venue_rate_unmeasured'],
      totalLocked: none,
      yieldStatusText: YIELD_STATUS,
    },
    yieldStatusText: YIELD_STATUS,
    entries: [],
  }
}

const waiverSlots = (facts: WalletFacts | null): number | null =>
  facts === null ? null : Math.max(facts.policy.waiverClaims - facts.workerClaimCount, 0)

const STANDING = 'Tier, badges and scores come from settled work. They stay when you withdraw, and no deposit buys them.'

/** The caller's scores and worker summary: scores from the ledger, money from the chain. */
export const createReputationHandlers = (
  deps: ReputationDeps,
): Pick<HandlersOf<typeof reputationOperations>, 'getMe' | 'getReputation'> => {
  const { settings, chain, database, reads, clock, baseUrl } = deps
  const { symbol, decimals } = chain.asset
  const limits = exposureLimits(settings, { symbol, decimals })

  return {
    getMe: async ({ caller }) => {
      const { wallet, subject } = caller
      const { rows } = database
      const [scores, exposure, badges, facts] = await Promise.all([
        readScores(rows, wallet),
        walletExposure(rows, wallet, clock.now()),
        badgesOfWorker(rows, wallet, NEWEST_BADGES, baseUrl),
        findWalletFacts(reads, wallet),
      ])
      // Without a deposit product no deposit is vested.
      const progression = progressionView({ scores, exposure, badges: badges.newest, capacity: vestedCapacity(0n, limits) }, limits)
      const { tier, creditInterest } = progression
      return {
        status: 200,
        body: {
          ...{ wallet, subject, claimTier: tier, scoringVersion: SCORING_VERSION },
          progression,
          accountPosition: accountPosition(facts, chain.asset),
          lockedDeposits: flexState(decimals),
          directory: { publicProfileOptIn: false, currentActivityOptIn: false },
          standing: {
            ...{ claimTier: tier, badges: badges.count, creditInterest },
            waiverSlotsRemaining: waiverSlots(facts),
            persists: true,
            statement: STANDING,
          },
        },
      }
    },

    getReputation: async ({ caller }) => {
      const { wallet } = caller
      const [scores, { count, lastAt }] = await Promise.all([readScores(database.rows, wallet), readLedger(database.rows, wallet)])
      return {
        status: 200,
        body: {
          wallet,
          ...scores,
          tier: tierOf(scores.skill),
          scoringVersion: SCORING_VERSION,
          events: { count, lastAt: isoOrNull(lastAt) },
        },
      }
    },
  }
}
