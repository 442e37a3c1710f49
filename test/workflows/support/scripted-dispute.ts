import { iso } from '../../../domain/common/instants.ts'
import { defaultSplitRaw } from '../../../domain/disputes/payout.ts'
import {
  arbitrationEndsAt,
  arbitrationRefusal,
  decisionState,
  disputeStatus,
  isAwaitingSignature,
  overturnRefusal,
  reviewRefusal,
} from '../../../domain/disputes/stage.ts'
import { parseVerdict } from '../../../domain/disputes/verdict-names.ts'
import { verdictCode } from '../../../domain/settlement/award.ts'
import type { DisputeChainActivities, DisputeRecordActivities } from '../../../schemas/disputes/process.ts'
import type { DisputeRecord, RoundDecision } from '../../../schemas/disputes/record.ts'
import type { DisputeOrigin, VerdictSource } from '../../../schemas/disputes/stages.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import type { SessionStatus } from '../../../schemas/sessions/record.ts'
import type { RoundVerdict } from '../../../schemas/sessions/verdicts.ts'
import type { VerdictToSettle } from '../../../schemas/verification/process.ts'

const REWARD = 1_000_000n
const HASH = `0x${'a'.repeat(64)}`

interface Contested {
  status: SessionStatus
  rejectedAt: number | null
  rejectionFinalizedAt: number | null
  dispute: DisputeRecord | null
  decision: RoundDecision | null
}

interface Stage {
  now: () => number
  statusOf: (sessionId: string) => SessionStatus
  setStatus: (sessionId: string, status: SessionStatus) => void
  verdictOf: (verdictId: string) => (VerdictToSettle & { sessionId: string }) | undefined
}

const wholeSecond = (epochMs: number): number => Math.floor(epochMs / 1000) * 1000

/** Records and chain of disputes, as if every step went well; the rules are those of the service. */
export const createScriptedDispute = ({ now, statusOf, setStatus, verdictOf }: Stage) => {
  const contested = new Map<string, Contested>()
  let arbitratorHeld = true
  /** Events directly on chain, which the next reconciliation applies. */
  const events = new Map<string, (sessionId: string) => void>()

  /** With the arbitrator whose key is held now. */
  const disputeOf = (sessionId: string): DisputeRecord | null => {
    const { dispute } = of(sessionId)
    return dispute === null ? null : { ...dispute, arbitrator: arbitratorHeld ? '0xa' : null }
  }
  const of = (sessionId: string): Contested => {
    const status = statusOf(sessionId)
    const known = contested.get(sessionId) ?? { status, rejectedAt: null, rejectionFinalizedAt: null, dispute: null, decision: null }
    contested.set(sessionId, known)
    known.status = status
    return known
  }
  const session = (sessionId: string) => {
    const { status, rejectedAt, rejectionFinalizedAt } = of(sessionId)
    return { status, timestamps: { rejectedAt, rejectionFinalizedAt } }
  }
  const move = (sessionId: string, status: SessionStatus): void => {
    of(sessionId).status = status
    setStatus(sessionId, status)
  }

  const open = (sessionId: string, stage: DisputeRecord['stage'], origin: DisputeOrigin): void => {
    const one = of(sessionId)
    const at = wholeSecond(now())
    one.decision = null
    one.dispute = {
      disputeId: `dispute-${sessionId}`,
      sessionId,
      jobId: 'job',
      chainJobId: HASH,
      claimant: '0xc',
      respondent: null,
      stage,
      origin,
      round: (one.dispute?.round ?? 0) + 1,
      status: 'open',
      reasonCode: 'HUMAN_REVIEW_REQUIRED',
      openedAt: at,
      deadlineAt: arbitrationEndsAt(at),
      isProofGated: false,
      proof: null,
      remainingRaw: REWARD,
      arbitrator: arbitratorHeld ? '0xa' : null,
      evidence: { before: {}, after: {} },
      evidenceHash: HASH,
      statementHash: null,
      statedAt: null,
      lastAlarmAt: null,
      updatedAt: at,
    }
    move(sessionId, 'disputed')
  }

  const decide = (
    sessionId: string,
    source: VerdictSource,
    verdict: RoundVerdict,
    payoutRaw: bigint | null,
    by: string,
  ): { round: number } => {
    const one = of(sessionId)
    if (one.dispute === null) throw new Error('no dispute')
    const { round } = one.dispute
    const transaction = { to: '0x', data: '0x', value: '0' as const, chainId: 1, function: 'resolveDispute', args: [] }
    const unsigned = source === 'arbitrator' && !arbitratorHeld && verdict !== 'timeout'
    one.decision = {
      round,
      source,
      verdict,
      reasonCode: verdictCode(verdict),
      workerPayoutRaw: payoutRaw,
      payoutSource: null,
      reasoningHash: null,
      verificationId: null,
      decidedBy: by,
      decisionRequestId: null,
      decidedAt: now(),
      preparation: unsigned ? { preparationId: `p${now()}`, preparedAt: iso(now()), transaction } : null,
      observed: null,
    }
    return { round }
  }

  const END: Record<RoundVerdict, SessionStatus> = {
    approved: 'resolved',
    dismissed: 'resolved',
    split: 'resolved',
    rejected: 'rejected',
    upheld: 'rejected',
    timeout: 'closed',
  }

  const settle = (sessionId: string, verdict: RoundVerdict, mismatch = false): void => {
    const one = of(sessionId)
    if (one.dispute !== null) one.dispute.status = 'resolved'
    const observed = { verdict, workerPayoutRaw: '0', by: '0xa', txHash: HASH, at: iso(now()), mismatch }
    if (one.decision !== null) one.decision = { ...one.decision, observed }
    if (verdict === 'rejected') one.rejectedAt = wholeSecond(now())
    if (verdict === 'upheld') one.rejectionFinalizedAt = now()
    move(sessionId, END[verdict])
  }

  const apply = (sessionId: string): void => {
    const { decision, dispute } = of(sessionId)
    if (decision === null || decision.observed !== null || dispute === null) return
    if (isAwaitingSignature(decision, arbitratorHeld)) dispute.stage = 'arbitration'
    else settle(sessionId, decision.verdict)
  }

  const records: DisputeRecordActivities & {
    readEnd(input: { sessionId: string }): Promise<{ sessionId: string; status: string } | null>
  } = {
    readEnd: async ({ sessionId }) => {
      const standing = disputeStatus(session(sessionId), of(sessionId).dispute, null)
      return standing.stage === 'final' ? { sessionId, status: standing.status } : null
    },
    disputeStanding: async ({ sessionId }) => {
      const { dispute, decision, status } = of(sessionId)
      const standing = disputeStatus(session(sessionId), disputeOf(sessionId), decision)
      return {
        stage: standing.stage,
        status,
        reasonCode: dispute?.reasonCode ?? status,
        deadlineAt: 'deadlineAt' in standing ? iso(standing.deadlineAt) : null,
        dueAt: 'dueAt' in standing ? iso(standing.dueAt) : null,
        timeoutOutcome: 'timeoutOutcome' in standing ? standing.timeoutOutcome : undefined,
        round: dispute?.round ?? 0,
        decision: decision === null ? 'none' : decisionState(decision, arbitratorHeld),
        title: 'Retry policy for a client',
        isBonded: true,
      }
    },
    recordArbitration: async ({ sessionId, verdict: word, supersedes, by }) => {
      const verdict = parseVerdict(word)
      if (verdict === null) throw new ServiceError('invalid_request')
      const [dispute, { decision }] = [disputeOf(sessionId), of(sessionId)]
      const refusal = arbitrationRefusal({ session: session(sessionId), dispute, decision, now: now() }, verdict, supersedes)
      if (refusal !== null) throw refusal
      return decide(sessionId, 'arbitrator', verdict, REWARD, by)
    },
    recordHumanVerdict: async ({ sessionId, verdict, by }) => {
      const refusal = reviewRefusal({ ...of(sessionId), session: session(sessionId) })
      if (refusal !== null) throw refusal
      return decide(sessionId, 'reviewer', verdict === 'approve' ? 'approved' : 'rejected', null, by)
    },
    recordLaterVerdict: async ({ sessionId, verdictId }) => {
      const outcome = verdictOf(verdictId)?.outcome
      if (reviewRefusal({ ...of(sessionId), session: session(sessionId) }) !== null) return false
      if (outcome !== 'approved' && outcome !== 'rejected') return false
      decide(sessionId, 'verifier', outcome, null, 'system:benchmark')
      return true
    },
    decisionAnswer: async ({ sessionId, round }) => {
      const { decision, status } = of(sessionId)
      if (decision?.observed?.mismatch) throw new ServiceError('dispute_already_decided')
      return { round, state: decision === null ? 'settled' : decisionState(decision, arbitratorHeld), status }
    },
    remindPeople: async () => undefined,
  }

  const chain: DisputeChainActivities = {
    takeVerdict: async ({ sessionId, verdictId }) => {
      if (of(sessionId).status !== 'submitted') return
      if (verdictOf(verdictId)?.outcome === 'rejected') {
        of(sessionId).rejectedAt = wholeSecond(now())
        move(sessionId, 'rejected')
      } else open(sessionId, 'review', 'review')
    },
    applyDecision: async ({ sessionId }) => apply(sessionId),
    applyTimeout: async ({ sessionId }) => {
      const { dispute, decision } = of(sessionId)
      const standing = disputeStatus(session(sessionId), disputeOf(sessionId), decision)
      if (standing.stage === 'final' || standing.stage === 'verdict' || now() < standing.dueAt) return
      if (standing.stage !== 'window' && decision !== null && !isAwaitingSignature(decision, arbitratorHeld)) return apply(sessionId)
      const { timeoutOutcome } = standing
      if (timeoutOutcome === 'finalize_rejection') {
        of(sessionId).rejectionFinalizedAt = now()
        return
      }
      if (timeoutOutcome === 'open_on_chain' && dispute !== null) {
        const at = wholeSecond(now())
        of(sessionId).dispute = { ...dispute, stage: 'arbitration', origin: 'platform', openedAt: at, deadlineAt: arbitrationEndsAt(at) }
        return
      }
      // The prepared decision is unsigned: the contract's rule wins over it.
      if (decision !== null) return settle(sessionId, 'timeout', true)
      decide(sessionId, 'timeout', timeoutOutcome === 'split_half' ? 'split' : 'timeout', defaultSplitRaw(REWARD), 'system:timeout')
      apply(sessionId)
    },
    reconcileWithChain: async ({ sessionId }) => {
      const happened = events.get(sessionId)
      events.delete(sessionId)
      happened?.(sessionId)
      return { again: false, behind: false }
    },
    overturnRejection: async ({ sessionId }) => {
      const refusal = overturnRefusal(session(sessionId), now())
      if (refusal !== null) throw refusal
      open(sessionId, 'arbitration', 'operator')
    },
  }

  return {
    records,
    chain,
    of,
    holdArbitratorKey: (held: boolean): void => {
      arbitratorHeld = held
    },
    /** The verifier rejects directly on chain, and a step finds it. */
    rejectElsewhere: (sessionId: string): void => {
      of(sessionId).rejectedAt = wholeSecond(now())
      move(sessionId, 'rejected')
    },
    /** Worker or poster disputes on chain: the next look sees it. */
    disputeOnChain: (sessionId: string): void => {
      events.set(sessionId, (id) => open(id, 'arbitration', 'participant'))
    },
    /** A fork took the dispute away, and a look found it. */
    takeBack: (sessionId: string): void => {
      const { dispute } = of(sessionId)
      if (dispute !== null) dispute.status = 'resolved'
      move(sessionId, 'rejected')
    },
    /** The arbitrator decides with its own transaction: the next look sees it. */
    decideOnChain: (sessionId: string, verdict: RoundVerdict): void => {
      events.set(sessionId, (id) => settle(id, verdict, of(id).decision !== null && of(id).decision?.verdict !== verdict))
    },
  }
}
