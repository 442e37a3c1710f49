import type { Tables } from '../../schemas/entities/tables.ts'

export type AuthSessionRow = Tables['auth_session']

/** The last instant for tokens of a sign-in, epoch ms. `signedInAt` in epoch ms. */
export const refreshableUntil = (signedInAt: number, days: number): number => signedInAt + days * 86_400_000

/**
 * What a refresh with a token of a sign-in does at `now` (epoch ms): `exchange` the token that counts, `repeat` the answer for the one before it
 * while its grace lasts, or `reuse`, the sign that two parties hold tokens.
 */
export const refreshStep = (
  { lastJti, previousJti, issuedAt }: Pick<AuthSessionRow, 'lastJti' | 'previousJti' | 'issuedAt'>,
  jti: string,
  now: number,
  graceSeconds: number,
): 'exchange' | 'repeat' | 'reuse' => {
  if (jti === lastJti) return 'exchange'
  return jti === previousJti && now <= issuedAt + graceSeconds * 1000 ? 'repeat' : 'reuse'
}
