import { defineQuery, defineSignal } from '@temporalio/workflow'
import type { DeliveryState } from '../sessions/delivery-shapes.ts'

/** Workflow id of the tracking of a session's delivery. */
export const deliveryWorkflowId = (sessionId: string): string => `delivery/${sessionId}`

/** Start arguments of a tracking. */
export interface DeliveryInput {
  v: 1
  sessionId: string
}

/** Where a delivery stands. */
export interface DeliveryProgress {
  state: DeliveryState
  /** ISO 8601: when it is read next; null once its state stays. */
  nextReadAt: string | null
  /** For operators: what was read and what comes next. */
  details: string
  isOver: boolean
}

export interface DeliveryActivities {
  /** Reads the delivery at its host, decides its state and records both. A repeat reads again; a delivery whose state stays is not read. */
  readDelivery(input: { sessionId: string }): Promise<DeliveryProgress>
}

/** The delivery may have changed, or is due: it is read at once. `deliveryId` is that of the code host's webhook, or `recovery`. */
export const deliveryChanged = defineSignal<[{ deliveryId: string }]>('deliveryChanged')

/** Where the delivery stands; null before the first reading. */
export const deliveryProgress = defineQuery<DeliveryProgress | null>('deliveryProgress')
