import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'
import type { OutcomeStatus, UnclearReason } from './record.ts'

/** The watched balance of a cross-chain request. Of the requests of one wrapper only one is watched at a time: what arrives belongs to it. */
export const CrossChainWatch = defineEntity({
  name: 'CrossChainWatch',
  properties: {
    /** Lower case. */
    wrapper: p.text().primary(),
    requestId: p.text().primary(),
    /** Amount that has to arrive, base units. */
    expectedRaw: rawAmount(),
    /** Balance before the dispatch; null until the first reading. */
    startRaw: rawAmount().nullable(),
    /** Assets at the venue at the same time; null until the first reading. */
    startAssetRaw: rawAmount().nullable(),
    /** Why the balance cannot decide; null while it can. */
    unclearReason: p.text().$type<UnclearReason>().nullable(),
    startedAt: instant(),
    /** Until when the balance is watched. */
    endsAt: instant(),
    /** Null while the balance is watched. */
    endedAt: instant().nullable(),
  },
})

/** The outcome of a cross-chain request, one row for its lifetime. A settled one never changes. */
export const CrossChainOutcome = defineEntity({
  name: 'CrossChainOutcome',
  properties: {
    /** Lower case. */
    wrapper: p.text().primary(),
    requestId: p.text().primary(),
    status: p.text().$type<OutcomeStatus>(),
    settledAssetsRaw: rawAmount(),
    settledSharesRaw: rawAmount(),
    /** What the wrapper held at the venue, base units of the asset; null where it was not read. */
    remoteBalanceRaw: rawAmount().nullable(),
    /** 32 bytes hex, as the failure code. */
    remoteRef: p.text(),
    failureCode: p.text(),
    source: p.text(),
    observedAt: instant(),
    recordedAt: instant(),
    /** When the settlement on chain was seen; null before. */
    processedAt: instant().nullable(),
    /** When the tries were used up; null while the service tries by itself. */
    exhaustedAt: instant().nullable(),
    /** Why the last try failed; null after none. */
    lastFailure: p.text().nullable(),
    /** Number of the latest failed try, from 1; null before one. It begins again after the tries were used up. */
    failedTry: p.integer().nullable(),
  },
})
