import { proxyActivities } from '@temporalio/workflow'
import type {
  ClaimChainActivities,
  ClaimOutcomeActivities,
  ClaimRecordActivities,
  ClaimSettlementActivities,
  ClaimSiblingActivities,
} from '../../schemas/claims/process.ts'
import type { VerdictReadActivities } from '../../schemas/verification/process.ts'
import { CHAIN_STEPS, RECORD_STEPS } from '../common/proxies.ts'

export const chain = proxyActivities<ClaimChainActivities & ClaimSettlementActivities & ClaimSiblingActivities>(CHAIN_STEPS)

export const records = proxyActivities<ClaimRecordActivities & ClaimOutcomeActivities & VerdictReadActivities>(RECORD_STEPS)
