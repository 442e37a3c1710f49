import { sql } from 'kysely'
import { openDatabase } from '../../activities/database/database.ts'
import { LOCAL_CHAIN_ID } from './anvil.ts'
import { createRpc } from './rpc.ts'

type LastMined = { signer: string; nonce: number; hash: string }

/** The newest mined transaction of each signer by the database. */
const lastMined = async (databaseUrl: string): Promise<LastMined[]> => {
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

/**
 * Throws when the chain lacks a transaction that the database records as mined. That happens when services kept running after the block log had
 * stopped. Records and chain would contradict each other, and the next nonces would never be mined.
 */
export const assertChainHasJournal = async (databaseUrl: string, rpcUrl: string): Promise<void> => {
  const rpc = createRpc(rpcUrl)
  for (const { signer, nonce, hash } of await lastMined(databaseUrl))
    if ((await rpc<object | null>('eth_getTransactionReceipt', [hash])) === null)
      throw new Error(
        `the local chain lacks a transaction that the database records as mined (transaction ${hash}, nonce ${nonce} of ${signer}): start with --fresh`,
      )
}
