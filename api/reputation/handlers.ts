import { readLedger, readScores } from '../../activities/reputation/ledger.ts'
import { isoOrNull } from '../../domain/common/instants.ts'
import { type Asset, amount, assetAmount } from '../../domain/common/money.ts'
import { SCORING_VERSION, tierOf } from '../../domain/reputation/tiers.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type * as reputationOperations from '../../schemas/reputation/operations.ts'
import { createWorkerReader, type StandingDeps, type WalletFacts } from './standing.ts'

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

/** The caller's scores and worker summary: scores from the ledger, money from the chain. */
export const createReputationHandlers = (deps: StandingDeps): Pick<HandlersOf<typeof reputationOperations>, 'getMe' | 'getReputation'> => {
  const { chain, database } = deps
  const readWorker = createWorkerReader(deps)

  return {
    getMe: async ({ caller }) => {
      const { wallet, subject } = caller
      const { facts, progression, standing } = await readWorker(wallet)
      return {
        status: 200,
        body: {
          ...{ wallet, subject, claimTier: progression.tier, scoringVersion: SCORING_VERSION },
          progression,
          accountPosition: accountPosition(facts, chain.asset),
          lockedDeposits: flexState(chain.asset.decimals),
          directory: { publicProfileOptIn: false, currentActivityOptIn: false },
          standing,
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
