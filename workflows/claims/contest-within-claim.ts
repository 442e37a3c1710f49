import { condition, sleep } from '@temporalio/workflow'
import type { SessionOutcome, VerdictToSettle } from '../../schemas/claims/process.ts'
import { settledBefore } from '../common/deadline.ts'
import { chain, records } from '../common/proxies.ts'

/** An open dispute is compared with the chain this often. */
const DISPUTE_WATCH_MS = 24 * 60 * 60 * 1000

/** What a claim lends to the way it went before disputes had a process of their own. */
export interface ClaimHands {
  runId: string
  insist: <T>(step: () => Promise<T>) => Promise<T>
  moveTo: (state: string, deadline: string | null, story: string) => void
  hasNews: () => boolean
  nextVerdict: () => string | undefined
  settle: (sessionId: string, verdict: VerdictToSettle) => Promise<SessionOutcome>
}

/**
 * A claim that began before disputes had a process of their own ends as it began: it waits out window and arbitration itself. No new
 * claim comes here; the file goes when no such run is left.
 */
export const contestWithinClaim = (sessionId: string, hands: ClaimHands) => {
  const { runId, insist, moveTo } = hands

  const ended = (status: string): SessionOutcome => {
    moveTo(status, null, `Ended: ${status}.`)
    return { sessionId, status }
  }

  const reject = async (verdict: VerdictToSettle): Promise<SessionOutcome> => {
    const { windowEndsAt } = await insist(() => chain.rejectOnChain({ runId, sessionId, verdictId: verdict.verdictId }))
    moveTo('rejected', windowEndsAt, `Rejected (${verdict.reasonCode}); a dispute can be opened until ${windowEndsAt}.`)
    const windowOver = new Date(Date.parse(windowEndsAt) + 1000).toISOString()
    await settledBefore(windowOver, () => false, records)
    const end = await insist(() => chain.endRejection({ runId, sessionId }))
    const outcome = await insist(() => records.recordRejectionEnd({ sessionId, end }))
    if (end.state === 'disputed') return await awaitArbitrator()
    moveTo(outcome.status, null, 'The rejection is final.')
    return outcome
  }

  /** The chain's arbitrator decides, and no verifier any more: the chain is asked each day. */
  const awaitArbitrator = async (): Promise<SessionOutcome> => {
    moveTo('disputed', null, 'Disputed on chain; the arbitrator decides.')
    for (;;) {
      const { status } = await insist(() => chain.observeDispute({ runId, sessionId }))
      if (status !== 'disputed') return ended(status)
      await sleep(DISPUTE_WATCH_MS)
    }
  }

  /** Waits for a later verdict or for what the chain says; asks the chain again each day. */
  const awaitDecision = async (story: string): Promise<SessionOutcome> => {
    moveTo('disputed', null, story)
    for (;;) {
      await condition(hands.hasNews, DISPUTE_WATCH_MS)
      const verdictId = hands.nextVerdict()
      const verdict = verdictId === undefined ? null : await records.readVerdict({ sessionId, verdictId })
      if (verdict?.outcome === 'approved') return await hands.settle(sessionId, verdict)
      if (verdict?.outcome === 'rejected') return await reject(verdict)
      const { status } = await insist(() => chain.observeDispute({ runId, sessionId }))
      if (status !== 'disputed') return ended(status)
    }
  }

  return async (verdict: VerdictToSettle): Promise<SessionOutcome> => {
    if (verdict.outcome === 'rejected') return await reject(verdict)
    await insist(() => records.recordReview({ sessionId, verdictId: verdict.verdictId }))
    return await awaitDecision(`Waiting for people: ${verdict.reasonCode}.`)
  }
}
