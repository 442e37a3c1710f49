import type { SearchAttributePair } from '@temporalio/common'
import { condition, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow'
import { BLOCKED, SEARCH } from '../../schemas/processes.ts'
import { failureCode, isRefusal } from './failures.ts'

const SHORTEST_RETRY_MS = 10 * 60 * 1000
/** Longest pause between two attempts of a blocked step. */
export const LONGEST_RETRY_MS = 3 * 60 * 60 * 1000

/**
 * Pause before a blocked step is tried again, ms: a tenth of the time it has been blocked, within 10 minutes and 3 hours. An attempt adds some
 * fifteen events to the history; one every ten minutes would reach the engine's limit within a month.
 */
export const retryDelayMs = (blockedMs: number): number => Math.min(Math.max(blockedMs / 10, SHORTEST_RETRY_MS), LONGEST_RETRY_MS)

/** What an operator sees of a process. */
export interface Shown {
  /** Value of `SEARCH.sessionState`. */
  state: string
  /** ISO 8601; null without a deadline. */
  deadlineAt: string | null
  details: string
  attributes?: SearchAttributePair[]
}

/** Search attributes and details of a process in the Temporal UI. Each change of attributes costs the engine a write. */
export const createOperatorView = () => {
  let current: Shown = { state: '', deadlineAt: null, details: '' }
  let published = ''

  const publish = ({ state, deadlineAt, details, attributes = [] }: Shown): void => {
    setCurrentDetails(details)
    const next = `${state} ${deadlineAt}`
    if (next === published) return
    published = next
    upsertSearchAttributes([
      ...attributes,
      { key: SEARCH.sessionState, value: state },
      { key: SEARCH.deadlineAt, value: deadlineAt === null ? null : new Date(deadlineAt) },
    ])
  }

  return {
    /** Shows where the process stands. */
    show: (shown: Shown): void => {
      current = shown
      publish(shown)
    },

    /** Shows where the process stands in its details, and in its search attributes only if they were published before. */
    describe: (shown: Shown): void => {
      current = shown
      if (published === '') setCurrentDetails(shown.details)
      else publish(shown)
    },

    /** Publishes what `describe` left out. */
    publish: (): void => publish(current),

    /**
     * Repeats a step until it is accepted. A refusal ends nothing: operators see the code, and the step is tried again after a growing pause.
     * The pause ends early when `changes` answers another number. The step gets the number of attempts before it.
     */
    retryUntilAccepted: async <T>(step: (attempts: number) => Promise<T>, changes: () => number = () => 0): Promise<T> => {
      let blockedSince: number | null = null
      for (let attempts = 0; ; attempts += 1) {
        try {
          const result = await step(attempts)
          if (blockedSince !== null) publish(current)
          return result
        } catch (error) {
          if (!isRefusal(error)) throw error
          blockedSince ??= Date.now()
          const delayMs = retryDelayMs(Date.now() - blockedSince)
          const minutes = Math.round(delayMs / 60_000)
          const details = `${current.details} Blocked by ${failureCode(error)}; next attempt in ${minutes} minutes.`
          publish({ ...current, state: BLOCKED, details: details.trimStart() })
          const seen = changes()
          await condition(() => changes() !== seen, delayMs)
        }
      }
    },
  }
}
export type OperatorView = ReturnType<typeof createOperatorView>
