import { readFileSync } from 'node:fs'
import { createClock } from '../../../activities/common/clock.ts'
import { createTokensFrom } from '../../../api/boot.ts'
import type { Tokens } from '../../../api/identity/tokens.ts'
import { readSettings } from '../../../schemas/settings.ts'
import type { FleetWorld } from './world.ts'

/** Tokens by the service's own key, for wallets that need no sign-in. */
export const createFleetTokens = ({ database, databaseUrl, files }: FleetWorld): Promise<Tokens> => {
  const JWT_KEY = readFileSync(files.jwtKey, 'utf8')
  const settings = readSettings({ DATABASE_URL: databaseUrl, CHAIN_FILE: files.chainFile, JWT_KEY })
  return createTokensFrom(settings, { database, clock: createClock(), logger: { warn: () => undefined, info: () => undefined } })
}
