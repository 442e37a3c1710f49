// The last transaction that a wallet sent on a chain, until its command has reported it: a repeated command follows it instead of sending another one.
import { sleep } from '../../src/timing.ts'
import { CliError, EXIT, refused, transactionNotTaken } from '../failures.ts'
import { findReceipt, NodeRefusal, POLL_MS, type Receipt, type Rpc } from './rpc.ts'
import type { SentTransaction } from './sent-file.ts'
import type { Wallet } from './wallet.ts'

/** What nodes say of bytes that they have and of a nonce that is used, in letters only: no code of JSON-RPC says it. */
const KNOWN_PHRASES = /already(known|imported|exist|in)|knowntransaction|noncetoolow|oldnonce|nonceused/

/** Whether a node says that it has a transaction, or that its nonce is used. The receipt tells which. */
export const isAlreadyKnown = ({ reason }: NodeRefusal): boolean => KNOWN_PHRASES.test(reason.toLowerCase().replaceAll(/[^a-z]/g, ''))

/** Receipt of a transaction; null before it is mined. Throws when it was mined and failed. */
const findSuccess = async (rpc: Rpc, hash: string): Promise<Receipt | null> => {
  const receipt = await findReceipt(rpc, hash)
  if (receipt === null || receipt.status === '0x1') return receipt
  throw refused(`The transaction ${hash} was mined and failed: the contract refused it.`)
}

/** Waits for the receipt. Rejects when the transaction failed. */
export const awaitReceipt = async (rpc: Rpc, hash: string, signal: AbortSignal): Promise<Receipt> => {
  for (;;) {
    const receipt = await findSuccess(rpc, hash)
    if (receipt !== null) return receipt
    await sleep(POLL_MS, signal)
  }
}

/** Mined transactions of the wallet. */
const countMined = async ({ rpc, address }: Wallet): Promise<number> => Number(await rpc('eth_getTransactionCount', [address, 'latest']))

/** Answers in a row that have to say so: behind one address there can be nodes that are not at the same block. */
const REPLACED_ANSWERS = 3

/** Waits for the receipt; undefined when another transaction of the wallet used the nonce. */
const awaitEnd = async (wallet: Wallet, { hash, nonce }: SentTransaction): Promise<Receipt | undefined> => {
  for (let answers = 0; answers < REPLACED_ANSWERS; ) {
    const mined = await countMined(wallet)
    // After the count: the receipt can have come between the two answers.
    const receipt = await findSuccess(wallet.rpc, hash)
    if (receipt !== null) return receipt
    answers = mined > nonce ? answers + 1 : 0
    if (answers < REPLACED_ANSWERS) await sleep(POLL_MS, wallet.context.signal)
  }
  return undefined
}

/** Whether the chain shows that a transaction is under way although the node did not take it. */
const isUnderWay = async (wallet: Wallet, { hash, nonce }: SentTransaction): Promise<boolean> => {
  const known = await wallet.rpc('eth_getTransactionByHash', [hash])
  return known !== null || (await countMined(wallet)) > nonce
}

/** The failure of a transaction that the node did not take. It stays on record: another node can have it. */
const notTaken = async (wallet: Wallet, { nonce }: SentTransaction, { reason }: NodeRefusal): Promise<CliError> => {
  const missing = nonce - (await countMined(wallet))
  const earlier = missing > 0 ? ` Before it ${missing} other transactions of the wallet have to be mined.` : ''
  return transactionNotTaken(
    `The node says: ${reason}.${earlier}`,
    'Repeat the same command, also with another --rpc URL.',
    `To give it up, send another transaction of the wallet with the nonce ${nonce}.`,
    ...(missing > 0 ? [`If the chain began anew, delete ${wallet.file.path}`] : []),
  )
}

/** Sends a signed transaction, also one that was sent before, and waits until it is mined; undefined when another one used its nonce. */
const sendAndWait = async (wallet: Wallet, sent: SentTransaction, onSent?: () => void): Promise<Receipt | undefined> => {
  try {
    await wallet.rpc('eth_sendRawTransaction', [sent.raw])
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error
    if (!isAlreadyKnown(error) && !(await isUnderWay(wallet, sent))) throw await notTaken(wallet, sent, error)
  }
  onSent?.()
  return awaitEnd(wallet, sent)
}

/** A failure after which the outcome of a transaction is open, with its hash and the exit code of the failure. */
const withHash = (failure: unknown, hash: string): unknown => {
  if (!(failure instanceof CliError)) return failure
  const open = `The transaction ${hash} may have been sent and was not seen mined. The same command follows it and sends nothing twice.`
  const problem = { ...failure.problem, detail: `${failure.problem.detail} ${open}`, transactionHash: hash }
  return new CliError(failure.exit, problem, { cause: failure })
}

/** Brings a transaction that is on record to its end. It stays on record unless it failed or can no longer be mined: then undefined. */
export const settle = async (wallet: Wallet, sent: SentTransaction, onSent?: () => void): Promise<Receipt | undefined> => {
  const { rpc, file, context } = wallet
  try {
    const receipt = (await findSuccess(rpc, sent.hash)) ?? (await sendAndWait(wallet, sent, onSent))
    if (receipt === undefined) file.remove()
    return receipt
  } catch (error) {
    const { aborted, reason } = context.signal
    if (!(error instanceof CliError && error.exit === EXIT.refused)) throw withHash(aborted ? reason : error, sent.hash)
    // Its nonce is used: the wallet is free for another one.
    file.remove()
    throw error
  }
}

/** Follows what an earlier command of the wallet sent until it is mined. Returns it when it was mined and was sent for the same purpose. */
export const followEarlier = async (wallet: Wallet, purpose: string): Promise<SentTransaction | undefined> => {
  const { note } = wallet.context.output
  const sent = wallet.file.read()
  if (sent === undefined) return undefined
  note(`Following the transaction of an earlier command: ${sent.purpose}, ${sent.step}, ${sent.hash}`)
  const receipt = await settle(wallet, sent)
  note(
    receipt === undefined
      ? 'It can no longer be mined: another transaction of the wallet used its nonce.'
      : `It was mined in block ${Number(receipt.blockNumber)}.`,
  )
  return receipt !== undefined && sent.purpose === purpose ? sent : undefined
}
