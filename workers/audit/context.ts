import type { AuditDeps } from '../../activities/audit/context.ts'
import { createChainClients, createScanClient } from '../../activities/chain/clients.ts'
import { detectLocalChain } from '../../activities/chain/node-identity.ts'
import { createClock } from '../../activities/common/clock.ts'
import { readConfiguration } from '../../activities/configuration.ts'
import { openDatabase } from '../../activities/database/database.ts'
import { createKeySource } from '../../activities/identity/signing-keys.ts'

/** Opens what a comparison of the records reads, by the settings of the worker, and closes it after `read`. */
export const withAuditDeps = async <Report>(blocks: number | undefined, read: (deps: AuditDeps) => Promise<Report>): Promise<Report> => {
  const { settings, chain } = readConfiguration(process.env, 'audit')
  const readKey = createKeySource(settings)
  const local = await detectLocalChain(chain, createChainClients(chain).reader)
  const clock = createClock({ offsetFile: local ? settings.CLOCK_OFFSET_FILE : undefined })
  const database = openDatabase({ url: settings.DATABASE_URL, poolSize: 2 })
  try {
    return await read({ database, chain, client: createScanClient(chain), readKey, now: clock.now, ...(blocks && { blocks }) })
  } finally {
    await database.close()
  }
}
