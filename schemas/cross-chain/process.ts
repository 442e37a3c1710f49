import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { OutcomeStatus, UnclearReason } from './record.ts'

/** Workflow id of a cross-chain request (32 bytes hex, lower case). */
export const crossChainWorkflowId = (requestId: string): string => `xcm/${requestId}`

/** Start arguments of a cross-chain request. */
export interface CrossChainInput {
  v: 1
  /** 32 bytes hex, lower case. */
  requestId: string
}

/** What is known about the end of a request. Amounts as decimal digits in base units, the other numbers as 32 bytes hex. */
export interface Observation {
  status: OutcomeStatus
  settledAssets: string
  settledShares: string
  remoteRef: string
  failureCode: string
  source: string
  /** ISO 8601. */
  observedAt: string
}

/** The outcome of a request after an observation; `recorded` is false if the observation changed nothing. */
export interface RecordedObservation {
  recorded: boolean
}

/** Where the watch of a request stands. Instants in ISO 8601, amounts in base units as digits. */
export type WatchProgress =
  | { kind: 'unknown' }
  /** Another request of the wrapper is watched. */
  | { kind: 'queued'; readAt: string }
  | { kind: 'watched'; readAt: string; endsAt: string; expected: string; arrived: string }
  /** The request is one of another adapter, whose party settles it. */
  | { kind: 'adapter_managed'; readAt: string }
  /** The balance cannot decide: an operator has to observe the outcome. */
  | { kind: 'unclear'; reason: UnclearReason; readAt: string }
  | { kind: 'observed'; status: OutcomeStatus }
  | { kind: 'ended'; status: OutcomeStatus }

/** Result of one try to settle a request; instants in ISO 8601. */
export type SettlementStep =
  | { kind: 'settled'; status: OutcomeStatus }
  /** The contracts let another party settle the request. */
  | { kind: 'adapter_managed'; retryAt: string }
  /** `reason` is the name of the contract's error, or a code. */
  | { kind: 'refused'; reason: string; retryAt: string }

/** Activities of the chain: repeatable, each begins with a read of the request. */
export interface CrossChainActivities {
  /** Reads the watched balance and records the outcome when it decides or the time is over. The first call starts the watch. */
  advanceWatch(input: { requestId: string }): Promise<WatchProgress>
  /** Settles the recorded outcome on chain unless the request has ended there. `tries` counts this one, from 1. */
  settleCrossChainRequest(input: { requestId: string; tries: number }): Promise<SettlementStep>
}

/** Activities of the database. */
export interface CrossChainRecordActivities {
  /** Records an observation unless an equal, later or settled one is recorded. */
  recordObservation(input: { requestId: string; observation: Observation }): Promise<RecordedObservation>
  /** Marks a request whose tries are used up. */
  parkCrossChainRequest(input: { requestId: string; reason: string }): Promise<void>
}

/** The chain follower sends it after the request was queued or its status changed, and after the removal of such an event. */
export const requestChanged = defineSignal('requestChanged')

/** An operator's observation; it is settled like one of the observer. */
export const observeUpdate = defineUpdate<RecordedObservation, [Observation]>('observe')

/** Settles now, also after the tries are used up. Refused with `xcm_request_not_observed` before there is an outcome. */
export const retryUpdate = defineUpdate<SettlementStep, [{ requestedBy: string }]>('retry')

/** Where the request stands; null before the first reading. */
export const crossChainProgress = defineQuery<WatchProgress | SettlementStep | null>('crossChainProgress')
