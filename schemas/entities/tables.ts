import type { InferKyselyDB } from '@mikro-orm/postgresql'
import { CatalogueVersion, Job, RewardBankReading } from '../catalogue/entities.ts'
import { ChainCursor, ChainEvent, ChainMark, ChainNonce, ChainSignature, ChainTransaction } from '../chain/entities.ts'
import { ClaimIntent, SubsidyReservation } from '../claims/entities.ts'
import { Content } from '../content/entities.ts'
import { Dispute, DisputeEvent, DisputeVerdict } from '../disputes/entities.ts'
import { Event } from '../events/entities.ts'
import { IdempotencyKey, RateWindow } from '../http/entities.ts'
import { AuthChallenge, RevokedToken } from '../identity/entities.ts'
import { HookDelivery, PullRequest } from '../pull-requests/entities.ts'
import { Badge, ReputationEvent } from '../reputation/entities.ts'
import { Session, SessionEvent } from '../sessions/entities.ts'
import { Verification } from '../verification/entities.ts'

/** Every table of the service. */
export const ENTITIES = [
  Job,
  CatalogueVersion,
  RewardBankReading,
  ClaimIntent,
  Session,
  SessionEvent,
  Verification,
  Dispute,
  DisputeVerdict,
  DisputeEvent,
  Content,
  Badge,
  ReputationEvent,
  SubsidyReservation,
  Event,
  ChainTransaction,
  ChainSignature,
  ChainNonce,
  ChainCursor,
  ChainMark,
  ChainEvent,
  IdempotencyKey,
  RateWindow,
  AuthChallenge,
  RevokedToken,
  PullRequest,
  HookDelivery,
]

export const ROW_OPTIONS = { columnNamingStrategy: 'property', convertValues: true } as const
/** Row types of every table, in property names and JavaScript values. */
export type Tables = InferKyselyDB<(typeof ENTITIES)[number], typeof ROW_OPTIONS>
