import { heartbeat, sleep } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import { createGasGrantSteps } from '../activities/accounts/gas-grant.ts'
import { createAuditActivities } from '../activities/audit/activity.ts'
import { type ChainClients, createScanClient, createSigners } from '../activities/chain/clients.ts'
import { recordedBlock } from '../activities/chain/follower/cursor.ts'
import type { Observe } from '../activities/chain/journal/broadcast.ts'
import { createTransactions } from '../activities/chain/journal/send.ts'
import { createChainReads } from '../activities/chain/reads.ts'
import { createAdmission } from '../activities/claims/admission.ts'
import { createClaimSteps } from '../activities/claims/chain-steps.ts'
import { createClaimJob } from '../activities/claims/claim-job.ts'
import { createClaimRecords } from '../activities/claims/records.ts'
import { createSubmissionRecords } from '../activities/claims/submission-records.ts'
import type { Clock } from '../activities/common/clock.ts'
import type { SigningKey } from '../activities/common/document-signing.ts'
import { createDisclosureSteps } from '../activities/content/disclosure.ts'
import { createCrossChainSteps } from '../activities/cross-chain/steps.ts'
import type { Database } from '../activities/database/database.ts'
import { createDisputeDecisions } from '../activities/disputes/decisions.ts'
import { createDisputeFiles } from '../activities/disputes/file.ts'
import { resolveDisputeTransaction } from '../activities/disputes/signatures.ts'
import { createDisputeStanding, type OverdueDispute } from '../activities/disputes/status.ts'
import { createDisputeSteps } from '../activities/disputes/steps/chain-steps.ts'
import type { SignDocument } from '../activities/identity/signing-keys.ts'
import { createIdleReads } from '../activities/idle-allocation/reads.ts'
import { createIdleSteps } from '../activities/idle-allocation/steps.ts'
import { createLockReads } from '../activities/locked-deposits/reads.ts'
import { createLockSteps } from '../activities/locked-deposits/steps.ts'
import type { GuardedFetch } from '../activities/outbound/guarded-fetch.ts'
import { createVestingSteps } from '../activities/pool/vesting-steps.ts'
import { createSessionLogSteps } from '../activities/session-log/close-day.ts'
import { createSettlementSteps } from '../activities/settlement/chain-steps.ts'
import { createSiblings } from '../activities/temporal/siblings.ts'
import { createPullRequestChecks } from '../activities/verification/pull-request-checks.ts'
import { createVerifications } from '../activities/verification/records.ts'
import type { VerifierHandlers } from '../activities/verification/registry.ts'
import { createWebhookSteps } from '../activities/webhooks/deliver.ts'
import type { GasGrantActivities } from '../schemas/accounts/process.ts'
import type { AuditActivities } from '../schemas/audit/process.ts'
import type { ChainFile } from '../schemas/chain/chain-file.ts'
import type { ChainFollowerActivities } from '../schemas/chain/process.ts'
import type { ClaimChainActivities, ClaimRecordActivities } from '../schemas/claims/process.ts'
import type { ContentChainActivities, ContentRecordActivities } from '../schemas/content/process.ts'
import type { CrossChainActivities, CrossChainRecordActivities } from '../schemas/cross-chain/process.ts'
import type { DisputeChainActivities, DisputeRecordActivities, DisputeSiblingActivities } from '../schemas/disputes/process.ts'
import type { IdleChainActivities, IdleRecordActivities } from '../schemas/idle-allocation/process.ts'
import type { LockChainActivities, LockRecordActivities } from '../schemas/locked-deposits/process.ts'
import type { VestingActivities } from '../schemas/pool/process.ts'
import type { SessionLogActivities } from '../schemas/session-log/process.ts'
import type { Settings } from '../schemas/settings.ts'
import type { VerifierHandlerActivities, VerifierRecordActivities } from '../schemas/verification/process.ts'
import type { WebhookActivities } from '../schemas/webhooks/process.ts'
import { createAuditLog } from './audit/audit-log.ts'
import { createFollowerActivities } from './chain/follower.ts'

export interface WorkerDeps {
  settings: Settings
  chain: ChainFile
  clients: ChainClients
  database: Database
  client: Client
  clock: Clock
  /** Signs badges and receipts. */
  sign: SignDocument
  readKey: () => Promise<SigningKey>
  handlers: VerifierHandlers
  /** Posts events to the endpoints of wallets. */
  fetch: GuardedFetch
  observe: Observe
  logger: Pick<Logger, 'info' | 'warn'>
  /** Receives the disputes that have waited for people for a day. */
  alarm: (alarm: OverdueDispute) => void
  /** Aborted when the worker begins to stop: an activity that has no end of its own then ends. */
  stopping: AbortSignal
}

export type Activities = ClaimChainActivities &
  ClaimRecordActivities &
  VerifierHandlerActivities &
  VerifierRecordActivities &
  ChainFollowerActivities &
  GasGrantActivities &
  VestingActivities &
  LockRecordActivities &
  LockChainActivities &
  IdleRecordActivities &
  IdleChainActivities &
  ContentChainActivities &
  ContentRecordActivities &
  CrossChainActivities &
  CrossChainRecordActivities &
  AuditActivities &
  SessionLogActivities &
  DisputeChainActivities &
  DisputeRecordActivities &
  DisputeSiblingActivities &
  WebhookActivities

/** Waits inside an activity with a heartbeat. A cancelled activity or a stopping worker ends the wait. */
const pause = async (milliseconds: number): Promise<void> => {
  heartbeat()
  await sleep(milliseconds)
}

/** Creates every activity of the service. */
export const createActivities = (deps: WorkerDeps): Activities => {
  const { settings, chain, clients, database, client, clock, sign, readKey, observe, logger, alarm, handlers, fetch, stopping } = deps
  const signers = createSigners(settings)
  const transactions = createTransactions({ database, clients, signers, clock, pause, observe })
  const reads = createChainReads(chain, clients, transactions.addressOf('operator'))
  const publicBaseUrl = settings.PUBLIC_BASE_URL ?? `http://${settings.HOST}:${settings.PORT}`
  const steps = { database, chain, clients, reads, transactions, clock }
  const { lockBond, ...claimSteps } = createClaimSteps(steps)
  const { recordClaim, ...claimRecords } = createClaimRecords({ database, chain, clock })
  const admission = createAdmission({ database, settings, chain, clock })
  const verification = { database, clock, handlers, publicBaseUrl, settings }
  const verifications = createVerifications(verification)
  const siblings = createSiblings({ client, database })
  // A workflow that the follower notified must not read a state from before the event: it would wait for the next one.
  const readsAfterCursor = createChainReads(chain, clients, transactions.addressOf('operator'), () =>
    recordedBlock(database.rows, chain.chainId),
  )
  const writeDisputeFile = createDisputeFiles({ chain, sign, publicBaseUrl })
  const settlement = { ...steps, reads: readsAfterCursor, sign, publicBaseUrl, writeDisputeFile }
  const arbitrator = signers.arbitrator?.address.toLowerCase() ?? null
  const prepare = resolveDisputeTransaction({ chain, escrow: reads.escrowAddress, publicBaseUrl })
  return {
    ...createClaimJob({ admitClaim: admission.admitClaim, lockBond, recordClaim }, Math.max(2, settings.DATABASE_POOL - 6)),
    ...claimSteps,
    ...createGasGrantSteps({ ...steps, settings }),
    ...createVestingSteps({ database, chain, clock }),
    ...createLockSteps({ settings, chain, database, clock, reads: createLockReads(chain, clients, readsAfterCursor) }),
    ...createIdleSteps({ settings, chain, database, clock, transactions, reads: createIdleReads(chain, clients, readsAfterCursor) }),
    ...createDisclosureSteps(steps),
    ...createCrossChainSteps(steps),
    ...createSessionLogSteps({ chain, database, clock, sign }),
    ...createWebhookSteps({ settings, database, clock, fetch }),
    ...createSettlementSteps(settlement),
    ...createDisputeSteps({ ...settlement, arbitrator, prepare }),
    ...createDisputeDecisions({ database, clock, publicBaseUrl, arbitrator, prepare }),
    ...createDisputeStanding({ database, clock, arbitrator, alarm }),
    ...claimRecords,
    ...createSubmissionRecords({ database, clock, settings }),
    ...verifications,
    ...createPullRequestChecks(verification),
    ...siblings,
    ...createAuditActivities({
      database,
      chain,
      client: createScanClient(chain, clients.batches),
      readKey,
      now: clock.now,
      onReport: createAuditLog(logger),
    }),
    ...createFollowerActivities({ chain, batches: clients.batches, database, client, clock, logger, stopping }),
    releaseClaim: admission.releaseClaim,
    millisecondsUntil: async (instant) => Math.max(0, Date.parse(instant) - clock.now()),
  }
}
