import { proxyActivities } from '@temporalio/workflow'
import type { DisputeChainActivities, DisputeRecordActivities, DisputeSiblingActivities } from '../../schemas/disputes/process.ts'
import { CHAIN_STEPS, RECORD_STEPS, SIGNAL_STEPS } from '../common/proxies.ts'

export const chain = proxyActivities<DisputeChainActivities>(CHAIN_STEPS)

export const records = proxyActivities<DisputeRecordActivities>(RECORD_STEPS)

export const siblings = proxyActivities<DisputeSiblingActivities>(SIGNAL_STEPS)
