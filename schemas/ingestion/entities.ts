import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'
import type { Provider } from './providers.ts'
import type { IngestAnswer, IngestedJobRow, IngestOrigin, IngestOutcome, IngestStatus, IngestStop, RunFault, ScoreParts } from './record.ts'

type Input = Record<string, unknown>

/** A run over one source, and how far it is. */
export const IngestRun = defineEntity({
  name: 'IngestRun',
  properties: {
    /** Run id of the workflow. */
    runId: p.text().primary(),
    workflowId: p.text(),
    provider: p.text().$type<Provider>(),
    /** Own members of the source, normalised. */
    input: p.json<Input>(),
    dryRun: p.boolean(),
    /** Jobs that it may list or propose. */
    itemLimit: p.integer(),
    minScore: p.integer(),
    origin: p.text().$type<IngestOrigin>(),
    /** Lower-case wallet of the admin; null for a run of the schedule. */
    requestedBy: p.text().nullable(),
    status: p.text().$type<IngestStatus>(),
    startedAt: instant(),
    endedAt: instant().nullable(),
    /** Pages whose candidates are all decided. */
    pages: p.integer(),
    /** Where the next page begins; null for the first one. */
    cursor: p.text().nullable(),
    /** True when nothing more is to be read. */
    isOver: p.boolean(),
    /** Pages in a row that held no candidate that the run had not seen. */
    stalePages: p.integer(),
    candidates: p.integer(),
    /** Those that had no job before; counted at the end. */
    freshCandidates: p.integer(),
    /** Jobs listed or, in a dry run, proposed. */
    taken: p.integer(),
    requestsUsed: p.integer(),
    stopped: p.json<IngestStop>().nullable(),
    /** Why nothing at all could be read; null otherwise. */
    fault: p.text().$type<RunFault>().nullable(),
    /** Null before the end. */
    answer: p.json<IngestAnswer>().nullable(),
  },
})

/** What a run made of one candidate. */
export const IngestResult = defineEntity({
  name: 'IngestResult',
  properties: {
    runId: p.text().primary(),
    itemKey: p.text().primary(),
    /** Order within the run: by page, then by place in the page. */
    position: p.integer(),
    jobId: p.text().nullable(),
    outcome: p.text().$type<IngestOutcome>(),
    /** Reason of a skip or code of an error; null for a job. */
    reason: p.text().nullable(),
    detail: p.text().nullable(),
    rules: p.json<string[]>(),
    score: p.integer().nullable(),
    parts: p.json<ScoreParts>(),
    resumeAt: instant().nullable(),
    job: p.json<IngestedJobRow>().nullable(),
  },
})

/** A candidate that was ever seen, by its key within its source, and what last became of it. A listed one stays `created`. */
export const IngestItem = defineEntity({
  name: 'IngestItem',
  properties: {
    provider: p.text().primary().$type<Provider>(),
    itemKey: p.text().primary(),
    outcome: p.text().$type<IngestOutcome>(),
    /** The last of its jobs; null where it never got as far as one. */
    jobId: p.text().nullable(),
    /** SHA-256 of what its job follows from; of a listed one, that of the job. */
    contentHash: p.text().nullable(),
    /** SHA-256 of the bytes whose facts its job asks for, which no other job may; null for any other job. */
    bytesDigest: p.text().nullable(),
    reason: p.text().nullable(),
    detail: p.text().nullable(),
    /** Rules of the screen that its texts break. */
    rules: p.json<string[]>(),
    score: p.integer().nullable(),
    /** Versions that were seen since its job was listed, that one included. */
    version: p.integer(),
    /** Content of the newest version where it is not that of the job. */
    latestHash: p.text().nullable(),
    firstSeenAt: instant(),
    seenAt: instant(),
    listedAt: instant().nullable(),
    /** Open jobs that its source could have when it was listed. */
    openCap: p.integer().nullable(),
    /** Jobs that were listed from it after the first one. */
    reissues: p.integer(),
  },
})

/** Where the next run over the same inputs goes on, if the last one could not read all of its source. */
export const IngestCursor = defineEntity({
  name: 'IngestCursor',
  properties: {
    provider: p.text().primary().$type<Provider>(),
    /** Hash of the own members of the source. */
    inputKey: p.text().primary(),
    cursor: p.text(),
    updatedAt: instant(),
  },
})

/** A source: the run that reads it, when it may be asked again, and its schedule as the engine last showed it. */
export const IngestSource = defineEntity({
  name: 'IngestSource',
  properties: {
    provider: p.text().primary().$type<Provider>(),
    /** Run that may read it and list its jobs; another one may from `heldUntil` on. */
    holderRunId: p.text().nullable(),
    /** Wall clock, as `nextAllowedAt`, `nextRunAt` and `scheduleReadAt`. */
    heldUntil: instant().nullable(),
    /** Until when the source asked to wait; null without a wish. */
    nextAllowedAt: instant().nullable(),
    lastSuccessAt: instant().nullable(),
    /** Whether the schedule is off; null before it was read. */
    isPaused: p.boolean().nullable(),
    /** Since when it is on; null while it is off. */
    activeSince: instant().nullable(),
    isDry: p.boolean().nullable(),
    scheduleInput: p.json<Input>().nullable(),
    everySeconds: p.integer().nullable(),
    nextRunAt: instant().nullable(),
    note: p.text().nullable(),
    scheduleReadAt: instant().nullable(),
  },
})
