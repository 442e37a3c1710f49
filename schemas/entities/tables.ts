import type { InferKyselyDB } from '@mikro-orm/postgresql'
import { CatalogueVersion, Job, RewardBankReading } from '../catalogue/entities.ts'
import { ChainNonce, ChainSignature, ChainTransaction } from '../chain/entities.ts'
import { ChainCursor, ChainEvent, ChainMark } from '../chain/event-entities.ts'
import { Content, Dispute, DisputeEvent, DisputeVerdict } from '../disputes/entities.ts'
import { AuthChallenge, IdempotencyKey, RateWindow, RevokedToken } from '../http/entities.ts'
import { HookDelivery, PullRequest } from '../pull-requests/entities.ts'
import {
  Badge,
  ClaimIntent,
  Event,
  ReputationEvent,
  Session,
  SessionEvent,
  SubsidyReservation,
  Verification,
} from '../sessions/entities.ts'

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
