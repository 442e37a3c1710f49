import type { ClockActivities } from '../../schemas/processes.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = {
  activities: ({ clock }): ClockActivities => ({
    millisecondsUntil: async (instant) => Math.max(0, Date.parse(instant) - clock.now()),
  }),
} satisfies WorkerSubject
