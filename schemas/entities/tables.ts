import type { InferKyselyDB } from '@mikro-orm/postgresql'
import { CatalogueVersion, Job, RewardBankReading } from './catalogue.ts'
import { ChainNonce, ChainSignature, ChainTransaction } from './chain.ts'
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
  Badge,
  ReputationEvent,
  SubsidyReservation,
  Event,
  ChainTransaction,
  ChainSignature,
  ChainNonce,
  IdempotencyKey,
  RateWindow,
  AuthChallenge,
  RevokedToken,
]

export const ROW_OPTIONS = { columnNamingStrategy: 'property', convertValues: true } as const
/** Row types of every table, in property names and JavaScript values. */
export type Tables = InferKyselyDB<(typeof ENTITIES)[number], typeof ROW_OPTIONS>
