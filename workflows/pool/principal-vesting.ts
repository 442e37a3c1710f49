import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import {
  depositsMoved,
  type VestingActivities,
  type VestingInput,
  type VestingProgress,
  vestingProgress,
} from '../../schemas/pool/process.ts'
import { waitUntilSettled } from '../common/deadline.ts'
import { createOperatorView } from '../common/operator-view.ts'
import { clock, RECORD_STEPS } from '../common/proxies.ts'

const records = proxyActivities<VestingActivities>(RECORD_STEPS)

/** Pause before records that are incomplete are read again. */
const UNREAD_RETRY_MS = 60_000

const describeProgress = (progress: VestingProgress): string => {
  if (progress.kind === 'unread') return `Waits for the records of the chain: ${progress.reason}.`
  const { waiting, vested, principal, next } = progress
  const summary = `${vested} of ${principal} vested.`
  if (waiting === 0) return `${summary} Nothing is left to vest.`
  return next === null
    ? `${summary} Deposits that an open loan delays: ${waiting}.`
    : `${summary} Deposits that have not vested: ${waiting}. The next, ${next.amount} of transaction ${next.txHash}, vests in full at ${next.at}.`
}

/**
 * Waits for the deposits of one wallet to vest and announces each. The numbers are those of the records and the vesting rule: a process that was
 * lost changes none of them, and the wallet's next event starts it again.
 */
export async function principalVesting(input: VestingInput): Promise<{ principal: string }> {
  const { wallet } = input
  const view = createOperatorView()
  let moved = false
  let progress: VestingProgress | null = null
  setHandler(depositsMoved, () => {
    moved = true
  })
  setHandler(vestingProgress, () => progress)
  while (!workflowInfo().continueAsNewSuggested) {
    moved = false
    progress = await records.advanceVesting({ wallet })
    const next = progress.kind === 'vesting' ? progress.next : null
    view.show({ state: progress.kind, deadlineAt: next?.at ?? null, details: describeProgress(progress) })
    if (progress.kind === 'vesting' && progress.waiting === 0 && !moved) return { principal: progress.principal }
    if (progress.kind === 'unread') await condition(() => moved, UNREAD_RETRY_MS)
    else if (next === null) await condition(() => moved || workflowInfo().continueAsNewSuggested)
    else await waitUntilSettled(next.readAt, () => moved, clock)
  }
  return continueAsNew<typeof principalVesting>(input)
}
