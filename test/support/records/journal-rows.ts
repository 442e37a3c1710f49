import type { Database } from '../../../activities/database/database.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'

interface Signed {
  chainId: number
  sessionId: string
  functionName: string
  at: number
}

/** A transaction of a session that is signed and was never sent. Gives its hash. */
export const addSigned = async ({ rows }: Database, { chainId, sessionId, functionName, at }: Signed): Promise<string> => {
  const txHash = keccakOf({ sessionId, functionName })
  const call = { toAddress: `0x${'5'.repeat(40)}`, functionName, data: '0x', gas: 1n, value: 0n, rawTransaction: '0x' }
  const unmined = { status: 'signed', blockNumber: null, blockHash: null, blockTime: null, logCount: null, revertReason: null }
  await rows
    .insertInto('chain_transaction')
    .values({
      ...call,
      ...unmined,
      intentKey: `test/${txHash}`,
      chainId,
      signer: `0x${'6'.repeat(40)}`,
      nonce: 0,
      txHash,
      jobId: null,
      sessionId,
      requestId: null,
      broadcasts: 0,
      broadcastAt: null,
      createdAt: at,
      updatedAt: at,
    })
    .execute()
  return txHash
}
