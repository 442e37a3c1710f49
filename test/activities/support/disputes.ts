// Disputes of the service's own steps, without the engine.
import type { Hex } from 'viem'
import { findDecision, findDisputeOfSession, listEntries } from '../../../activities/disputes/rows.ts'
import { recordOperatorClose } from '../../../activities/sessions/close.ts'
import { getSession } from '../../../activities/sessions/records.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import type { ChainJobState } from '../../../schemas/chain/job-state.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { fund } from '../../contracts/support/jobs.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'
import { type Service, walletAt } from './service.ts'

export const NOTHING = { asset: 'USDC', raw: '0', decimals: 6, display: '0' }
export const BAD = { summary: 'Try again.', output: 'Sometimes.', status: 'complete' }
export const DAY = 86_400
export const REWARD = 2_000_000n
export const BOND = 250_000n
export const BY = `0x${'e'.repeat(40)}`
export const RATIONALE = 'The work was read against the whole task.'

export type Admitted = Awaited<ReturnType<Service['admission']['admitClaim']>>

export const word = ({ sessionId }: Admitted, verdict: string, more: object = {}) => ({
  sessionId,
  verdict,
  rationale: RATIONALE,
  by: BY,
  ...more,
})
export const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    if (isServiceError(error)) return error.code
    throw error
  }
  return 'taken'
}

/** Claims that are brought into a dispute step by step, as their process brings them, and what the records say of them. */
export const openDisputes = (service: () => Service) => {
  let count = 0
  const claimed = async (put: (jobId: string) => Promise<unknown> = async () => undefined, job: Partial<JobInputBody> = {}) => {
    count += 1
    const wallet = walletAt(500 + count)
    await fund(service().world, wallet, 10_000_000n)
    const jobId = await service().addJob(`disputed-${count}`, job)
    await put(jobId)
    const claim = { ...claimInput(jobId, { wallet, idempotencyKey: `${wallet}:${jobId}` }), runId: `dispute-run-${count}` }
    const admitted = await service().admission.admitClaim(claim)
    const bond = await service().steps.lockBond({ ...admitted, requestId: 'request-1' })
    await service().claims.recordClaim({ claim, admitted, bond })
    return admitted
  }
  /** Work that was handed in and judged by the machine. */
  const judged = async (owner?: Admitted, submission: unknown = BAD): Promise<Admitted> => {
    const admitted = owner ?? (await claimed())
    await service().claims.admitSubmission({ ...admitted, submission, requestId: 'request-2', protocol: 'http' })
    const landed = await service().steps.submitOnChain({ ...admitted, requestId: 'request-2', submitNumber: 1 })
    await service().claims.recordSubmission({ ...admitted, protocol: 'http', ...landed })
    return admitted
  }

  /** The machine's own verdict, and its consequence. */
  const decidedByMachine = async (admitted: Admitted) => {
    const { sessionId } = admitted
    const evaluated = { sessionId, runId: `verify-${admitted.runId}`, attempt: 1, requestedBy: 'test' }
    const result = await service().verifications.evaluateSubmission(evaluated)
    if (result.kind !== 'verdict') throw new Error('no verdict')
    await service().disputes.takeVerdict({ sessionId, verdictId: result.verdictId })
    return admitted
  }
  const rejected = async (owner?: Admitted) => decidedByMachine(await judged(owner))
  const inReview = async (owner?: Admitted) => {
    const admitted = await judged(owner)
    const { sessionId } = admitted
    const { verdictId } = await service().verifications.recordReviewRequired({ sessionId, runId: `verify-${admitted.runId}` })
    await service().disputes.takeVerdict({ sessionId, verdictId })
    return admitted
  }
  const disputed = async (owner?: Admitted) => {
    const admitted = await rejected(owner)
    await service().world.run(admitted.wallet as Hex, 'escrow', 'openDispute', admitted.chainJobId)
    await service().disputes.reconcileWithChain(admitted)
    return admitted
  }
  const liquidOf = async (wallet: string): Promise<bigint> => (await service().reads.walletFacts(wallet as Hex)).position.liquid
  const sessionOf = ({ sessionId }: Admitted) => getSession(service().rows, sessionId)
  const standing = ({ sessionId }: Admitted) => service().disputes.disputeStanding({ sessionId })
  const recordOf = async ({ sessionId }: Admitted) => {
    const dispute = await findDisputeOfSession(service().rows, sessionId)
    if (dispute === null) throw new Error('no dispute')
    const entries = (await listEntries(service().rows, [dispute.disputeId])).get(dispute.disputeId) ?? []
    return { dispute, decision: await findDecision(service().rows, dispute), actions: entries.map(({ action }) => action) }
  }
  const sent = async ({ sessionId }: Admitted, functionName: string) =>
    service()
      .rows.selectFrom('chain_transaction')
      .select('status')
      .where('sessionId', '=', sessionId)
      .where('functionName', '=', functionName)
      .execute()
  /** An operator closes the session with what the chain shows. */
  const closeByHand = ({ sessionId, wallet }: Admitted, observedState: ChainJobState) => {
    const observed = { observedState, observedWorker: wallet, blockNumber: '1', blockHash: '0x1', reward: NOTHING, released: NOTHING }
    const close = { sessionId, outcome: 'closed', note: 'Paid back by hand.', by: BY, at: service().clock.now(), observed } as const
    return service().database.transaction((rows) => recordOperatorClose(rows, close))
  }

  /** Carried out, and tried again as its process does: where the arbitrator sent by hand before, the first bytes may be dead. */
  const applied = (claim: Admitted): Promise<void> =>
    service()
      .disputes.applyDecision(claim)
      .catch(() => service().disputes.applyDecision(claim))

  return {
    claimed,
    judged,
    decidedByMachine,
    rejected,
    inReview,
    disputed,
    liquidOf,
    sessionOf,
    standing,
    recordOf,
    sent,
    closeByHand,
    applied,
  }
}
