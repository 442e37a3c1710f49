import type { Action } from './action.ts'
import { JOB_STEPS } from './jobs.ts'

/** Every action. */
export const ACTIONS: readonly Action[] = [...Object.values(JOB_STEPS)]
