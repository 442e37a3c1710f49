// Claims and settlements by the service's own steps, without the engine.
import { expect } from '@jest/globals'
import type { Hex } from 'viem'
import type { AdmittedClaim, ClaimInput } from '../../../schemas/claims/process.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { fund } from '../../contracts/support/jobs.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'
import { type Service, walletAt } from './service.ts'

export const GOOD = { summary: 'Exponential backoff with jitter.', output: 'A retry budget bounds the load.', status: 'complete' }
export const BAD = { summary: 'Try again.', output: 'Sometimes.', status: 'complete' }
export const HOUR = 3_600
export const ZERO_HASH = `0x${'0'.repeat(64)}`

/** Code of the refusal; `taken` where the work was not refused. */
export const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    if (isServiceError(error)) return error.code
    throw error
  }
  return 'taken'
}

export type Judged = AdmittedClaim & { verdictId: string; outcome: string }

/** Claims that are made and judged step by step, as their process makes them, and what the records say of them. */
export const openSettlements = (service: () => Service) => {
  let count = 0
  /** A claim of a new job by a new wallet that has money for its bond, as far as the admission. */
  const admit = async (changes: Partial<ClaimInput> & { poor?: boolean } = {}) => {
    const { poor = false, ...claimed } = changes
    count += 1
    const wallet = walletAt(count)
    if (!poor) await fund(service().world, wallet, 10_000_000n)
    const jobId = claimed.jobId ?? (await service().addJob(`job-${count}`))
    const claim = { ...claimInput(jobId, { wallet, idempotencyKey: `${wallet}:${jobId}`, ...claimed }), runId: `run-${count}` }
    return { claim, admitted: await service().admission.admitClaim(claim) }
  }

  const bondInput = (admitted: AdmittedClaim) => ({ ...admitted, requestId: 'request-1' })
  const claimed = async (changes?: Partial<ClaimInput>) => {
    const one = await admit(changes)
    const bond = await service().steps.lockBond(bondInput(one.admitted))
    await service().claims.recordClaim({ ...one, bond })
    return { ...one.admitted, bond }
  }

  const submissionOf = (claim: AdmittedClaim) => ({ ...claim, requestId: 'request-2', submitNumber: 1 })
  /** Claimed, with a submission that is not on chain yet. */
  const offered = async (submission: unknown = GOOD, owner?: AdmittedClaim) => {
    const claim = owner ?? (await claimed())
    await service().claims.admitSubmission({ ...claim, submission, requestId: 'request-2', protocol: 'http' })
    return claim
  }
  const submitted = async (submission?: unknown, owner?: AdmittedClaim) => {
    const claim = await offered(submission, owner)
    await service().claims.recordSubmission({ ...claim, protocol: 'http', ...(await service().steps.submitOnChain(submissionOf(claim))) })
    return claim
  }

  /** The verdict of the job's verifier in a run. */
  const evaluate = async ({ sessionId, runId }: AdmittedClaim, run = `verify-${runId}`) => {
    const result = await service().verifications.evaluateSubmission({ sessionId, runId: run, attempt: 1, requestedBy: 'test' })
    if (result.kind !== 'verdict') throw new Error('no verdict')
    return { sessionId, verdictId: result.verdictId, outcome: result.outcome }
  }
  const judged = async (submission?: unknown, owner?: AdmittedClaim): Promise<Judged> => {
    const claim = await submitted(submission, owner)
    return { ...claim, ...(await evaluate(claim)) }
  }
  const rejected = async (owner?: AdmittedClaim) => {
    const claim = await judged(BAD, owner)
    await service().disputes.takeVerdict(claim)
    return claim
  }
  const paid = async () => {
    const claim = await judged()
    await service().steps.settleApproval(claim)
    return claim
  }

  const liquidOf = async (wallet: string): Promise<bigint> => (await service().reads.walletFacts(wallet as Hex)).position.liquid
  /** What a step adds to the liquid balance of the worker. */
  const gained = async ({ wallet }: AdmittedClaim, step: () => Promise<unknown>): Promise<bigint> => {
    const before = await liquidOf(wallet)
    await step()
    return (await liquidOf(wallet)) - before
  }
  const sent = ({ sessionId }: Pick<AdmittedClaim, 'sessionId'>, functionName: string) =>
    service()
      .rows.selectFrom('chain_transaction')
      .selectAll()
      .where('sessionId', '=', sessionId)
      .where('functionName', '=', functionName)
      .orderBy('nonce')
      .execute()
  const rowsOf = async (table: 'badge' | 'reputation_event', { sessionId }: AdmittedClaim): Promise<number> =>
    (await service().rows.selectFrom(table).select('sessionId').where('sessionId', '=', sessionId).execute()).length

  /** A job that stands open on chain, since the worker of its first claim could not pay the bond. */
  const openOnChain = async (): Promise<string> => {
    const { admitted } = await admit({ poor: true })
    expect(await codeOf(service().steps.lockBond(bondInput(admitted)))).toBe('insufficient_liquidity')
    await service().admission.releaseClaim({ runId: admitted.runId, code: 'insufficient_liquidity' })
    return admitted.jobId
  }

  return {
    admit,
    bondInput,
    claimed,
    submissionOf,
    offered,
    submitted,
    evaluate,
    judged,
    rejected,
    paid,
    openOnChain,
    liquidOf,
    gained,
    sent,
    rowsOf,
  }
}
