import { allHandlersFinished, condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import {
  balanceMoved,
  type LockChainActivities,
  type LockedDepositInput,
  type LockProgress,
  type LockRecordActivities,
  lockOpenedUpdate,
  lockProgress,
  requestExitUpdate,
} from '../../schemas/locked-deposits/process.ts'
import { waitUntilSettled } from '../common/deadline.ts'
import { failureCode, isRefusal, toUpdateFailure } from '../common/failures.ts'
import { createOperatorView } from '../common/operator-view.ts'
import { CHAIN_STEPS, clock, RECORD_STEPS } from '../common/proxies.ts'

const records = proxyActivities<LockRecordActivities>(RECORD_STEPS)
const chain = proxyActivities<LockChainActivities>(CHAIN_STEPS)

const describeLock = ({ status, until, amount, tier, releaseReason }: LockProgress): string => {
  if (status === 'active') return `${amount} is locked (${tier}) until ${until}.`
  if (status === 'exiting') return `${amount} leaves early (${tier}); it is released at ${until}.`
  return `${amount} was released (${tier}) at ${until}: ${releaseReason}.`
}

/** A locked deposit from its consent to its release, at the end of its term or 48 hours after an early exit. */
export async function lockedDeposit(input: LockedDepositInput): Promise<{ status: string }> {
  const { id, consent } = input
  const view = createOperatorView()
  let opened: { refusal: unknown } | null = null
  let progress: LockProgress | null = null
  let exited = false
  let moved = false

  const untilOpened = async (): Promise<void> => {
    await condition(() => opened !== null)
    if (opened?.refusal != null) throw toUpdateFailure(opened.refusal)
  }
  setHandler(lockOpenedUpdate, untilOpened)
  setHandler(requestExitUpdate, async () => {
    await untilOpened()
    await records.exitLock({ id })
    exited = true
  })
  setHandler(balanceMoved, () => {
    moved = true
  })
  setHandler(lockProgress, () => progress)

  try {
    if (consent !== null) {
      await chain.openLock({ id, ...consent })
      // A withdrawal that was mined meanwhile found no lock to signal.
      moved = true
    }
    opened = { refusal: null }
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal
    const code = failureCode(refusal)
    opened = { refusal }
    view.show({ state: 'refused', deadlineAt: null, details: `Refused: ${code}.` })
    await condition(allHandlersFinished)
    return { status: `refused:${code}` }
  }

  while (moved || !workflowInfo().continueAsNewSuggested) {
    exited = false
    if (moved) {
      moved = false
      await chain.exitUncoveredLock({ id })
    }
    progress = await records.advanceLock({ id })
    const { status, until } = progress
    view.show({ state: status, deadlineAt: status === 'released' ? null : until, details: describeLock(progress) })
    if (status === 'released') {
      await condition(allHandlersFinished)
      return { status }
    }
    await waitUntilSettled(until, () => exited || moved, clock)
  }
  await condition(allHandlersFinished)
  return continueAsNew<typeof lockedDeposit>({ ...input, consent: null })
}
