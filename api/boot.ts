import { loadSigningKey } from '../activities/common/document-signing.ts'
import type { Settings } from '../schemas/settings.ts'
import { SettingsError } from '../schemas/settings-error.ts'
import { createTokens, es256Backend, hs256Backend, type Tokens } from './identity/tokens.ts'

/** Tokens of the one configured algorithm; only its own settings are needed. */
export const createTokensFrom = async (settings: Settings): Promise<Tokens> => {
  const rules = { issuer: settings.JWT_ISSUER, audience: settings.JWT_AUDIENCE, ttlSeconds: settings.JWT_TTL_SECONDS }
  if (settings.JWT_ALGORITHM === 'HS256') return createTokens(hs256Backend(settings.JWT_SECRETS), rules)
  if (settings.JWT_KEY === undefined) throw new SettingsError(['JWT_KEY: is required'])
  return createTokens(es256Backend(await loadSigningKey(settings.JWT_KEY, 'jwt-1', settings.JWT_KEY_FINGERPRINT)), rules)
}
