import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'
import type { DeliveryKind, DeliveryState } from '../sessions/delivery-shapes.ts'
import type { DeliveryChange, DeliveryFacts } from './record.ts'

/** What a paid session delivered, and what became of it. One per session. */
export const TrackedDelivery = defineEntity({
  name: 'TrackedDelivery',
  properties: {
    sessionId: p.text().primary(),
    jobId: p.text(),
    /** Lower case. */
    wallet: p.text(),
    kind: p.text().$type<DeliveryKind>(),
    /** Address of the pull request or of the pinned revision. */
    address: p.text(),
    state: p.text().$type<DeliveryState>(),
    /** Time of the last change of state. */
    changedAt: instant(),
    trackedSince: instant(),
    /** Until when it may stay open. */
    deadlineAt: instant(),
    /** Until when a merge must last, or adopted texts must stand; null before. */
    confirmAt: instant().nullable(),
    /** Adopted texts that stood at every reading since the first; null before. */
    adopted: p.json<number[]>().nullable(),
    nextReadAt: instant(),
    /** Time of the last message to its process; null before the first. */
    wokenAt: instant().nullable(),
    /** Time from which its state stays. */
    endedAt: instant().nullable(),
    readings: p.integer(),
    failedReadings: p.integer(),
    /** Time of the last reading, also of a failed one. */
    readAt: instant().nullable(),
    /** Facts of the last reading that succeeded. */
    facts: p.json<DeliveryFacts>().nullable(),
    /** Why the last reading failed; null when it did not. */
    failure: p.text().nullable(),
    /** Every state with its time, the first included. */
    history: p.json<DeliveryChange[]>(),
  },
})
