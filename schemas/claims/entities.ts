import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'
import type { ClaimStage, JobSnapshot, SessionAdmission, SessionProtocol } from '../sessions/record.ts'

/** An admitted claim with its exact terms, written before the first transaction. At most one open row per job. */
export const ClaimIntent = defineEntity({
  name: 'ClaimIntent',
  properties: {
    /** Run id of the claim workflow; one run is one attempt. */
    runId: p.text().primary(),
    jobId: p.text(),
    wallet: p.text(),
    sessionId: p.text(),
    attempt: p.integer(),
    status: p.text().$type<'open' | 'recorded' | 'released'>(),
    stage: p.text().$type<ClaimStage>(),
    /** Pinned before anything is sent. */
    terms: p.json<{
      snapshot: JobSnapshot
      admission: SessionAdmission
      waived: boolean
      waiverClaimsPerWallet: number
      /** Most open pull requests of the repository that the claim was admitted under; null without a cap. */
      openPrCap: number | null
    }>(),
    exposureRaw: rawAmount(),
    subsidyRaw: rawAmount(),
    bondRaw: rawAmount(),
    /** Bond without a waiver: the most that the claim can lock. */
    unwaivedBondRaw: rawAmount(),
    /** Grant of the delegate that claimed; null for the wallet itself and for service tokens. */
    grantId: p.text().nullable(),
    /** Claims of the wallet that the escrow counted when the claim was evaluated. */
    claimCount: p.integer(),
    idempotencyKey: p.text(),
    requestId: p.text().nullable(),
    failureCode: p.text().nullable(),
    createdAt: instant(),
    closedAt: instant().nullable(),
  },
})

/** Onboarding subsidy of a waived, brokered claim. One row per session, summed per UTC day. */
export const SubsidyReservation = defineEntity({
  name: 'SubsidyReservation',
  properties: {
    sessionId: p.text().primary(),
    runId: p.text(),
    wallet: p.text(),
    day: p.text(),
    amountRaw: rawAmount(),
    createdAt: instant(),
  },
})

/** A claim that the service asked a wallet to send. Once mined in time it is admitted, whatever changed meanwhile. One row per job and wallet. */
export const ClaimOffer = defineEntity({
  name: 'ClaimOffer',
  properties: {
    jobId: p.text().primary(),
    wallet: p.text().primary(),
    /** Grant of the delegate that asked; null for every other caller. */
    grantId: p.text().nullable(),
    requestId: p.text(),
    protocol: p.text().$type<SessionProtocol>(),
    /** Measurements of the gates that it passed. */
    admission: p.json<SessionAdmission>(),
    /** Last time that it was handed out. */
    createdAt: instant(),
  },
})

/** Work that was checked before its worker sends its hash, so that the service has it once the hash is on chain. */
export const SubmissionOffer = defineEntity({
  name: 'SubmissionOffer',
  properties: {
    sessionId: p.text().primary(),
    evidenceHash: p.text().primary(),
    /** The submission as the worker sent it. */
    work: p.json<{ submission: unknown }>(),
    protocol: p.text().$type<SessionProtocol>(),
    createdAt: instant(),
  },
})
