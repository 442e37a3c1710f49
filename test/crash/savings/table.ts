// The table of the savings processes, and the points at which a worker is killed in them.
import type * as workflows from '../../../workflows/index.ts'
import { SEND, sql } from '../points/places.ts'
import type { Trap } from '../trap.ts'
import { contentDisclosure } from './processes/content-disclosure.ts'
import { crossChainRequest } from './processes/cross-chain.ts'
import { gasGrant } from './processes/gas-grant.ts'
import { idleAllocation } from './processes/idle-allocation.ts'
import { lockedDeposit } from './processes/locked-deposit.ts'
import { principalVesting } from './processes/principal-vesting.ts'
import type { Effect, ProcessRow } from './scenario.ts'

/** Processes of the other crash points, those that repeat the same work for ever, and webhooks, which the storm has. */
type Elsewhere = 'claimSession' | 'dispute' | 'verifierRun' | 'chainFollower' | 'audit' | 'sessionLog' | 'webhook'
type SavingsProcess = Exclude<keyof typeof workflows, Elsewhere>

/** Every savings process. The type check fails for a workflow without a row, and for an activity without an effect. */
export const PROCESSES = {
  contentDisclosure,
  gasGrant,
  principalVesting,
  lockedDeposit,
  idleAllocation,
  crossChainRequest,
} satisfies Record<SavingsProcess, unknown> as Record<SavingsProcess, ProcessRow>

/**
 * Moments of an effect. In the database alone an effect is recorded by its own commit, so "after the effect" and "before the record" are one
 * moment, `recorded`: the server has no result. A result that is lost with a workflow task is the same to the server.
 */
type Instant = 'begun' | 'signed' | 'broadcast' | 'written' | 'recorded'

const INSTANTS: Record<Instant, string> = {
  begun: 'the step has begun and done nothing',
  signed: 'its transaction is signed and stored, not broadcast',
  broadcast: 'its transaction is mined, the journal does not know',
  written: 'the effect is written and not committed, or its only statement has not left',
  recorded: 'the effect is recorded, the server has no result',
}

/** A moment of an effect of a step of a process. */
export interface SavingsPoint {
  name: string
  when: string
  instant: Instant
  process: SavingsProcess
  scenario: string
  act: string
  /** Where it is met in the life with this key. */
  trapOf(key: string): Trap
}

const trapAt = (step: string, { record, transaction = [], result = [] }: Effect, instant: Instant, key: string): Trap => {
  const activity = { in: 'worker', on: 'activity', call: `^${step}$` } as const
  const send = { in: 'worker', on: 'rpc', call: SEND, of: [key.slice(2), ...transaction] } as const
  switch (instant) {
    case 'begun':
      return { ...activity, when: 'before', of: [key] }
    case 'signed':
      return { ...send, when: 'before' }
    case 'broadcast':
      return { ...send, when: 'after' }
    case 'written':
      return sql('worker', { when: 'before', atCommit: record.isAlone !== true, call: record.call, of: [key, ...record.of] })
    case 'recorded':
      return { ...activity, when: 'after', of: [key, ...result] }
  }
}

const instantsOf = ({ transaction }: Effect): Instant[] => [
  'begun',
  ...(transaction === undefined ? [] : (['signed', 'broadcast'] as const)),
  'written',
  'recorded',
]

const pointsOf = (process: SavingsProcess, step: string, effect: Effect): SavingsPoint[] =>
  instantsOf(effect).map((instant) => ({
    name: `${process}/${step}${effect.name === undefined ? '' : `-${effect.name}`}/${instant}`,
    when: INSTANTS[instant],
    instant,
    process,
    scenario: effect.scenario,
    act: effect.act,
    trapOf: (key) => trapAt(step, effect, instant, key),
  }))

/** Every point of every step. */
export const SAVINGS_POINTS: readonly SavingsPoint[] = Object.entries(PROCESSES).flatMap(([process, { steps }]) =>
  Object.entries(steps).flatMap(([step, effects]) => effects.flatMap((effect) => pointsOf(process as SavingsProcess, step, effect))),
)
