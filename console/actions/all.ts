import type { Action } from './action.ts'
import { setJobState } from './jobs.ts'

/** Every action. */
export const ACTIONS: readonly Action[] = [...setJobState]
