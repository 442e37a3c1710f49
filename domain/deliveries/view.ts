import type { Tables } from '../../schemas/entities/tables.ts'
import type { DeliveryState, DeliveryView } from '../../schemas/sessions/delivery-shapes.ts'
import { iso, isoOrNull } from '../common/instants.ts'
import { pick } from '../common/pick.ts'

type Delivery = Tables['tracked_delivery']

/** States of a delivery in words. */
const WORDS: Readonly<Record<Delivery['kind'], Readonly<Record<DeliveryState, string>>>> = {
  pull_request: {
    open: 'The pull request is open',
    merged: 'The pull request was merged',
    closed_unmerged: 'The pull request was closed without a merge',
    open_stale: 'The pull request was not merged in time',
    reverted: 'The pull request was merged and later reverted',
  },
  edit: {
    open: 'No proposed text has lasted in the article yet',
    merged: 'A proposed text stands in the article',
    closed_unmerged: 'The proposal was closed',
    open_stale: 'No proposed text was adopted in time',
    reverted: 'The adopted text was removed again',
  },
}

/** State of a delivery in words, for people. */
export const describeState = ({ kind, state }: Pick<Delivery, 'kind' | 'state'>): string => WORDS[kind][state]

/** What an operator reads of a delivery: its state, what comes next and whether it can be read. */
export const describeDelivery = (delivery: Delivery): string => {
  const { failure, failedReadings, readings, confirmAt, deadlineAt, endedAt } = delivery
  const read = `${readings - failedReadings} of ${readings} readings succeeded${failure === null ? '' : `; the last failed: ${failure}`}.`
  if (endedAt !== null) return `${describeState(delivery)}; ended. ${read}`
  const next = confirmAt === null ? `open until ${iso(deadlineAt)}` : `it must last until ${iso(confirmAt)}`
  return `${describeState(delivery)}; ${next}. ${read}`
}

/** What everyone may read of a delivery: no address, since that would tie an account of another site to the wallet. */
export const publicDelivery = (delivery: Delivery) => ({
  ...pick(delivery, 'kind', 'state'),
  since: iso(delivery.changedAt),
  isFinal: delivery.endedAt !== null,
  readAt: isoOrNull(delivery.readAt),
})

/** What the owner of the session and operators read of it. */
export const deliveryView = (delivery: Delivery): DeliveryView => ({
  ...publicDelivery(delivery),
  ...pick(delivery, 'address', 'readings', 'failedReadings', 'failure', 'facts'),
  deadlineAt: iso(delivery.deadlineAt),
  confirmAt: isoOrNull(delivery.confirmAt),
  nextReadAt: delivery.endedAt === null ? iso(delivery.nextReadAt) : null,
  history: delivery.history.map(({ at, ...change }) => ({ ...change, at: iso(at) })),
})

/** Deliveries of a worker by their states. */
export const deliveryCounts = (counts: Readonly<Record<DeliveryState, number>>) => ({
  open: counts.open,
  merged: counts.merged,
  closedUnmerged: counts.closed_unmerged,
  stale: counts.open_stale,
  reverted: counts.reverted,
})
