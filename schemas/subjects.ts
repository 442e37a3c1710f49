import { accounts } from './accounts/subject.ts'
import { audit } from './audit/subject.ts'
import { catalogue, catalogueAdmin } from './catalogue/subject.ts'
import { chain } from './chain/subject.ts'
import { claims } from './claims/subject.ts'
import { codehost } from './codehost/subject.ts'
import { merge } from './common/merge.ts'
import { common } from './common/subject.ts'
import { consents } from './consents/subject.ts'
import { content } from './content/subject.ts'
import { credit } from './credit/subject.ts'
import { crossChain } from './cross-chain/subject.ts'
import { database } from './database/subject.ts'
import { deliveries } from './deliveries/subject.ts'
import { directory } from './directory/subject.ts'
import { discovery } from './discovery/subject.ts'
import { disputes } from './disputes/subject.ts'
import { eligibility } from './eligibility/subject.ts'
import { eventStream } from './event-stream/subject.ts'
import { events } from './events/subject.ts'
import { health, healthAdmin } from './health/subject.ts'
import { http } from './http/subject.ts'
import { identity, identityAdmin } from './identity/subject.ts'
import { idleAllocation } from './idle-allocation/subject.ts'
import { ingestion } from './ingestion/subject.ts'
import { lanes } from './lanes/subject.ts'
import { lockedDeposits } from './locked-deposits/subject.ts'
import { oauth } from './oauth/subject.ts'
import { observability } from './observability/subject.ts'
import { outbound } from './outbound/subject.ts'
import { paidVerification } from './paid-verification/subject.ts'
import { pool } from './pool/subject.ts'
import { postingRehearsals, postings } from './postings/subject.ts'
import { pullRequests } from './pull-requests/subject.ts'
import { rebuild } from './rebuild/subject.ts'
import { receipts } from './receipts/subject.ts'
import { reputation } from './reputation/subject.ts'
import { sandbox } from './sandbox/subject.ts'
import { sessionLog } from './session-log/subject.ts'
import { sessions } from './sessions/subject.ts'
import { settlement } from './settlement/subject.ts'
import { shares } from './shares/subject.ts'
import { strategies } from './strategies/subject.ts'
import type { Subject } from './subject.ts'
import { temporal } from './temporal/subject.ts'
import { tools } from './tools/subject.ts'
import { verification } from './verification/subject.ts'
import { webhooks } from './webhooks/subject.ts'

/** Every subject. Operations stand in documents in this order. */
export const SUBJECTS = [
  common,
  database,
  outbound,
  sandbox,
  events,
  http,
  chain,
  codehost,
  observability,
  consents,
  identity,
  oauth,
  health,
  discovery,
  tools,
  settlement,
  catalogue,
  claims,
  eligibility,
  postings,
  postingRehearsals,
  sessions,
  sessionLog,
  eventStream,
  webhooks,
  verification,
  pullRequests,
  lanes,
  ingestion,
  deliveries,
  disputes,
  content,
  directory,
  shares,
  reputation,
  receipts,
  accounts,
  strategies,
  pool,
  credit,
  lockedDeposits,
  idleAllocation,
  crossChain,
  paidVerification,
  audit,
  rebuild,
  temporal,
  catalogueAdmin,
  identityAdmin,
  healthAdmin,
] as const

type Listed = (typeof SUBJECTS)[number]
/** What each subject has under a name: the value, or what it loads. */
type Part<Key extends keyof Subject, One = Listed> =
  One extends Readonly<Record<Key, infer Given>> ? (Given extends () => Promise<infer Loaded> ? Loaded : Given) : never
const subjects: readonly Subject[] = SUBJECTS

/** The settings of all subjects together. */
export const mergeSettings = () => merge(subjects.map(({ settings }) => settings ?? {}) as Part<'settings'>[])

/** Loads the operations, or the entities, of all subjects together. One after the other: many at once take memory that stays. */
export const loadMembers = async <const Key extends 'operations' | 'entities'>(key: Key) => {
  const parts: object[] = []
  for (const one of subjects) parts.push((await one[key]?.()) ?? {})
  return merge(parts as (Part<Key> & object)[])
}
