import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../../activities/database/database.ts'
import { LOCAL_CHAIN_ID } from './anvil.ts'
import { createRpc } from './rpc.ts'

type LastMined = { signer: string; nonce: number; hash: string }

const POLL_MS = 250
const DATABASE_MS = 60_000

/** The newest mined transaction of each signer by the database. */
export const readLastMined = async (databaseUrl: string): Promise<LastMined[]> => {
  const database = openDatabase({ url: databaseUrl, poolSize: 1 })
  try {
    const { rows } = await sql<LastMined>`
      select distinct on (signer) signer, nonce, tx_hash as hash from chain_transaction
      where chain_id = ${LOCAL_CHAIN_ID} and status in ('mined', 'reverted')
      order by signer, nonce desc`.execute(database.rows)
    return rows
  } finally {
    await database.close()
  }
}

/** The same from a database that may be starting again; throws the last error after a minute. */
export const awaitLastMined = async (databaseUrl: string): Promise<LastMined[]> => {
  for (const end = Date.now() + DATABASE_MS; ; await sleep(POLL_MS, undefined, { ref: false })) {
    try {
      return await readLastMined(databaseUrl)
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

/**
 * Throws when the chain lacks a transaction that the database records as mined. That happens when services kept running after the block log had
 * stopped. Records and chain would contradict each other, and the next nonces would never be mined.
 */
export const assertChainHasJournal = async (mined: LastMined[], rpcUrl: string): Promise<void> => {
  const rpc = createRpc(rpcUrl)
  for (const { signer, nonce, hash } of mined)
    if ((await rpc<object | null>('eth_getTransactionReceipt', [hash])) === null)
      throw new Error(
        `the local chain lacks a transaction that the database records as mined (transaction ${hash}, nonce ${nonce} of ${signer}): start with --fresh`,
      )
}
