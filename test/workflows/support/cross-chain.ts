import type { WorkflowHandle } from '@temporalio/client'
import { zeroHash } from 'viem'
import { type Observation, retryUpdate, type SettlementStep, type WatchProgress } from '../../../schemas/cross-chain/process.ts'
import { type Engine, inTurn, MINUTE, until } from './engine.ts'

const SECOND = 1_000
const isoAfter = (engine: Engine, milliseconds: number): string => new Date(engine.now() + milliseconds).toISOString()

/** An observation of an operator. */
export const CANCELLATION: Observation = {
  status: 'cancelled',
  settledAssets: '0',
  settledShares: '0',
  remoteRef: zeroHash,
  failureCode: zeroHash,
  source: 'operator',
  observedAt: '2026-01-01T00:00:00.000Z',
}
const OBSERVED: WatchProgress = { kind: 'observed', status: 'succeeded' }

/** A watch that is read again after 15 s. */
export const watches = (engine: Engine): WatchProgress => ({
  kind: 'watched',
  readAt: isoAfter(engine, 15 * SECOND),
  endsAt: isoAfter(engine, 15 * MINUTE),
  expected: '5',
  arrived: '0',
})
export const queues = (engine: Engine): WatchProgress => ({ kind: 'queued', readAt: isoAfter(engine, 15 * SECOND) })
export const refuses = (engine: Engine, pauseMs = 15 * SECOND): SettlementStep => ({
  kind: 'refused',
  reason: 'ProtocolPaused',
  retryAt: isoAfter(engine, pauseMs),
})

/** Plays one reading after the other; the last one stays. */
export const watch = ({ service }: Engine, ...progresses: WatchProgress[]): void => service.replay({ advanceWatch: inTurn(...progresses) })
/** Plays one attempt after the other; the ones after them settle the request. */
export const settle = ({ service }: Engine, ...steps: SettlementStep[]): void =>
  service.replay({ settleCrossChainRequest: inTurn<SettlementStep>(...steps, { kind: 'settled', status: 'succeeded' }) })
export const tries = ({ service }: Engine): number => service.callsOf('settleCrossChainRequest').length
/** Number of readings that a request began. */
export const reads = ({ service }: Engine): number => service.callsOf('advanceWatch').length

/** A request whose five attempts are used up. */
export const parked = async (engine: Engine, requestId: string): Promise<WorkflowHandle> => {
  watch(engine, OBSERVED)
  settle(engine, ...Array.from({ length: 5 }, () => refuses(engine, 0)))
  const handle = await engine.beginRequest(requestId)
  await until(() => engine.service.callsOf('parkCrossChainRequest').length === 1)
  return handle
}

/** An operator retries a parked request. */
export const retry = (handle: WorkflowHandle) => handle.executeUpdate(retryUpdate, { args: [{ requestedBy: '0xadmin' }] })
