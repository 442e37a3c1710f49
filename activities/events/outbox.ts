import { CHAIN_TOPICS } from '../../domain/chain/topics.ts'
import type { Rows } from '../database/database.ts'

/** Topics this release emits; an unknown topic does not type-check. Source: lifecycle, "Event stream". */
const TOPICS = {
  'session.claimed': { source: 'state', phase: 'session', severity: 'info' },
  'session.submitted': { source: 'state', phase: 'session', severity: 'info' },
  'session.expired': { source: 'state', phase: 'session', severity: 'info' },
  'session.closed': { source: 'state', phase: 'session', severity: 'info' },
  'funding.claim_lock_recorded': { source: 'settlement', phase: 'funding', severity: 'info' },
  'verification.resolved': { source: 'verification', phase: 'verification', severity: 'info' },
  'settlement.session_resolved': { source: 'settlement', phase: 'settlement', severity: 'info' },
  'settlement.session_rejected': { source: 'settlement', phase: 'settlement', severity: 'error' },
  'settlement.stake_release_recorded': { source: 'settlement', phase: 'settlement', severity: 'info' },
  'dispute.opened': { source: 'settlement', phase: 'dispute', severity: 'warn' },
  'dispute.verdict_recorded': { source: 'settlement', phase: 'dispute', severity: 'info' },
  'verifier.chain_state_diverged': { source: 'verification', phase: 'verification', severity: 'error' },
  'job.lifecycle_changed': { source: 'operator', phase: 'listing', severity: 'info' },
  'journey.auth_nonce_issued': { source: 'journey', phase: 'journey', severity: 'info' },
  'journey.auth_verified': { source: 'journey', phase: 'journey', severity: 'info' },
  ...CHAIN_TOPICS,
} as const

export type Topic = keyof typeof TOPICS

export interface NewEvent {
  topic: Topic
  /** Lower-case addresses that may see it. */
  wallets: string[]
  jobId?: string
  sessionId?: string
  correlationId?: string
  blockNumber?: bigint
  txHash?: string
  severity?: 'info' | 'warn' | 'error'
  at: number
  data: Record<string, unknown>
}

/** Appends to the outbox inside the transaction that changes the state. */
export const emit = async (rows: Rows, ...events: NewEvent[]): Promise<void> => {
  await rows
    .insertInto('event')
    .values(
      events.map((event) => ({
        seq: null,
        topic: event.topic,
        ...TOPICS[event.topic],
        ...(event.severity && { severity: event.severity }),
        correlationId: event.correlationId ?? event.sessionId ?? event.jobId ?? 'none',
        wallets: event.wallets,
        jobId: event.jobId ?? null,
        sessionId: event.sessionId ?? null,
        blockNumber: event.blockNumber ?? null,
        txHash: event.txHash ?? null,
        at: event.at,
        data: event.data,
      })),
    )
    .execute()
}
