import type { WorkerSubject } from '../subjects.ts'
import { startEventRelay } from './event-relay.ts'

export const subject = {
  background: (deps) => ({ loops: [startEventRelay(deps)] }),
} satisfies WorkerSubject
