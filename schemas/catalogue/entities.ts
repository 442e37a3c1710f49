import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'
import type { ExpectedOutput, JobDefinition } from './job-definition.ts'
import type { LifecycleStatus, PostingRoute } from './job-terms.ts'
import type { ReadinessReason } from './readiness.ts'

/** A listed job. The definition is immutable. The lifecycle changes by compare-and-set on `version`. The claim state is derived from sessions. */
export const Job = defineEntity({
  name: 'Job',
  properties: {
    id: p.text().primary(),
    definition: p.json<JobDefinition>(),
    /** keccak256 of the canonical definition. */
    specHash: p.text().$type<`0x${string}`>(),
    chainJobId: p.text().$type<`0x${string}`>(),
    category: p.text(),
    tier: p.text(),
    verifierMode: p.text(),
    /** Group of the `source` filter: codehost, wikipedia, …, or the category of a job without a source. */
    sourceGroup: p.text(),
    lane: p.text(),
    /** Rewards of the lane in 24 hours that the settings allowed at the listing; null for a job that no budget bounds. */
    laneDailyRaw: rawAmount().nullable(),
    /** Jobs that could wait in the lane by the settings at the listing; null likewise. */
    laneBacklog: p.integer().nullable(),
    /** Asset symbol. */
    rewardAsset: p.text(),
    rewardRaw: rawAmount(),
    waiverEligible: p.boolean(),
    /** What a verdict on the job needs, derived from the definition. */
    verdictNeeds: p.array(),
    lifecycleStatus: p.text().$type<LifecycleStatus>(),
    /** From this instant an open job is stale; null for recurring templates. */
    staleAt: instant().nullable(),
    /** Start of the priority window. */
    listedAt: instant(),
    createdAt: instant(),
    updatedAt: instant(),
    postingRoute: p.text().$type<PostingRoute>(),
    /** Lower-case address; null while the poster is unknown. */
    posterAddress: p.text().nullable(),
    /** Source that a run of the service listed it from; null for the job of a person. */
    ingestedFrom: p.text().nullable(),
    /** Key of its candidate within that source. A candidate has several jobs one after the other. */
    ingestedKey: p.text().nullable(),
    delistedAt: instant().nullable(),
    delistReason: p.text().nullable(),
    version: p.integer(),
  },
})

/** What opens the commitments of a deterministic job. Verifier steps and admins read it, every reader once the job can no longer be claimed. */
export const JobAnswer = defineEntity({
  name: 'JobAnswer',
  properties: {
    jobId: p.text().primary(),
    /** In the order of the commitments. */
    expectedOutputs: p.json<ExpectedOutput[]>(),
  },
})

/** One row, part of the catalogue's ETag. Each write that can change a list answer increments `version`. */
export const CatalogueVersion = defineEntity({
  name: 'CatalogueVersion',
  properties: { id: p.integer().primary(), version: p.bigint() },
})

/** Last reading of the reward bank: the operator's liquid balance, which pays curated rewards. `readAt` is wall-clock time. */
export const RewardBankReading = defineEntity({
  name: 'RewardBankReading',
  properties: {
    asset: p.text().primary(),
    liquidRaw: rawAmount(),
    posterFeeBps: p.integer(),
    posterFeeFloorRaw: rawAmount(),
    stakeBps: p.integer(),
    feeBps: p.integer(),
    minFeeRaw: rawAmount(),
    blockNumber: p.bigint(),
    readAt: instant(),
  },
})

/** Last check of one thing that verdicts need. `checkedAt` is wall-clock time. */
export const VerdictNeed = defineEntity({
  name: 'VerdictNeed',
  properties: {
    need: p.text().primary(),
    /** Why it is not met; null when it is. */
    reason: p.text().$type<ReadinessReason>().nullable(),
    checkedAt: instant(),
    /** Last verdict of the handler, for the need of a handler. */
    lastVerdictAt: instant().nullable(),
  },
})
