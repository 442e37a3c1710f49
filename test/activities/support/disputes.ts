// Disputes of the service's own steps, without the engine.
import type { Hex } from 'viem'
import { findDecision, findDisputeOfSession, listEntries } from '../../../activities/disputes/rows.ts'
import { recordOperatorClose } from '../../../activities/sessions/close.ts'
import { getSession } from '../../../activities/sessions/records.ts'
import { verdictCodeBytes } from '../../../domain/settlement/award.ts'
import { localKeys } from '../../../local/keys.ts'
import type { ChainJobState } from '../../../schemas/chain/job-state.ts'
import type { AdmittedClaim } from '../../../schemas/claims/process.ts'
import type { Service } from './service.ts'
import { BAD, openSettlements, ZERO_HASH } from './settlements.ts'

const NOTHING = { asset: 'USDC', raw: '0', decimals: 6, display: '0' }
export const DAY = 86_400
export const REWARD = 2_000_000n
export const BOND = 250_000n
export const BY = `0x${'e'.repeat(40)}`
export const RATIONALE = 'The work was read against the whole task.'
export const OVERTURN = { by: BY, note: 'The terms were read wrong.' }

export const word = ({ sessionId }: AdmittedClaim, verdict: string, more: object = {}) => ({
  sessionId,
  verdict,
  rationale: RATIONALE,
  by: BY,
  ...more,
})

/** Claims that are brought into a dispute step by step, as their process brings them, and what the records say of them. */
export const openDisputes = (service: () => Service) => {
  const settlements = openSettlements(service)
  const { submitted, rejected } = settlements

  /** A verdict that people must complete, not taken yet. */
  const reviewRequired = async (owner?: AdmittedClaim) => {
    const claim = owner ?? (await submitted(BAD))
    return { ...claim, ...(await service().verifications.recordReviewRequired({ ...claim, runId: `verify-${claim.runId}` })) }
  }
  const inReview = async (owner?: AdmittedClaim) => {
    const claim = await reviewRequired(owner && (await submitted(BAD, owner)))
    await service().disputes.takeVerdict(claim)
    return claim
  }
  const openedByWorker = async (claim: AdmittedClaim) => {
    await service().world.run(claim.wallet as Hex, 'escrow', 'openDispute', claim.chainJobId)
    await service().disputes.reconcileWithChain(claim)
  }
  const disputed = async (owner?: AdmittedClaim) => {
    const claim = await rejected(owner)
    await openedByWorker(claim)
    return claim
  }
  const overturned = async () => {
    const claim = await rejected()
    await service().disputes.overturnRejection({ sessionId: claim.sessionId, ...OVERTURN })
    return claim
  }
  const sessionOf = ({ sessionId }: AdmittedClaim) => getSession(service().rows, sessionId)
  const standing = ({ sessionId }: AdmittedClaim) => service().disputes.disputeStanding({ sessionId })
  const recordOf = async ({ sessionId }: AdmittedClaim) => {
    const dispute = await findDisputeOfSession(service().rows, sessionId)
    if (dispute === null) throw new Error('no dispute')
    const entries = (await listEntries(service().rows, [dispute.disputeId])).get(dispute.disputeId) ?? []
    return { dispute, decision: await findDecision(service().rows, dispute), entries, actions: entries.map(({ action }) => action) }
  }
  /** An operator closes the session with what the chain shows. */
  const closeByHand = ({ sessionId, wallet }: AdmittedClaim, observedState: ChainJobState) => {
    const observed = { observedState, observedWorker: wallet, blockNumber: '1', blockHash: '0x1', reward: NOTHING, released: NOTHING }
    const close = { sessionId, outcome: 'closed', note: 'Paid back by hand.', by: BY, at: service().clock.now(), observed } as const
    return service().database.transaction((rows) => recordOperatorClose(rows, close))
  }

  /** Carried out, and tried again as its process does: where the arbitrator sent by hand before, the first bytes may be dead. */
  const applied = (claim: AdmittedClaim): Promise<void> =>
    service()
      .disputes.applyDecision(claim)
      .catch(() => service().disputes.applyDecision(claim))

  /** The holder of a key decides directly on chain. */
  const judgedOnChain = ({ chainJobId }: AdmittedClaim, approved: boolean, by: string = localKeys().verifier.address) =>
    service().world.run(by as Hex, 'escrow', 'resolveSinglePayout', chainJobId, approved, ZERO_HASH, '', ZERO_HASH)
  const arbitratedOnChain = (
    { chainJobId }: AdmittedClaim,
    verdict: Parameters<typeof verdictCodeBytes>[0],
    payoutRaw: bigint,
    by: string = localKeys().arbitrator.address,
  ) => service().world.run(by as Hex, 'escrow', 'resolveDispute', chainJobId, payoutRaw, verdictCodeBytes(verdict), '')

  return {
    ...settlements,
    reviewRequired,
    inReview,
    openedByWorker,
    disputed,
    overturned,
    sessionOf,
    standing,
    recordOf,
    closeByHand,
    applied,
    judgedOnChain,
    arbitratedOnChain,
  }
}
