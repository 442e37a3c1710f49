import type { Logger } from 'pino'
import type { RecordDeps } from '../activities/database/database.ts'
import { createCurrentKey, listKeyRecords } from '../activities/identity/key-records.ts'
import { createTokenKeySource } from '../activities/identity/signing-keys.ts'
import type { Settings } from '../schemas/settings.ts'
import { SettingsError } from '../schemas/settings-error.ts'
import { createTokenKeyRecords } from './identity/token-keys.ts'
import { createTokens, es256Backend, hs256Backend, type Tokens } from './identity/tokens.ts'

interface TokensDeps extends RecordDeps {
  logger: Pick<Logger, 'warn' | 'info'>
}

/**
 * Builds the token service for the configured algorithm. Throws for a missing or unsuitable key. A sign-in holds a connection while its
 * token is signed: `database` has a pool of its own.
 */
export const createTokensFrom = async (settings: Settings, { database, clock, logger }: TokensDeps): Promise<Tokens> => {
  const rules = { issuer: settings.JWT_ISSUER, audience: settings.JWT_AUDIENCE, ttlSeconds: settings.JWT_TTL_SECONDS }
  if (settings.JWT_ALGORITHM === 'HS256') return createTokens(hs256Backend(settings.JWT_SECRETS), rules)
  if (settings.JWT_KEY === undefined && settings.JWT_KEY_FILE === undefined) throw new SettingsError(['JWT_KEY: is required'])
  const readKey = createTokenKeySource(settings, (reason) => {
    if (reason === null) logger.info('the token key is read from its file again')
    else logger.warn({ reason }, 'the token key cannot be read; the last one is used')
  })
  await readKey()
  const list = () => listKeyRecords(database.rows, 'jwt')
  const currentKey = createCurrentKey({ database, clock, purpose: 'jwt', readKey })
  return createTokens(es256Backend({ currentKey, records: createTokenKeyRecords({ read: list }), list }), rules)
}
