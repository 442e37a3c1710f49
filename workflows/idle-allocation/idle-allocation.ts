import { allHandlersFinished, condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import {
  type IdleAllocationInput,
  type IdleChainActivities,
  type IdleConsentProgress,
  type IdleRecordActivities,
  idleBalanceMoved,
  idleConsentUpdate,
  idleProgress,
  idleRevokeUpdate,
} from '../../schemas/idle-allocation/process.ts'
import { waitUntilSettled } from '../common/deadline.ts'
import { toUpdateFailure } from '../common/failures.ts'
import { createOperatorView } from '../common/operator-view.ts'
import { CHAIN_STEPS, clock, RECORD_STEPS } from '../common/proxies.ts'

const records = proxyActivities<IdleRecordActivities>(RECORD_STEPS)
const chain = proxyActivities<IdleChainActivities>(CHAIN_STEPS)

/**
 * Moves the idle balance of one wallet while its consent is active: at the consent, after each change of the balance, and for what one movement
 * left over. It ends with the consent; what is allocated stays until the wallet takes it back.
 */
export async function idleAllocation(input: IdleAllocationInput): Promise<{ consent: string }> {
  const { wallet } = input
  const view = createOperatorView()
  let changes = 0
  let progress: IdleConsentProgress | null = null

  setHandler(idleConsentUpdate, async (consent) => {
    try {
      await records.recordIdleConsent({ wallet, ...consent })
    } catch (refusal) {
      throw toUpdateFailure(refusal)
    } finally {
      changes += 1
    }
  })
  setHandler(idleRevokeUpdate, async () => {
    await records.revokeIdleConsent({ wallet })
    changes += 1
  })
  setHandler(idleBalanceMoved, () => {
    changes += 1
  })
  setHandler(idleProgress, () => progress)

  while (!workflowInfo().continueAsNewSuggested) {
    await condition(allHandlersFinished)
    const seen = changes
    const hasChanged = (): boolean => changes !== seen
    progress = await records.readIdleConsent({ wallet })
    const { expiresAt, details } = progress
    view.show({ state: expiresAt === null ? 'ended' : 'active', deadlineAt: expiresAt, details })
    if (expiresAt === null) {
      if (hasChanged() || !allHandlersFinished()) continue
      return { consent: details }
    }
    const { againAt } = await view.retryUntilAccepted(
      () => chain.moveIdleBalance({ wallet }),
      () => changes,
    )
    const until = againAt !== null && againAt < expiresAt ? againAt : expiresAt
    await waitUntilSettled(until, hasChanged, clock)
  }
  await condition(allHandlersFinished)
  return continueAsNew<typeof idleAllocation>(input)
}
