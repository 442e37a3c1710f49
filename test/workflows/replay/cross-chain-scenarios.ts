import type { WorkflowHandle } from '@temporalio/client'
import { zeroHash } from 'viem'
import {
  type Observation,
  observeUpdate,
  requestChanged,
  retryUpdate,
  type SettlementStep,
  type WatchProgress,
} from '../../../schemas/cross-chain/process.ts'
import { DAY, type Engine, HOUR, MINUTE, until } from '../support/engine.ts'
import type { Scenario } from './scenario.ts'

type Way = Omit<Scenario, 'workflowType'>

const SECOND = 1_000
const isoAfter = (engine: Engine, milliseconds: number): string => new Date(engine.now() + milliseconds).toISOString()

/** An observation of an operator. */
export const CANCELLATION: Observation = {
  ...{ status: 'cancelled', settledAssets: '0', settledShares: '0', remoteRef: zeroHash, failureCode: zeroHash },
  ...{ source: 'operator', observedAt: '2026-01-01T00:00:00.000Z' },
}
export const OBSERVED: WatchProgress = { kind: 'observed', status: 'succeeded' }

/** A watch that is read again after 15 s. */
export const watches = (engine: Engine): WatchProgress => ({
  ...{ kind: 'watched', readAt: isoAfter(engine, 15 * SECOND), endsAt: isoAfter(engine, 15 * MINUTE), expected: '5', arrived: '0' },
})
export const queues = (engine: Engine): WatchProgress => ({ kind: 'queued', readAt: isoAfter(engine, 15 * SECOND) })
export const refuses = (engine: Engine, pauseMs = 15 * SECOND): SettlementStep => ({
  ...{ kind: 'refused', reason: 'ProtocolPaused', retryAt: isoAfter(engine, pauseMs) },
})

/** Plays one reading after the other; the last one stays. */
export const watch = ({ service }: Engine, ...progresses: WatchProgress[]): void => {
  let calls = 0
  service.replay({ advanceWatch: async () => progresses[Math.min(calls++, progresses.length - 1)] ?? OBSERVED })
}
/** Plays one try after the other; the last one stays. */
export const settle = ({ service }: Engine, ...steps: SettlementStep[]): void => {
  let calls = 0
  const settled: SettlementStep = { kind: 'settled', status: 'succeeded' }
  service.replay({ settleCrossChainRequest: async () => steps[calls++] ?? settled })
}
export const tries = ({ service }: Engine): number => service.callsOf('settleCrossChainRequest').length
/** Number of readings that a request began. */
export const reads = ({ service }: Engine): number => service.callsOf('advanceWatch').length

/** A request whose five tries are used up. */
export const parked = async (engine: Engine, requestId: string): Promise<WorkflowHandle> => {
  watch(engine, OBSERVED)
  settle(engine, ...Array.from({ length: 5 }, () => refuses(engine, 0)))
  const handle = await engine.beginRequest(requestId)
  await until(() => engine.service.callsOf('parkCrossChainRequest').length === 1)
  return handle
}

export const CROSS_CHAIN_REQUESTS: readonly Way[] = [
  {
    ending: 'request-settled-by-its-balance',
    result: { requestId: '0x01', status: 'succeeded' },
    through: { advanceWatch: 3, settleCrossChainRequest: 1, millisecondsUntil: 3 },
    play: async (engine) => {
      watch(engine, queues(engine), watches(engine), OBSERVED)
      const handle = await engine.beginRequest('0x01')
      await until(() => reads(engine) === 1)
      await engine.move(16 * SECOND)
      await until(() => reads(engine) >= 2)
      await engine.move(MINUTE)
      return handle
    },
  },
  {
    ending: 'request-ended-on-chain',
    result: { requestId: '0x02', status: 'failed' },
    through: { advanceWatch: 2 },
    play: async (engine) => {
      watch(engine, watches(engine), { kind: 'ended', status: 'failed' })
      const handle = await engine.beginRequest('0x02')
      await until(() => reads(engine) === 1)
      await handle.signal(requestChanged)
      return handle
    },
  },
  {
    ending: 'request-unknown-to-the-wrapper',
    result: { requestId: '0x03', status: 'unknown' },
    through: { advanceWatch: 1 },
    play: async (engine) => {
      watch(engine, { kind: 'unknown' })
      return engine.beginRequest('0x03')
    },
  },
  {
    ending: 'request-observed-by-an-operator',
    result: { requestId: '0x04', status: 'cancelled' },
    through: { advanceWatch: 2, recordObservation: 1, settleCrossChainRequest: 1 },
    play: async (engine) => {
      watch(engine, watches(engine), { kind: 'observed', status: 'cancelled' })
      settle(engine, { kind: 'settled', status: 'cancelled' })
      const handle = await engine.beginRequest('0x04')
      await until(() => reads(engine) === 1)
      await handle.executeUpdate(observeUpdate, { args: [CANCELLATION] })
      return handle
    },
  },
  {
    ending: 'request-parked-then-retried',
    result: { requestId: '0x05', status: 'succeeded' },
    through: { settleCrossChainRequest: 6, parkCrossChainRequest: 1 },
    play: async (engine) => {
      const handle = await parked(engine, '0x05')
      await engine.move(DAY)
      await handle.executeUpdate(retryUpdate, { args: [{ requestedBy: '0xadmin' }] })
      return handle
    },
  },
  {
    ending: 'request-settled-by-another-party',
    result: { requestId: '0x06', status: 'succeeded' },
    through: { settleCrossChainRequest: 2 },
    play: async (engine) => {
      watch(engine, OBSERVED)
      settle(engine, { kind: 'adapter_managed', retryAt: isoAfter(engine, 5 * MINUTE) })
      const handle = await engine.beginRequest('0x06')
      await until(() => tries(engine) === 1)
      await engine.move(HOUR)
      return handle
    },
  },
]
