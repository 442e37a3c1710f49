// The table of the savings processes, and the points at which a worker or an API is killed in them.
import { readdirSync } from 'node:fs'
import { SEND } from '../points/places.ts'
import type { Trap } from '../trap.ts'
import type { Effect, OutsideEffect, ProcessRow } from './scenario.ts'

const folder = new URL('processes/', import.meta.url)
const files = readdirSync(folder).sort()
const modules = await Promise.all(files.map(async (file) => (await import(new URL(file, folder).href)) as object))

/** Every savings process by its workflow: the objects that the files of `processes/` export. The type of a row demands an effect for each activity. */
export const PROCESSES = Object.fromEntries(
  modules.flatMap((module) => Object.entries(module)).filter(([, exported]) => typeof exported === 'object'),
) as Record<string, ProcessRow>

/**
 * Moments of an effect. In the database alone an effect is recorded by its own commit, so "after the effect" and "before the record" are one
 * moment, `recorded`: the server has no result. A result that is lost with a workflow task is the same to the server. An effect in the middle of a
 * step or outside every step has no result: it is `committed`, or the call that it is was `sent` and the answer is lost.
 */
type Instant = 'begun' | 'signed' | 'broadcast' | 'written' | 'committed' | 'sending' | 'sent' | 'recorded'

const INSTANTS: Record<Instant, string> = {
  begun: 'the step has begun and done nothing',
  signed: 'its transaction is signed and stored, not broadcast',
  broadcast: 'its transaction is mined, the journal does not know',
  written: 'the effect is written and not committed, or its only statement has not left',
  committed: 'the effect is committed, and nothing that follows it has happened',
  sending: 'the call is about to leave',
  sent: 'the call is carried out, its answer is lost',
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
  /** Kind of service that is killed. */
  victim: Trap['in']
  /** Where it is met in the life with this key. */
  trapOf(key: string): Trap
  /** What is held up until it is met; null if nothing. */
  stallOf(key: string): Trap | null
}

type Outgoing = OutsideEffect['effect']

/** The two moments of something that leaves a service. */
const outgoingInstants = ({ on = 'sql' }: Outgoing) => (on === 'sql' ? (['written', 'committed'] as const) : (['sending', 'sent'] as const))

const trapOn = (service: Trap['in'], { on = 'sql', call, of, isAlone }: Outgoing, when: Trap['when'], key: string): Trap => ({
  ...{ in: service, on, when, call },
  // Of a call on chain the node receives the id without its prefix.
  of: [on === 'rpc' ? key.slice(2) : key, ...of],
  ...(on === 'sql' && { atCommit: isAlone !== true }),
})

const trapAt = (step: string, { record, transaction = [], input = [], result = [] }: Effect, instant: Instant, key: string): Trap => {
  const activity = { in: 'worker', on: 'activity', call: `^${step}$` } as const
  const send = { in: 'worker', on: 'rpc', call: SEND, of: [key.slice(2), ...transaction] } as const
  switch (instant) {
    case 'begun':
      return { ...activity, when: 'before', of: [key, ...input] }
    case 'signed':
      return { ...send, when: 'before' }
    case 'broadcast':
      return { ...send, when: 'after' }
    case 'written':
    case 'sending':
      return trapOn('worker', record, 'before', key)
    case 'committed':
    case 'sent':
      return trapOn('worker', record, 'after', key)
    case 'recorded':
      return { ...activity, when: 'after', of: [key, ...input, ...result] }
  }
}

const instantsOf = ({ transaction, record, isMidway = false }: Effect): Instant[] => {
  const [before, after] = outgoingInstants(record)
  if (isMidway) return [before, after]
  return [
    'begun',
    ...(transaction === undefined ? [] : (['signed', 'broadcast'] as const)),
    before,
    // Committed, it is recorded but for what the step does afterwards.
    ...(before === 'written' ? [] : [after]),
    'recorded',
  ]
}

/** The next signal of the chain that the follower sends to a process of the life. */
const noticeTo = (key: string): Trap => ({
  ...{ in: 'worker', on: 'engine', when: 'before' },
  ...{ call: '/Signal(WithStart)?WorkflowExecution$', of: [key] },
})

const named = (name: string, { name: beside }: { name?: string }): string => (beside === undefined ? name : `${name}-${beside}`)

const pointsOf = (process: string, step: string, effect: Effect): SavingsPoint[] =>
  instantsOf(effect).map((instant) => ({
    name: `${process}/${named(step, effect)}/${instant}`,
    when: INSTANTS[instant],
    ...{ instant, process, scenario: effect.scenario, act: effect.act, victim: 'worker' },
    trapOf: (key) => trapAt(step, effect, instant, key),
    stallOf: () => null,
  }))

const pointsOutside = (process: string, what: string, outside: OutsideEffect): SavingsPoint[] =>
  outgoingInstants(outside.effect).map((instant, index) => ({
    name: `${process}/${outside.in}-${named(what, outside)}/${instant}`,
    when: INSTANTS[instant],
    ...{ instant, process, scenario: outside.scenario, act: outside.act, victim: outside.in },
    trapOf: (key) => trapOn(outside.in, outside.effect, index === 0 ? 'before' : 'after', key),
    stallOf: (key) => (outside.aheadOf === undefined ? null : noticeTo(key)),
  }))

/** Every point of every step, and of what happens outside of them. */
export const SAVINGS_POINTS: readonly SavingsPoint[] = Object.entries(PROCESSES).flatMap(([process, { steps, outside = {} }]) => [
  ...Object.entries(steps).flatMap(([step, effects]) => effects.flatMap((effect) => pointsOf(process, step, effect))),
  ...Object.entries(outside).flatMap(([what, effects]) => effects.flatMap((effect) => pointsOutside(process, what, effect))),
])
