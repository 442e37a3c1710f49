import { defineEntity, p } from '@mikro-orm/core'
import type { ExpectedOutput, JobDefinition } from '../catalogue/job-definition.ts'
import { instant, rawAmount } from '../entities/columns.ts'
import type { FreezeInputs, FreezeRefusal, TestContract } from '../paid-verification/profiles/freeze.ts'
import type { FundingReceipt } from '../receipts/funding.ts'
import type { PostingFunding, PostingMismatch, PostingRefund, PostingStatus, Rehearsal } from './terms.ts'

/** A job that a wallet drafts and funds itself: its quote, and what the chain has made of it. Only a live one is in the catalogue. */
export const Posting = defineEntity({
  name: 'Posting',
  properties: {
    /** Of the job in the catalogue and in the escrow; it follows from poster and content. */
    jobId: p.text().primary().$type<`0x${string}`>(),
    draftId: p.text().$type<`0x${string}`>(),
    /** Lower-case address. */
    poster: p.text(),
    definition: p.json<JobDefinition>(),
    /** keccak256 of the canonical definition without its id. */
    specHash: p.text().$type<`0x${string}`>(),
    /** What opens the commitments of the definition; empty without any. */
    expectedOutputs: p.json<ExpectedOutput[]>(),
    rewardRaw: rawAmount(),
    opsReserveRaw: rawAmount(),
    contingencyReserveRaw: rawAmount(),
    /** Poster fee of the quote, as the escrow charged it at `quoteBlock`. */
    posterFeeBps: p.integer(),
    posterFeeFloorRaw: rawAmount(),
    posterFeeRaw: rawAmount(),
    quoteBlock: p.bigint(),
    /** True for an agreement with one named wallet, of which only a few may run at once. */
    isDesignated: p.boolean(),
    status: p.text().$type<PostingStatus>(),
    /** Times that the poster asked for this quote. */
    attemptCount: p.integer(),
    createdAt: instant(),
    /** Last time of the quote; a funding counts until `expiresAt`. */
    quotedAt: instant(),
    expiresAt: instant(),
    /** Since when it counts among the open drafts of its wallet: neither funded nor expired. */
    openedAt: instant(),
    /** Open drafts that a wallet could have then; null where a fork opened it again. */
    openDraftLimit: p.integer().nullable(),
    /** First time that the transactions were handed out; null before. */
    handedOutAt: instant().nullable(),
    funding: p.json<PostingFunding>().nullable(),
    mismatch: p.json<PostingMismatch>().nullable(),
    refund: p.json<PostingRefund>().nullable(),
    /** Findings of the verifier on the poster's own submissions and on placeholders; null before the first rehearsal. */
    rehearsal: p.json<Rehearsal>().nullable(),
    /** Signed when the job went live, of the funding that counts; null before. */
    fundingReceipt: p.json<FundingReceipt>().nullable(),
    /** Why a status without a mismatch is what it is, such as `funded_after_expiry`; null mostly. */
    reason: p.text().nullable(),
    version: p.integer(),
  },
})

/** A funding receipt whose funding a fork moved to another block or took away. The receipt that counts is that of its posting. */
export const FormerFundingReceipt = defineEntity({
  name: 'FormerFundingReceipt',
  properties: {
    receiptId: p.text().primary().$type<`0x${string}`>(),
    jobId: p.text().$type<`0x${string}`>(),
    /** When the service saw the fork. */
    replacedAt: instant(),
  },
})

/** What a wallet wanted to post on a day (UTC) and what became of it: the number of its requests for a draft with one outcome. */
export const PostingDemand = defineEntity({
  name: 'PostingDemand',
  properties: {
    /** Lower-case address. */
    poster: p.text().primary(),
    /** YYYY-MM-DD. */
    day: p.text().primary(),
    outcome: p.text().primary(),
    /** Code of the refusal; empty for a quote. */
    code: p.text().primary(),
    requests: p.integer(),
    /** The last one. */
    at: instant(),
  },
})

/** A test contract, or why there is none, by what it was asked for with. Places of private checks stand here alone. */
export const TestContractRow = defineEntity({
  name: 'TestContractRow',
  tableName: 'test_contract',
  properties: {
    /** SHA-256 of the canonical JSON of profile and inputs. */
    inputsHash: p.text().primary().$type<`0x${string}`>(),
    /** `name@version`. */
    profileRef: p.text(),
    inputs: p.json<FreezeInputs>(),
    /** Number of requests to the runner; another one follows an answer without a result. */
    attempt: p.integer(),
    /** Lower-case address of the wallet that asked for the last attempt. */
    poster: p.text(),
    /** When it asked. */
    requestedAt: instant(),
    /** The last attempt that was counted for a wallet. */
    chargedAttempt: p.integer(),
    contract: p.json<TestContract>().nullable(),
    refusals: p.json<FreezeRefusal[]>().nullable(),
    /** Null without a contract and without a refusal. */
    decidedAt: instant().nullable(),
  },
})
