import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'
import type { ExitReason, LockStatus, ReleaseReason, TermTier } from './record.ts'

/** A locked deposit: an entry of the ledger that binds liquid balance. No funds move. Its process alone changes it. */
export const LockedDeposit = defineEntity({
  name: 'LockedDeposit',
  properties: {
    /** Hash of the terms. */
    id: p.text().primary(),
    /** Lower case. */
    wallet: p.text(),
    tier: p.text().$type<TermTier>(),
    amountRaw: rawAmount(),
    /** Caps of the settings when it was made: on active locks of the wallet, and of t30 and t90 together. */
    walletCapRaw: rawAmount(),
    cohortCapRaw: rawAmount(),
    lockedAt: instant(),
    termDays: p.integer(),
    /** End of the term. */
    expiresAt: instant(),
    status: p.text().$type<LockStatus>(),
    publicProfileOptIn: p.boolean(),
    exitRequestedAt: instant().nullable(),
    exitReason: p.text().$type<ExitReason>().nullable(),
    /** When an exit releases the amount. */
    releaseAt: instant().nullable(),
    releasedAt: instant().nullable(),
    releaseReason: p.text().$type<ReleaseReason>().nullable(),
    /** Request that made the lock. */
    requestId: p.text(),
  },
})
