import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'

/** A record of the authorisation server. Deleted after its expiry; a client without a live grant a day after it registered. */
export const OauthRecord = defineEntity({
  name: 'OauthRecord',
  properties: {
    /** Kind of the record, by the name that the server gives it. */
    model: p.text().primary(),
    /** Of a code or refresh token its SHA-256: its value is the secret. */
    id: p.text().primary(),
    payload: p.json<Record<string, unknown>>(),
    grantId: p.text().nullable(),
    createdAt: instant(),
    /** First use of a code or refresh token. */
    consumedAt: instant().nullable(),
    /** Null for a client. */
    expiresAt: instant().nullable(),
  },
})
