import { heartbeat, sleep } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import { createClaimSteps } from '../activities/chain/claim-steps.ts'
import { type ChainClients, createSigners } from '../activities/chain/clients.ts'
import type { Observe } from '../activities/chain/journal-news.ts'
import { createChainReads } from '../activities/chain/reads.ts'
import { createSettlementSteps } from '../activities/chain/settlement-steps.ts'
import { createTransactions } from '../activities/chain/transactions.ts'
import type { Clock } from '../activities/clock.ts'
import type { SigningKey } from '../activities/documents/signing.ts'
import { createSiblings } from '../activities/processes/siblings.ts'
import { createAdmission } from '../activities/records/admission.ts'
import { createClaimRecords } from '../activities/records/claim-records.ts'
import type { Database } from '../activities/records/database.ts'
import { createSettlements } from '../activities/records/settlements.ts'
import { createVerifications } from '../activities/records/verifications.ts'
import { VERIFIER_HANDLERS } from '../activities/verifiers/registry.ts'
import type { ChainFile } from '../schemas/chain-file.ts'
import type { Settings } from '../schemas/config.ts'
import type { ClaimChainActivities, ClaimRecordActivities } from '../schemas/processes/claim-session.ts'
import type { VerifierHandlerActivities, VerifierRecordActivities } from '../schemas/processes/verifier-run.ts'

export interface WorkerDeps {
  settings: Settings
  chain: ChainFile
  clients: ChainClients
  database: Database
  client: Client
  clock: Clock
  receiptKey: SigningKey
  observe: Observe
}

export type Activities = ClaimChainActivities & ClaimRecordActivities & VerifierHandlerActivities & VerifierRecordActivities

/** A wait inside a step: it is seen to be alive, and a cancelled step or a stopping worker ends it. */
const pause = async (milliseconds: number): Promise<void> => {
  heartbeat()
  await sleep(milliseconds)
}

/** Every activity of the service, built from its effects. */
export const createActivities = (deps: WorkerDeps): Activities => {
  const { settings, chain, clients, database, client, clock, receiptKey, observe } = deps
  const signers = createSigners(settings)
  const transactions = createTransactions({ database, clients, signers, clock, pause, observe })
  const reads = createChainReads(chain, clients, transactions.addressOf('operator'))
  const publicBaseUrl = settings.PUBLIC_BASE_URL ?? `http://${settings.HOST}:${settings.PORT}`
  const steps = { database, chain, clients, reads, transactions, clock }
  const admission = createAdmission({ database, settings, chain, clock })
  const settlements = createSettlements({ database, chain, clock })
  const verifications = createVerifications({ database, clock, handlers: VERIFIER_HANDLERS, publicBaseUrl })
  const siblings = createSiblings({ client, database })
  return {
    ...createClaimSteps(steps),
    ...createSettlementSteps({ ...steps, receiptKey, publicBaseUrl, appUrl: settings.APP_URL ?? publicBaseUrl }),
    ...createClaimRecords({ database, chain, clock }),
    ...verifications,
    ...siblings,
    admitClaim: admission.admitClaim,
    releaseClaim: admission.releaseClaim,
    recordRejectionEnd: settlements.recordRejectionEnd,
    recordReview: settlements.recordReview,
    millisecondsUntil: async (instant) => Math.max(0, Date.parse(instant) - clock.now()),
  }
}
