import type { InferKyselyDB } from '@mikro-orm/postgresql'
import { CatalogueVersion, Job, RewardBankReading } from './catalogue.ts'
import { ChainNonce, ChainSignature, ChainTransaction } from './chain.ts'
import { ChainCursor, ChainEvent, ChainMark } from './chain-events.ts'
import { HookDelivery, PullRequest } from './codehost.ts'
import { Content, Dispute, DisputeEvent, DisputeVerdict } from './dispute.ts'
import { AuthChallenge, IdempotencyKey, RateWindow, RevokedToken } from './door.ts'
import { Badge, ClaimIntent, Event, ReputationEvent, Session, SessionEvent, SubsidyReservation, Verification } from './session.ts'

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
