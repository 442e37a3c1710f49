// The last transaction that a wallet sent on a chain, until its command has reported it: a repeated command follows it instead of sending another one.
import { rmSync } from 'node:fs'
import { sleep } from '../../src/timing.ts'
import type { Context } from '../context.ts'
import { CliError, EXIT, refused } from '../failures.ts'
import { readFileIfThere, replacePrivate } from '../state/files.ts'
import { findReceipt, NodeRefusal, POLL_MS, type Receipt, type Rpc } from './rpc.ts'

export interface SentTransaction {
  hash: string
  /** The signed transaction. It is public once it is sent. */
  raw: string
  nonce: number
  /** What the command was asked to do, with its amount or job. */
  purpose: string
  step: string
  /** Whether the command is done when it is mined. */
  isLast: boolean
}

const isSent = (value: unknown): value is SentTransaction => {
  if (typeof value !== 'object' || value === null) return false
  const { hash, raw, nonce, purpose, step, isLast } = value as Partial<Record<keyof SentTransaction, unknown>>
  const texts = [hash, raw, purpose, step].every((member) => typeof member === 'string')
  return texts && typeof nonce === 'number' && typeof isLast === 'boolean'
}

const parse = (text: string | undefined): SentTransaction | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isSent(value) ? value : undefined
  } catch {
    return undefined
  }
}

type SentFile = ReturnType<typeof createSentFile>

/** The file of the last transaction of a wallet on a chain. */
export const createSentFile = ({ state }: Pick<Context, 'state'>, wallet: string, chainId: number) => {
  const path = state.transactionFile(wallet, chainId)
  return {
    path,
    read: (): SentTransaction | undefined => parse(readFileIfThere(path)),
    write: (sent: SentTransaction): void => {
      state.prepare()
      replacePrivate(path, JSON.stringify(sent))
    },
    remove: (): void => rmSync(path, { force: true }),
  }
}

/** What nodes say of bytes that they have and of a nonce that is used, in letters only: no code of JSON-RPC says it. */
const KNOWN_PHRASES = [
  'alreadyknown',
  'knowntransaction',
  'alreadyimported',
  'alreadyexist',
  'alreadyin',
  'noncetoolow',
  'oldnonce',
  'nonceused',
]

/** Whether a node says that it has a transaction, or that its nonce is used. The receipt tells which. */
export const isAlreadyKnown = ({ reason }: NodeRefusal): boolean => {
  const letters = reason.toLowerCase().replaceAll(/[^a-z]/g, '')
  return KNOWN_PHRASES.some((phrase) => letters.includes(phrase))
}

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

interface Sending {
  rpc: Rpc
  wallet: string
  file: SentFile
  signal: AbortSignal
}

/** Mined transactions of the wallet. */
const countMined = async (rpc: Rpc, wallet: string): Promise<number> =>
  Number(await rpc<string>('eth_getTransactionCount', [wallet, 'latest']))

/** Answers in a row that have to say so: behind one address there can be nodes that are not at the same block. */
const REPLACED_ANSWERS = 3

/** Waits for the receipt; undefined when another transaction of the wallet used the nonce. */
const awaitEnd = async ({ rpc, wallet, signal }: Sending, { hash, nonce }: SentTransaction): Promise<Receipt | undefined> => {
  for (let answers = 0; answers < REPLACED_ANSWERS; ) {
    const mined = await countMined(rpc, wallet)
    // After the count: the receipt can have come between the two answers.
    const receipt = await findSuccess(rpc, hash)
    if (receipt !== null) return receipt
    answers = mined > nonce ? answers + 1 : 0
    if (answers < REPLACED_ANSWERS) await sleep(POLL_MS, signal)
  }
  return undefined
}

/** Whether the chain shows that a transaction is under way although the node did not take it. */
const isUnderWay = async ({ rpc, wallet }: Sending, { hash, nonce }: SentTransaction): Promise<boolean> => {
  const known = await rpc<object | null>('eth_getTransactionByHash', [hash])
  return known !== null || (await countMined(rpc, wallet)) > nonce
}

/** The failure of a transaction that the node did not take. It stays on record: another node can have it. */
const notTaken = async ({ rpc, wallet, file }: Sending, { nonce }: SentTransaction, { reason }: NodeRefusal): Promise<CliError> => {
  const missing = nonce - (await countMined(rpc, wallet))
  const earlier = missing > 0 ? ` Before it ${missing} other transactions of the wallet have to be mined.` : ''
  return new CliError(EXIT.unknown, {
    title: 'The node does not take the transaction',
    code: 'transaction_not_taken',
    detail: `The node says: ${reason}.${earlier}`,
    advice: [
      'Repeat the same command, also with another --rpc URL.',
      `To give it up, send another transaction of the wallet with the nonce ${nonce}.`,
      ...(missing > 0 ? [`If the chain began anew, delete ${file.path}`] : []),
    ],
  })
}

/** Sends a signed transaction, also one that was sent before, and waits until it is mined; undefined when another one used its nonce. */
const sendAndWait = async (sending: Sending, sent: SentTransaction, onSent?: () => void): Promise<Receipt | undefined> => {
  try {
    await sending.rpc('eth_sendRawTransaction', [sent.raw])
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error
    if (!isAlreadyKnown(error) && !(await isUnderWay(sending, sent))) throw await notTaken(sending, sent, error)
  }
  onSent?.()
  return awaitEnd(sending, sent)
}

/** A failure after which the outcome of a transaction is open, with its hash and the exit code of the failure. */
const withHash = (failure: unknown, hash: string): unknown =>
  failure instanceof CliError
    ? new CliError(
        failure.exit,
        {
          ...failure.problem,
          detail: `${failure.problem.detail} The transaction ${hash} may have been sent and was not seen mined. The same command follows it and sends nothing twice.`,
          transactionHash: hash,
        },
        { cause: failure },
      )
    : failure

/** Brings a transaction that is on record to its end. It stays on record unless it failed or can no longer be mined: then undefined. */
export const settle = async (sending: Sending, sent: SentTransaction, onSent?: () => void): Promise<Receipt | undefined> => {
  const { rpc, file, signal } = sending
  try {
    const receipt = (await findSuccess(rpc, sent.hash)) ?? (await sendAndWait(sending, sent, onSent))
    if (receipt === undefined) file.remove()
    return receipt
  } catch (error) {
    if (!(error instanceof CliError && error.exit === EXIT.refused)) throw withHash(signal.aborted ? signal.reason : error, sent.hash)
    // Its nonce is used: the wallet is free for another one.
    file.remove()
    throw error
  }
}

/** Follows the transaction of an earlier command until it is mined. Returns it; undefined when there is none, or when it can no longer be mined. */
export const followSent = async (following: Sending & { note: (...lines: string[]) => void }): Promise<SentTransaction | undefined> => {
  const { file, note } = following
  const sent = file.read()
  if (sent === undefined) return undefined
  note(`Following the transaction of an earlier command: ${sent.purpose}, ${sent.step}, ${sent.hash}`)
  const receipt = await settle(following, sent)
  note(
    receipt === undefined
      ? 'It can no longer be mined: another transaction of the wallet used its nonce.'
      : `It was mined in block ${Number(receipt.blockNumber)}.`,
  )
  return receipt === undefined ? undefined : sent
}
