import type { Tables } from '../../schemas/entities/tables.ts'
import { SERVICE_TOKEN_SECONDS } from './grants.ts'

/** Window of a signing key. Times are epoch ms. */
export type KeyWindow = Pick<Tables['signing_key'], 'validFrom' | 'retiredAt' | 'verifiesUntil'>

/** A retired token key verifies this long: until the last token that it signed has ended. */
export const KEY_OVERLAP_MS = SERVICE_TOKEN_SECONDS * 1_000

/** Whether no token of a key is accepted any more. */
export const hasKeyEnded = ({ verifiesUntil }: Pick<KeyWindow, 'verifiesUntil'>, now: number): boolean =>
  verifiesUntil !== null && now >= verifiesUntil

/** Whether a key was the current one at an instant, by clocks that differ by at most `skewMs`. */
export const isInKeyWindow = ({ validFrom, retiredAt }: Pick<KeyWindow, 'validFrom' | 'retiredAt'>, at: number, skewMs: number): boolean =>
  at >= validFrom - skewMs && (retiredAt === null || at <= retiredAt + skewMs)
