// What the kill harness has to know of a process: how it is played, and what each of its steps does.
import type { Print } from '../prints/print.ts'
import type { Stage } from './stage.ts'

/** One life of a process, with its own wallet. */
export interface Scenario {
  /** Wallet or id in lower case that every effect of this life names, and no other life; empty for a life beside which no other one of its process is played. */
  key: string
  /** What people and time do, in order. Each ends when all its effects are recorded. */
  acts: Readonly<Record<string, () => Promise<void>>>
  /** What the life has left in the records and on chain, without ids and instants. */
  readEnd(): Promise<Print>
}

/** How a life begins, and what it leaves at least when nothing interrupts it: two lives with one fault would not differ. */
interface ScenarioRow {
  create(stage: Stage): Promise<Scenario>
  leaves: Print
}

/** Something that leaves a service, and texts that it holds beside the key: a statement, a call of the engine or one of the node. */
interface Outgoing {
  on?: 'sql' | 'engine' | 'rpc'
  call: string
  of: readonly string[]
  /** A statement that is no part of a longer transaction. */
  isAlone?: boolean
}

interface Placed {
  /** Name beside that of the step or request, where that has several effects. */
  name?: string
  /** Scenario and act in which it happens. */
  scenario: string
  act: string
}

/** An effect of a step. */
export interface Effect extends Placed {
  /** What records it. */
  record: Outgoing
  /** The step goes on after it: its begin and its end are those of another effect. */
  isMidway?: boolean
  /** Texts of its transaction on chain, beside the key; absent for an effect without one. */
  transaction?: readonly string[]
  /** Texts of the step's input, which tell this call of the step from others of the life. */
  input?: readonly string[]
  /** Texts of the step's result, which tell the effect from other results of the step. */
  result?: readonly string[]
}

/** An effect for the process outside its steps. */
export interface OutsideEffect extends Placed {
  /** Kind of service that brings it about. */
  in: 'api' | 'worker'
  effect: Outgoing
  /** Event of the chain: until the point is met the follower sends no signal to a process of the life, else the request finds all done. */
  aheadOf?: string
}

/** A process of the table: every activity with its effects, of which each has one at least. */
export interface ProcessRow<Activities = Record<string, unknown>> {
  scenarios: Readonly<Record<string, ScenarioRow>>
  steps: { readonly [step in keyof Activities]: readonly [Effect, ...Effect[]] }
  /** By operation or event: the requests that belong to the process, and what the follower tells it. */
  outside?: Readonly<Record<string, readonly [OutsideEffect, ...OutsideEffect[]]>>
}

/** The event of this topic is written with the effect. */
export const event = (topic: string): Effect['record'] => ({ call: '^insert into "event"', of: [topic] })
