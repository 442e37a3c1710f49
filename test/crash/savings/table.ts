// The table of the savings processes, and the points at which a worker is killed in them.
import { readdirSync } from 'node:fs'
import { SEND, sql } from '../points/places.ts'
import type { Trap } from '../trap.ts'
import type { Effect, ProcessRow } from './scenario.ts'

const folder = new URL('processes/', import.meta.url)
const files = readdirSync(folder).sort()
const modules = await Promise.all(files.map(async (file) => (await import(new URL(file, folder).href)) as object))

/** Every savings process by its workflow: the objects that the files of `processes/` export. The type of a row demands an effect for each activity. */
export const PROCESSES = Object.fromEntries(
  modules.flatMap((module) => Object.entries(module)).filter(([, exported]) => typeof exported === 'object'),
) as Record<string, ProcessRow>

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
  process: string
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

const pointsOf = (process: string, step: string, effect: Effect): SavingsPoint[] =>
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
  Object.entries(steps).flatMap(([step, effects]) => effects.flatMap((effect) => pointsOf(process, step, effect))),
)
