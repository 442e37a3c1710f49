import { sql } from 'kysely'
import { type Abi, type Hex, keccak256, serializeTransaction, toFunctionSelector } from 'viem'
import type { Rows } from '../../database/database.ts'
import { agentAccountCoreAbi } from '../abi/agent-account-core.ts'
import { creditPoolAbi } from '../abi/credit-pool.ts'
import { escrowCoreAbi } from '../abi/escrow-core.ts'
import { reputationSbtAbi } from '../abi/reputation-sbt.ts'
import { testUsdcAbi } from '../abi/test-usdc.ts'
import { treasuryPolicyAbi } from '../abi/treasury-policy.ts'
import { xcmWrapperAbi } from '../abi/xcm-wrapper.ts'
import type { ChainClients } from '../clients.ts'
import { findReceipt, readBlock } from '../node/answers.ts'
import { findJournalRows, type TransactionIntent } from './rows.ts'

type Reader = ChainClients['reader']
type MinedOnChain = Awaited<ReturnType<typeof readBlockTransactions>>[number]

/** Nonces from the first one of the journal on that the chain has counted and no live row of the journal holds, the lowest first. */
export const listUnjournaled = async (
  rows: Rows,
  { chainId, signer, counted, limit = null }: { chainId: number; signer: string; counted: number; limit?: number | null },
): Promise<{ nonces: number[]; total: number }> => {
  const found = await sql<{ nonce: number; total: number }>`
    select used.nonce, count(*) over ()::integer as total
    from generate_series(
      (select min(nonce) from chain_transaction where chain_id = ${chainId} and signer = ${signer}), ${counted - 1}::integer) used (nonce)
    where not exists (
      select 1 from chain_transaction t
      where t.chain_id = ${chainId} and t.signer = ${signer} and t.nonce = used.nonce and t.status <> 'dead')
    order by used.nonce limit ${limit}`.execute(rows)
  return { nonces: found.rows.map(({ nonce }) => nonce), total: found.rows[0]?.total ?? 0 }
}

const CALLED: readonly Abi[] = [
  ...[escrowCoreAbi, agentAccountCoreAbi, reputationSbtAbi, treasuryPolicyAbi],
  ...[creditPoolAbi, xcmWrapperAbi, testUsdcAbi],
]

/** Name of the called function, as the journal shows it; its selector where no contract of ours has it. */
const nameOf = (input: Hex): string => {
  const selector = input.slice(0, 10)
  for (const abi of CALLED) for (const item of abi) if (item.type === 'function' && toFunctionSelector(item) === selector) return item.name
  return selector
}

const readBlockTransactions = async (reader: Reader, blockNumber: bigint) =>
  (await reader.getBlock({ blockNumber, includeTransactions: true })).transactions

/** Signed bytes of a mined transaction; empty where they cannot be put together again. */
const bytesOf = ({ hash, input, r, s, yParity, ...transaction }: MinedOnChain): Hex => {
  if (r === undefined || s === undefined || yParity === undefined) return '0x'
  const raw = serializeTransaction({ ...transaction, data: input, chainId: Number(transaction.chainId) } as never, { r, s, yParity })
  return keccak256(raw) === hash ? raw : '0x'
}

/** A mined transaction that the journal lost. */
interface LostTransaction {
  to: Hex | null
  data: Hex
  value: bigint
}
/** Key and name of a lost step that is not to be sent again; null for one that reads on chain what became of it. */
export type FindLostStep = (rows: Rows, lost: LostTransaction) => Promise<Pick<TransactionIntent, 'key' | 'functionName'> | null>

const intentOf = async (
  rows: Rows,
  { hash, to, input, value }: MinedOnChain,
  findStep: FindLostStep,
): Promise<{ intentKey: string; functionName: string }> => {
  const step = await findStep(rows, { to, data: input, value })
  const isFree = step !== null && (await findJournalRows(rows, [step.key])).size === 0
  return isFree ? { intentKey: step.key, functionName: step.functionName } : { intentKey: `restored/${hash}`, functionName: nameOf(input) }
}

/** `now` in epoch ms. */
interface Restoring extends Pick<ChainClients, 'reader' | 'chainId'> {
  now: number
  findStep: FindLostStep
}

/** Stores a mined transaction that the journal lacks. Returns false where a row that was proved dead has its nonce. */
const store = async (rows: Rows, { reader, chainId, now, findStep }: Restoring, mined: MinedOnChain): Promise<boolean> => {
  const { hash: txHash, from, nonce, to, input: data, gas, value } = mined
  const receipt = await findReceipt(reader, txHash)
  if (receipt === undefined) throw new Error(`the node has no receipt of ${txHash}`)
  const { blockNumber, blockHash } = receipt
  const { time: blockTime } = await readBlock(reader, { blockNumber })
  const { numInsertedOrUpdatedRows = 0n } = await rows
    .insertInto('chain_transaction')
    .values({
      ...(await intentOf(rows, mined, findStep)),
      ...{ chainId, signer: from.toLowerCase(), nonce, txHash, rawTransaction: bytesOf(mined) },
      ...{ toAddress: to?.toLowerCase() ?? '', data, gas, value },
      ...{ status: receipt.status === 'success' ? 'mined' : 'reverted', blockNumber, blockHash, blockTime, revertReason: null },
      logCount: receipt.logs.filter(({ address }) => address.toLowerCase() === to?.toLowerCase()).length,
      ...{ jobId: null, sessionId: null, requestId: null, broadcasts: 1, broadcastAt: blockTime, createdAt: now, updatedAt: now },
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

/** Block of the newest mined row of a signer below a nonce: later ones are in no earlier block. */
const blockBefore = async (rows: Rows, chainId: number, signer: string, nonce: number): Promise<bigint> => {
  const found = await rows
    .selectFrom('chain_transaction')
    .select((eb) => eb.fn.max('blockNumber').as('block'))
    .where('chainId', '=', chainId)
    .where('signer', '=', signer)
    .where('nonce', '<', nonce)
    .executeTakeFirst()
  return BigInt(found?.block ?? 0)
}

/** Lets later transactions start above every one that the chain or its pool has. */
const raiseNonces = async (
  rows: Rows,
  { reader, chainId }: Pick<ChainClients, 'reader' | 'chainId'>,
  signers: readonly { signer: string }[],
): Promise<void> => {
  for (const { signer } of signers) {
    const counted = await reader.getTransactionCount({ address: signer as Hex, blockTag: 'pending' })
    await rows
      .updateTable('chain_nonce')
      .set({ nextNonce: sql<number>`greatest(next_nonce, ${counted})` })
      .where('chainId', '=', chainId)
      .where('signer', '=', signer)
      .execute()
  }
}

/**
 * Stores the transactions of our signers that the chain has and the journal lacks, since its first one, and raises the next nonces. Returns how many,
 * and the nonces whose transaction was not put back.
 */
export const restoreJournal = async (
  rows: Rows,
  restoring: Restoring,
): Promise<{ stored: number; missing: { signer: string; nonce: number }[] }> => {
  const { reader, chainId } = restoring
  const signers = await rows.selectFrom('chain_nonce').select('signer').where('chainId', '=', chainId).execute()
  const lost = new Set<string>()
  const froms: bigint[] = []
  for (const { signer } of signers) {
    const counted = await reader.getTransactionCount({ address: signer as Hex })
    const { nonces } = await listUnjournaled(rows, { chainId, signer, counted })
    for (const nonce of nonces) lost.add(`${signer}/${nonce}`)
    if (nonces[0] !== undefined) froms.push(await blockBefore(rows, chainId, signer, nonces[0]))
  }
  await raiseNonces(rows, { reader, chainId }, signers)
  let stored = 0
  const head = await reader.getBlockNumber({ cacheTime: 0 })
  const [first = head + 1n] = froms.sort((left, right) => (left < right ? -1 : 1))
  for (let block = first; block <= head && lost.size > 0; block += 1n)
    for (const mined of await readBlockTransactions(reader, block)) {
      const key = `${mined.from.toLowerCase()}/${mined.nonce}`
      if (!lost.has(key) || !(await store(rows, restoring, mined))) continue
      lost.delete(key)
      stored += 1
    }
  const missing = [...lost].map((one) => ({ signer: one.split('/')[0] ?? '', nonce: Number(one.split('/')[1]) }))
  return { stored, missing }
}
