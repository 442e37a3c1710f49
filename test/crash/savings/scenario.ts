// What the kill harness has to know of a process: how it is played, and what each of its steps does.
import type { Print } from '../prints/print.ts'
import type { Stage } from './stage.ts'

/** One life of a process, with its own wallet. */
export interface Scenario {
  /** Wallet or id in lower case that every effect of this life names, and no other life. */
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

/** An effect of a step. */
export interface Effect {
  /** Name beside that of the step, where the step has several effects. */
  name?: string
  /** Scenario and act in which it happens. */
  scenario: string
  act: string
  /** Statement that records it, and texts that it holds; `isAlone` if it is no part of a longer transaction. */
  record: { call: string; of: readonly string[]; isAlone?: boolean }
  /** Texts of its transaction on chain, beside the key; absent for an effect in the database alone. */
  transaction?: readonly string[]
  /** Texts of the step's result, which tell the effect from other results of the step. */
  result?: readonly string[]
}

/** A process of the table: every activity with its effects, of which each has one at least. */
export interface ProcessRow<Activities = Record<string, unknown>> {
  scenarios: Readonly<Record<string, ScenarioRow>>
  steps: { readonly [step in keyof Activities]: readonly [Effect, ...Effect[]] }
}

/** The event of this topic is written with the effect. */
export const event = (topic: string): Effect['record'] => ({ call: '^insert into "event"', of: [topic] })
