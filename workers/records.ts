import { createChainClients } from '../activities/chain/clients.ts'
import { openChainNodes } from '../activities/chain/node/nodes.ts'
import { detectLocalChain } from '../activities/chain/node-identity.ts'
import { createClock } from '../activities/common/clock.ts'
import { readConfiguration } from '../activities/configuration.ts'
import { openDatabase } from '../activities/database/database.ts'
import { commandEnvironment } from './local-stack.ts'

type Program = 'audit' | 'nonce' | 'keys' | 'recover'

const openRecords = async (program: Program) => {
  const { settings, chain, engine } = readConfiguration(commandEnvironment(process.env, console.error), program)
  const clients = createChainClients(chain, openChainNodes(chain, settings))
  // A key rotates also while the node does not answer.
  const local = program === 'keys' ? chain.local : await detectLocalChain(chain, clients.reader)
  const clock = createClock({ offsetFile: local ? settings.CLOCK_OFFSET_FILE : undefined })
  return { settings, chain, engine, clients, clock, database: openDatabase({ url: settings.DATABASE_URL, poolSize: 2 }) }
}

/** Opens records and chain for one command, by the settings of the worker or of the local stack, and closes them after `use`. */
export const withRecords = async <T>(
  program: Program,
  use: (opened: Awaited<ReturnType<typeof openRecords>>) => Promise<T>,
): Promise<T> => {
  const opened = await openRecords(program)
  try {
    return await use(opened)
  } finally {
    await opened.database.close()
  }
}
