import { z } from 'zod'
import { closedShape } from '../operations/values.ts'

const Count = z.int().min(0)

export const DeliveryCountsShape = closedShape('DeliveryCounts', 'Deliveries of paid work by what became of them. They change no score.', {
  open: Count,
  merged: Count,
  closedUnmerged: Count,
  stale: Count.describe('Nothing became of them in time.'),
  reverted: Count,
})
