import { startLoop } from '../../activities/common/loop.ts'
import { createDeliverySources } from '../../activities/deliveries/sources.ts'
import { createDeliverySteps } from '../../activities/deliveries/steps.ts'
import { createDeliveryWaker } from '../../activities/deliveries/wake.ts'
import type { DeliveryActivities } from '../../schemas/deliveries/process.ts'
import type { WorkerSubject } from '../subjects.ts'

const PERIOD_MS = 1_000

export const subject = {
  activities: (deps): DeliveryActivities => createDeliverySteps({ ...deps, ...createDeliverySources(deps) }),
  background: (deps) => {
    const onFailure = (error: unknown) => deps.logger.warn({ err: error }, 'trackings of deliveries could not be started')
    return { loops: [startLoop({ round: createDeliveryWaker(deps), every: PERIOD_MS, onFailure })] }
  },
} satisfies WorkerSubject
