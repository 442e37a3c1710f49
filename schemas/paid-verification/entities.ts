import { defineEntity, p } from '@mikro-orm/core'
import type { JsonValue } from '../catalogue/job-definition.ts'
import { instant, rawAmount } from '../entities/columns.ts'
import type { ProfileResult, Verdict } from './profiles/execution.ts'
import type { RunState, UncollectableReason } from './record.ts'

/** A paid run of a profile with its payment. One row an authorisation: it is written before the run is acknowledged. */
export const VerificationRun = defineEntity({
  name: 'VerificationRun',
  properties: {
    /** SHA-256 of the run's id, hex: its name here, in engine, logs and metrics. The id is a secret of the customer and is not stored. */
    runKey: p.text().primary(),
    state: p.text().$type<RunState>(),
    /** `name@version`. */
    profileRef: p.text(),
    profileDigest: p.text(),
    /** SHA-256 of the canonical request: an authorisation pays for this request alone. */
    requestHash: p.text(),
    target: p.json<JsonValue>(),
    inputs: p.json<JsonValue>(),
    /** Whether the request came with a credential of its target. */
    hasCredential: p.boolean(),
    /** That credential, sealed; erased when the run begins. */
    sealedCredential: p.text().nullable(),
    /** CAIP-2. */
    network: p.text(),
    /** Addresses in lower case. */
    asset: p.text(),
    payer: p.text(),
    payTo: p.text(),
    /** 32 bytes hex, lower case. */
    nonce: p.text(),
    amountRaw: rawAmount(),
    /** Decimals of the asset. */
    decimals: p.integer(),
    /** Epoch seconds, by the time of blocks. */
    validAfter: p.integer(),
    validBefore: p.bigint(),
    /** Signature of the payer; erased once it is not needed. */
    signature: p.text().nullable(),
    /** Block after which the chain may hold what became of the authorisation. */
    admittedBlock: p.bigint(),
    /** How often the profile was begun. */
    attempts: p.integer(),
    /** Null until the profile has ended. */
    verdict: p.text().$type<Verdict>().nullable(),
    result: p.json<ProfileResult>().nullable(),
    uncollectable: p.text().$type<UncollectableReason>().nullable(),
    /** Transaction that paid, of any sender. */
    txHash: p.text().nullable(),
    blockNumber: p.bigint().nullable(),
    /** Set with an end that shows the verdict. The receipt outlives the run, and does not name it. */
    receiptId: p.text().nullable(),
    submittedAt: instant(),
    executedAt: instant().nullable(),
    endedAt: instant().nullable(),
    /** From then on the record is gone. */
    expiresAt: instant(),
    /** Time of the last message to its process; null before the first. */
    wokenAt: instant().nullable(),
  },
})
