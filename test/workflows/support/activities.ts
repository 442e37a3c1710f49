// Every activity that a workflow of the service calls.
import type { GasGrantActivities } from '../../../schemas/accounts/process.ts'
import type { AuditActivities } from '../../../schemas/audit/process.ts'
import type { ChainFollowerActivities } from '../../../schemas/chain/process.ts'
import type * as claims from '../../../schemas/claims/process.ts'
import type { ContentChainActivities, ContentRecordActivities } from '../../../schemas/content/process.ts'
import type { CrossChainActivities, CrossChainRecordActivities } from '../../../schemas/cross-chain/process.ts'
import type { DeliveryActivities } from '../../../schemas/deliveries/process.ts'
import type * as disputes from '../../../schemas/disputes/process.ts'
import type { IdleChainActivities, IdleRecordActivities } from '../../../schemas/idle-allocation/process.ts'
import type { IngestActivities } from '../../../schemas/ingestion/process.ts'
import type { RecurringActivities, SweepActivities } from '../../../schemas/lanes/process.ts'
import type { LockChainActivities, LockRecordActivities } from '../../../schemas/locked-deposits/process.ts'
import type { VerificationActivities } from '../../../schemas/paid-verification/process.ts'
import type { RunnerActivities } from '../../../schemas/paid-verification/runner.ts'
import type { VestingActivities } from '../../../schemas/pool/process.ts'
import type { PostingActivities } from '../../../schemas/postings/process.ts'
import type { ClockActivities } from '../../../schemas/processes.ts'
import type { SessionLogActivities } from '../../../schemas/session-log/process.ts'
import type * as verification from '../../../schemas/verification/process.ts'
import type { WebhookActivities } from '../../../schemas/webhooks/process.ts'

export type Activities = ClockActivities &
  claims.ClaimChainActivities &
  claims.ClaimRecordActivities &
  claims.ClaimOutcomeActivities &
  claims.ClaimSettlementActivities &
  claims.ClaimSiblingActivities &
  verification.VerifierHandlerActivities &
  verification.VerifierRecordActivities &
  verification.VerdictNoticeActivities &
  verification.VerdictReadActivities &
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
  PostingActivities &
  DeliveryActivities &
  VerificationActivities &
  RunnerActivities &
  AuditActivities &
  IngestActivities &
  RecurringActivities &
  SweepActivities &
  SessionLogActivities &
  disputes.DisputeChainActivities &
  disputes.DisputeRecordActivities &
  disputes.DisputeSiblingActivities &
  WebhookActivities
