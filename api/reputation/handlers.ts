import { readConsent } from '../../activities/consents/listing.ts'
import { countDeliveries } from '../../activities/deliveries/records.ts'
import { createLockReads } from '../../activities/locked-deposits/reads.ts'
import { createTierStates } from '../../activities/locked-deposits/state.ts'
import { readLedger, readScores } from '../../activities/reputation/ledger.ts'
import { isoOrNull } from '../../domain/common/instants.ts'
import { type Asset, assetAmount } from '../../domain/common/money.ts'
import { deliveryCounts } from '../../domain/deliveries/view.ts'
import { SCORING_VERSION, tierOf } from '../../domain/reputation/tiers.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type * as reputationOperations from '../../schemas/reputation/operations.ts'
import type { ApiDeps } from '../deps.ts'
import { createWorkerReader, type WalletFacts } from './standing.ts'

const accountPosition = (facts: WalletFacts | null, asset: Asset) => {
  if (facts === null) return { liquid: null, jobStakeLocked: null, available: false, reason: 'blockchain_unavailable' }
  const { liquid, jobStakeLocked } = facts.position
  return { liquid: assetAmount(liquid, asset), jobStakeLocked: assetAmount(jobStakeLocked, asset), available: true }
}

/** The caller's scores and worker summary: scores from the ledger, money from the chain. */
export const createReputationHandlers = (deps: ApiDeps): Pick<HandlersOf<typeof reputationOperations>, 'getMe' | 'getReputation'> => {
  const { chain, database, clock, clients, reads } = deps
  const readTierState = createTierStates(deps)
  const lockReads = createLockReads(chain, clients, reads)
  const readWorker = createWorkerReader(deps)

  return {
    getMe: async ({ caller }) => {
      const { wallet, subject } = caller
      const [{ facts, progression, standing }, directory] = await Promise.all([readWorker(wallet), readConsent(database.rows, wallet)])
      const summary = {
        wallet,
        subject,
        claimTier: progression.tier,
        scoringVersion: SCORING_VERSION,
        progression,
        accountPosition: accountPosition(facts, chain.asset),
        lockedDeposits: await readTierState(database.rows, wallet, await lockReads.lockFacts(wallet), clock.now()),
        directory: { publicProfileOptIn: directory.publicProfile, currentActivityOptIn: directory.currentActivity },
        standing,
      }
      return { status: 200, body: summary }
    },

    getReputation: async ({ caller }) => {
      const { wallet } = caller
      const { rows } = database
      const [scores, { count, lastAt }, deliveries] = await Promise.all([
        readScores(rows, wallet),
        readLedger(rows, wallet),
        countDeliveries(rows, wallet),
      ])
      const events = { count, lastAt: isoOrNull(lastAt) }
      const tier = tierOf(scores.skill)
      const body = { wallet, ...scores, tier, scoringVersion: SCORING_VERSION, deliveries: deliveryCounts(deliveries), events }
      return { status: 200, body }
    },
  }
}
