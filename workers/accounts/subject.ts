import { createGasGrantSteps } from '../../activities/accounts/gas-grant.ts'
import type { GasGrantActivities } from '../../schemas/accounts/process.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = {
  activities: (deps): GasGrantActivities => createGasGrantSteps(deps),
} satisfies WorkerSubject
