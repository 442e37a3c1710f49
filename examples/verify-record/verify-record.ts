// Checks a record without trusting the verdict of its service. See README.md.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkRecord, kindOf, readChainId, readHeads, readNow, reportLines, UNCHECKED } from './check.ts'
import { type Choice, getText, isObject, type Members, parseStrict, printable, Refused } from './encoding/json.ts'
import { addressOf } from './evidence.ts'
import { type State, stateOf } from './result.ts'
import { fetchHeads, KEY_SET_PATH } from './service.ts'
import type { SavedHead } from './session-log.ts'
import type { MinedTransaction } from './settlement-proof.ts'

const USAGE = `usage: verify-record <file or URL> [options]

Checks a badge, a work receipt, a funding receipt, a dispute file, or the answer of GET /session/timeline or GET /jobs/definition.

  --jwks FILE|URL    key set of the service (default: /.well-known/jwks.json of the record's own address)
  --chain ID         refuses a record of another chain
  --rpc URL          asks a node whether its chain has the block of the settlement or funding
  --heads FILE|URL   heads of the session log: a file written by --save-heads, or the address of the service
  --unpublished      accepts a history of which no head has an entry yet
  --now INSTANT      time to take for now, such as 2026-01-02T03:04:05.000Z: nothing may be dated after it (default: the clock of this computer)
  --save-heads URL   writes all heads with their lists to standard output, to keep them

Exit code: 0 Sound, 1 Not sound, 2 Not a record, or something could not be read, 3 Cannot be decided.`

const load = async (place: string): Promise<unknown> => {
  if (!/^https?:/.test(place)) return parseStrict(getText(readFileSync(place), place))
  const response = await fetch(place)
  if (!response.ok) throw new Error(`${place} answers ${response.status}`)
  return parseStrict(getText(await response.arrayBuffer(), place))
}

/** Loads what a record is checked with: a fault of it says nothing of the record. */
const loadEvidence = (place: string): Promise<unknown> =>
  load(place).catch((error) => {
    throw error instanceof Refused ? new Error(`${place} cannot be used: ${printable(error.message)}`) : error
  })

const loadHeads = async (place: string): Promise<SavedHead[]> =>
  readHeads(/^https?:/.test(place) ? await fetchHeads(place, loadEvidence) : await loadEvidence(place))

/** Whether an address is that of the key set of the service that a record names. */
const isOwnKeySet = (keys: string, record: unknown): boolean => {
  const address = addressOf(record as Members, kindOf(record))
  const own = address === null ? null : URL.parse(address.service + KEY_SET_PATH)
  return own !== null && URL.parse(keys)?.href === own.href
}

/** Asks a node whether it has the block of a transaction at its number, and the transaction in it. */
const checkNode = async ({ blockNumber, blockHash, transactionHash, chainId }: MinedTransaction, rpc: string): Promise<string> => {
  const ask = async (method: string, params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(rpc, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const answer = (await response.json()) as Members
    if (answer.error !== undefined) throw new Error(`${rpc} refuses ${method}`)
    return answer.result
  }
  if (Number(await ask('eth_chainId', [])) !== chainId) throw new Refused(`the node is of another chain than ${chainId}`)
  const block = await ask('eth_getBlockByNumber', [`0x${BigInt(blockNumber).toString(16)}`, false])
  if (!isObject(block)) throw new Error(`the node has no block ${blockNumber} yet`)
  if (block.hash !== blockHash) throw new Refused(`the chain of the node has another block ${blockNumber}`)
  const receipt = await ask('eth_getTransactionReceipt', [transactionHash])
  if (!isObject(receipt) || receipt.blockHash !== blockHash || receipt.status !== '0x1')
    throw new Refused('the node does not have its transaction in that block')
  return `The node at ${new URL(rpc).host} has that block and transaction in its chain ${chainId}.`
}

const checkArguments = async (args: readonly string[]): Promise<void> => {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      ...{ jwks: text, heads: text, chain: text, rpc: text, now: text, 'save-heads': text },
      unpublished: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  if (values.help) return console.log(USAGE)
  if (values['save-heads'] !== undefined) return console.log(JSON.stringify(await fetchHeads(values['save-heads'], loadEvidence)))
  const [place, ...more] = positionals
  if (place === undefined || more.length > 0) throw new Error(USAGE)
  const keys = values.jwks ?? (/^https?:/.test(place) ? new URL(KEY_SET_PATH, place).href : undefined)
  if (keys === undefined) throw new Error('a file needs --jwks')
  const heads = values.heads === undefined ? [] : await loadHeads(values.heads)
  const options = { heads, chainId: readChainId(values.chain), now: readNow(values.now), unpublished: values.unpublished }
  const record = await load(place)
  const keySet = await loadEvidence(keys)
  const report = await checkRecord(record, { keySet, isKeySetComplete: isOwnKeySet(keys, record), ...options })
  if (values.rpc !== undefined) {
    if (report.settlement === null) throw new Error('it has no transaction that a node could be asked about')
    report.proves.push(await checkNode(report.settlement, values.rpc))
    report.doesNotProve = report.doesNotProve.filter((line) => line !== UNCHECKED)
  }
  for (const line of reportLines(report)) console.log(line)
  console.log(`The key set is that of ${keys}.`)
}

/** Options for what the reader can choose. */
const HINTS: Readonly<Record<Choice, string>> = {
  now: ': --now takes another time for now',
  unpublished: '; --unpublished accepts that',
}
const refusalText = (refused: Refused): string =>
  `${stateOf(refused)}: ${printable(refused.message)}${refused.choice === null ? '' : HINTS[refused.choice]}.`

const EXIT_CODES: Readonly<Record<State, number>> = { Sound: 0, 'Not sound': 1, 'Not a record': 2, 'Cannot be decided': 3 }
/** Exit code where something could not be read. */
const UNREADABLE = 2

/** Checks what the arguments name and prints the result. Returns the exit code. */
export const verifyRecord = async (args: readonly string[]): Promise<number> => {
  try {
    await checkArguments(args)
    return EXIT_CODES.Sound
  } catch (error) {
    console.error(error instanceof Refused ? refusalText(error) : error instanceof Error ? error.message : error)
    return error instanceof Refused ? EXIT_CODES[stateOf(error)] : UNREADABLE
  }
}

if (import.meta.main) process.exitCode = await verifyRecord(process.argv.slice(2))
