import { defineEntity, p } from '@mikro-orm/core'
import { instant, rawAmount } from '../entities/columns.ts'
import type { IdleMoveKind } from './record.ts'

/** Standing of a wallet's consent to idle-balance allocation. Of several the newest counts; a new one revokes those before it. */
export const IdleConsent = defineEntity({
  name: 'IdleConsent',
  properties: {
    termsHash: p.text().primary(),
    /** Lower case. */
    wallet: p.text(),
    /** Request that gave it. */
    requestId: p.text(),
    consentedAt: instant(),
    expiresAt: instant(),
    revokedAt: instant().nullable(),
    /** When its expiry was recorded. */
    expiredAt: instant().nullable(),
  },
})

/** A movement that the operator signed under a consent. Its amount counts from the signature on; a movement that failed is deleted. */
export const IdleMovement = defineEntity({
  name: 'IdleMovement',
  properties: {
    /** Step of the transaction journal. */
    step: p.text().primary(),
    /** Lower case. */
    wallet: p.text(),
    termsHash: p.text(),
    kind: p.text().$type<IdleMoveKind>(),
    amountRaw: rawAmount(),
    signedAt: instant(),
    txHash: p.text().nullable(),
    minedAt: instant().nullable(),
  },
})
