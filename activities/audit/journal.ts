import { sql } from 'kysely'
import type { Hex } from 'viem'
import { listUnjournaled } from '../chain/journal/lost.ts'
import { findReceipt } from '../chain/node/answers.ts'
import { type Audit, type Check, PAGE, readPages } from './context.ts'

/** Foreign transactions of a signer that are named. */
const MAX_NAMED = 20

interface MinedRow {
  intentKey: string
  signer: string
  nonce: number
  txHash: Hex
  status: string
  toAddress: string
  blockNumber: string
  blockHash: string
  logCount: number | null
}

const listMined = async ({ rows, chain, block }: Audit, after: string): Promise<MinedRow[]> => {
  const found = await sql<MinedRow>`
    select intent_key as "intentKey", signer, nonce, tx_hash as "txHash", status, to_address as "toAddress",
      block_number::text as "blockNumber", block_hash as "blockHash", log_count as "logCount"
    from chain_transaction
    where chain_id = ${chain.chainId} and status in ('mined', 'reverted') and block_number <= ${block.number} and intent_key > ${after}
    order by intent_key limit ${PAGE}`.execute(rows)
  return found.rows
}

/** Facts of a row as its receipt would state them. */
const factsOf = ({ status, signer, toAddress, blockNumber, blockHash, logCount }: MinedRow): string =>
  [status, `from ${signer.toLowerCase()}`, `to ${toAddress.toLowerCase()}`, `block ${blockNumber} ${blockHash}`, `${logCount} logs`].join(
    ', ',
  )

const checkRow = async ({ client }: Audit, row: MinedRow): Promise<{ expected: string; found: string } | null> => {
  const found = factsOf(row)
  const receipt = await findReceipt(client, row.txHash)
  if (receipt === undefined) return { expected: 'a receipt', found: `none for a row that is ${found}` }
  const expected = factsOf({
    ...row,
    status: receipt.status === 'success' ? 'mined' : 'reverted',
    signer: receipt.from,
    toAddress: receipt.to ?? '',
    blockNumber: receipt.blockNumber.toString(),
    blockHash: receipt.blockHash,
    logCount: receipt.logs.filter(({ address }) => address.toLowerCase() === receipt.to?.toLowerCase()).length,
  })
  return expected === found ? null : { expected, found }
}

/** Compares the mined transactions of the journal with their receipts. */
export const checkJournal: Check = async (audit, add) => {
  for await (const page of readPages<MinedRow>((last) => listMined(audit, last?.intentKey ?? ''))) {
    const checked = await Promise.all(page.map(async (row) => ({ row, difference: await checkRow(audit, row) })))
    for (const { row, difference } of checked)
      if (difference !== null) add({ subject: `transaction ${row.txHash} (nonce ${row.nonce} of ${row.signer})`, ...difference })
  }
}

/** The transaction that used a nonce; null if the node does not have the states of earlier blocks. */
const findUse = async ({ client, block }: Audit, address: Hex, nonce: number): Promise<string | null> => {
  let [low, high] = [0n, block.number]
  while (low < high) {
    const middle = (low + high) / 2n
    if ((await client.getTransactionCount({ address, blockNumber: middle })) > nonce) high = middle
    else low = middle + 1n
  }
  const { transactions } = await client.getBlock({ blockNumber: low, includeTransactions: true })
  const use = transactions.find((one) => one.from.toLowerCase() === address.toLowerCase() && one.nonce === nonce)
  return use === undefined ? null : `${use.hash} in block ${low}`
}

/** Looks for transactions of our signers that the journal does not have. */
export const checkSignerNonces: Check = async (audit, add) => {
  const { rows, chain, client, block } = audit
  const signers = await rows.selectFrom('chain_nonce').select('signer').where('chainId', '=', chain.chainId).execute()
  for (const { signer } of signers) {
    const address = signer as Hex
    const counted = await client.getTransactionCount({ address, blockNumber: block.number })
    const { nonces, total } = await listUnjournaled(rows, { chainId: chain.chainId, signer, counted, limit: MAX_NAMED })
    for (const nonce of nonces) {
      const use = await findUse(audit, address, nonce).catch(() => null)
      add({ subject: `nonce ${nonce} of ${signer}`, expected: 'a transaction of the journal', found: use ?? 'another one' })
    }
    if (total > nonces.length)
      add({ subject: `signer ${signer}`, expected: 'no other transactions', found: `${total - nonces.length} more` })
  }
}
