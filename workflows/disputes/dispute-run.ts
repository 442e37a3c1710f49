import { Mutex } from 'async-mutex'
import { describeTimeout } from '../../domain/disputes/timeouts.ts'
import type { DisputeStatusView } from '../../schemas/disputes/process.ts'
import { createOperatorView, type OperatorView } from '../common/operator-view.ts'

/** Events that arrived and are not consumed yet. */
interface PendingEvents {
  /** A chain event about the job; true at the start, since nothing reported events before the run began. */
  chainChanged: boolean
  verdictIds: string[]
}

/** One running dispute process. */
export interface DisputeRun {
  sessionId: string
  /** Where the session stands by its record; null before the first reading. */
  status: DisputeStatusView | null
  events: PendingEvents
  /** Counts messages; a wait ends when it grows. */
  messages: number
  /** Held by every step, readings of record and clock included: a decision and the process act on the record one after the other. */
  mutex: Mutex
  /** Runs of the profile for verdicts. */
  proofs: number
  /** Newest round whose decision was carried out, or prepared for a signature. */
  appliedRound: number
  /** Code with which the last decision was refused; null when it was accepted. */
  refusedCode: string | null
  view: OperatorView
}

export const createDisputeRun = (sessionId: string): DisputeRun => ({
  sessionId,
  status: null,
  events: { chainChanged: true, verdictIds: [] },
  messages: 0,
  mutex: new Mutex(),
  proofs: 0,
  appliedRound: 0,
  refusedCode: null,
  view: createOperatorView(),
})

const WAITS_FOR: Record<DisputeStatusView['stage'], string> = {
  verdict: 'the first verdict',
  review: 'a verdict of people',
  window: 'a dispute on chain',
  arbitration: 'the arbitrator',
  final: 'nothing',
}

/** Who has to act, and what happens at the deadline otherwise. */
export const waitsFor = ({ stage, decision, timeoutOutcome, isBonded }: DisputeStatusView): string => {
  if (decision === 'decided') return 'the chain'
  const awaited = decision === 'prepared' ? 'the arbitrator’s signature' : WAITS_FOR[stage]
  return timeoutOutcome === undefined ? awaited : `${awaited}; otherwise ${describeTimeout(timeoutOutcome, isBonded)}`
}

/** Shows operators where the session stands. */
export const showStatus = ({ view, refusedCode }: DisputeRun, status: DisputeStatusView): void => {
  const { stage, deadlineAt, reasonCode, title } = status
  if (stage === 'final') {
    view.show({ state: status.status, deadlineAt: null, details: `Ended: ${status.status}.` })
    return
  }
  const refused = refusedCode === null ? '' : ` The last decision was refused: ${refusedCode}.`
  const deadline = deadlineAt === null ? '' : ` Deadline: ${deadlineAt}.`
  const details = `“${title}”: ${reasonCode}. Waiting for ${waitsFor(status)}.${deadline}${refused}`
  view.show({ state: stage === 'window' ? 'rejected' : stage, deadlineAt, details })
}
