import type { Logger } from 'pino'
import type { ChainClients } from '../../activities/chain/clients.ts'
import { quoteFees } from '../../activities/chain/journal/sign.ts'
import type { Clock } from '../../activities/common/clock.ts'
import { type Loop, startLoop } from '../../activities/common/loop.ts'
import type { Database } from '../../activities/database/database.ts'
import { TRANSFER_GAS } from '../../activities/paid-verification/payment/capture.ts'
import { summariseRuns } from '../../activities/paid-verification/records.ts'
import { createAlarm } from '../observability/alarm.ts'
import type { Metrics, Sample } from '../subjects.ts'

const PERIOD_MS = 10_000
/** Payments that the settler's balance must cover. */
const FEWEST_PAYMENTS = 20n
/** A payment is unknown for this long before it is an alarm, seconds: a chain that is up answers within a minute. */
const LATE_SECONDS = 300

export const RUN_METRICS = {
  verification_runs: { help: 'Stored runs of verification.', labels: ['profile', 'state'] },
  verification_captures_pending: { help: 'Runs whose payment is due and not decided by the chain.' },
  verification_captures_pending_oldest_seconds: { help: 'Age of the oldest of them since its result; 0 without one.' },
  verification_runs_uncollectable: { help: 'Stored runs whose payment can never be taken.', labels: ['reason'] },
  verification_settler_payments: { help: "Payments that the settler's native balance pays the fees of, at the current price." },
} satisfies Metrics

interface Deps {
  database: Database
  clock: Clock
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  /** The settler's address with the clients of the payment chain; null where this worker sends no payments. */
  settler: { address: `0x${string}`; clients: Pick<ChainClients, 'reader'> } | null
}

/** How many payments the settler can send; null where the chain does not say, or fees are nothing. */
const readPaymentsLeft = async ({ settler }: Deps): Promise<bigint | null> => {
  if (settler === null) return null
  const { reader } = settler.clients
  const [balance, { maxFeePerGas }] = await Promise.all([reader.getBalance({ address: settler.address }), quoteFees(reader)])
  return maxFeePerGas === 0n ? null : balance / (TRANSFER_GAS * maxFeePerGas)
}

/** Counts the runs, and raises alarms for payments that stay unknown and for a settler without money for fees. */
export const createRunWatch = (deps: Deps) => {
  const { database, clock, logger } = deps
  const alarm = createAlarm({ afterChecks: 2 })
  return async (): Promise<readonly Sample[]> => {
    const { runs, uncollectable, pending, oldestAt } = await summariseRuns(database.rows)
    const ageSeconds = oldestAt === null ? 0 : Math.max(0, Math.floor((clock.now() - oldestAt) / 1_000))
    const left = await readPaymentsLeft(deps).catch(() => null)
    alarm({
      subject: 'payments',
      cause: ageSeconds > LATE_SECONDS ? 'late' : null,
      raise: () => logger.error({ pending, ageSeconds }, 'payments of verification stay unknown'),
      end: () => logger.info('every payment of verification is decided in time again'),
    })
    alarm({
      subject: 'settler',
      cause: left !== null && left < FEWEST_PAYMENTS ? 'poor' : null,
      raise: () => logger.error({ payments: Number(left) }, 'the settler runs out of native coin for fees'),
      end: () => logger.info('the settler can pay its fees again'),
    })
    return [
      ...runs.map(({ profileRef, state, count }) => ({
        metric: 'verification_runs',
        labels: { profile: profileRef, state },
        value: count,
      })),
      ...uncollectable.map(({ reason, count }) => ({ metric: 'verification_runs_uncollectable', labels: { reason }, value: count })),
      { metric: 'verification_captures_pending', value: pending },
      { metric: 'verification_captures_pending_oldest_seconds', value: ageSeconds },
      ...(left === null ? [] : [{ metric: 'verification_settler_payments', value: Number(left) }]),
    ]
  }
}

/** Watches the runs; `readSamples` gives the values of the last round. */
export const startRunWatch = (deps: Deps): Pick<Loop<unknown>, 'stop'> & { readSamples(): readonly Sample[] } => {
  const round = createRunWatch(deps)
  let samples: readonly Sample[] = []
  const loop = startLoop({
    round: async () => {
      samples = await round()
    },
    every: PERIOD_MS,
    onFailure: (error) => deps.logger.warn({ err: error }, 'runs of verification could not be counted'),
  })
  return { stop: loop.stop, readSamples: () => samples }
}
