import { z } from 'zod'
import { closedShape, IsoTime, oneMemberOf } from '../operations/values.ts'

/** Why a sign-in ended before its tokens expired. */
export type SessionEnd = 'logout' | 'session_ended' | 'refresh_reused'

/** A sign-in of the wallet whose token is accepted. */
export const AuthSessionShape = closedShape('AuthSession', 'A sign-in of the wallet whose token is accepted.', {
  sessionId: z.uuid(),
  current: z.boolean().describe('Whether the token of this request belongs to it.'),
  signedInAt: IsoTime.describe('Instant of the signature.'),
  issuedAt: IsoTime.describe('Instant of the last refresh, or of the signature.'),
  lastUsedAt: IsoTime.nullable().describe('Begin of the hour of the last use, written within some minutes; null before that.'),
  expiresAt: IsoTime.describe('Expiry of its token.'),
  refreshableUntil: IsoTime.describe('The tokens of refreshes end here.'),
  network: z
    .string()
    .nullable()
    .describe('Network of the client at its last use or at the sign-in, such as 203.0.113.0/24 or 2001:db8:1::/48; null if unknown.'),
})

const names = ['sessionId', 'allBut', 'all'] as const

/** Which sign-ins end: exactly one member. */
export const SessionsToEnd = z
  .strictObject({
    sessionId: z.uuid().optional().describe('Ends this sign-in.'),
    allBut: z.literal('this').optional().describe('Ends every sign-in of the wallet but the one of this request.'),
    all: z.literal(true).optional().describe('Ends every sign-in of the wallet, that of this request included.'),
  })
  .refine((body) => names.filter((name) => body[name] !== undefined).length === 1, {
    error: 'needs exactly one of sessionId, allBut and all',
  })
  .meta(oneMemberOf(...names))
