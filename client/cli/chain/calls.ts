// Data of contract calls with static arguments. The command checks what the service built before it signs: nothing but the asked call.
import { refused } from '../failures.ts'
import { keccak } from '../key/address.ts'

const WORD = 64

/** First four bytes of a call, as hex digits. */
const selectorOf = (signature: string): string => keccak(Buffer.from(signature)).subarray(0, 4).toString('hex')

/** Address or number as an argument of 32 bytes. */
export const word = (value: string | bigint): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(WORD, '0')

/** Data of a call. */
export const encodeCall = (signature: string, ...words: readonly string[]): string => `0x${selectorOf(signature)}${words.join('')}`

/** Id of a job in the escrow contract: the id itself if it is 32 bytes of hex, else its hash. */
export const chainJobId = (jobId: string): string =>
  /^0x[0-9a-fA-F]{64}$/.test(jobId) ? jobId.toLowerCase() : `0x${keccak(Buffer.from(jobId)).toString('hex')}`

/** A transaction that the service built, with a name for people. */
export interface BuiltTransaction {
  step: string
  from?: string | undefined
  to: string
  data: string
  value?: string | undefined
  chainId: number
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Refuses a transaction that is not exactly the wanted call, moves native money, or is of another wallet or chain. */
export const assertCall = (
  built: BuiltTransaction,
  wanted: { signature: string; words: readonly (string | undefined)[]; wallet: string; chainId: number },
): void => {
  const refuse = (what: string): never => {
    throw refused(`The service built a transaction that ${what}. Nothing was sent.`)
  }
  const { signature, words, wallet, chainId } = wanted
  if (!ADDRESS.test(built.to)) refuse('has no contract')
  if (built.from !== undefined && built.from.toLowerCase() !== wallet) refuse('is of another wallet')
  if (built.chainId !== chainId) refuse(`is of another chain than ${chainId}`)
  if (built.value !== undefined && BigInt(built.value) !== 0n) refuse('moves native money')
  const [, selector, rest = ''] = /^0x([0-9a-f]{8})([0-9a-f]*)$/.exec(built.data.toLowerCase()) ?? []
  if (selector !== selectorOf(signature) || rest.length !== words.length * WORD) refuse(`is not ${signature}`)
  for (const [index, expected] of words.entries())
    if (expected !== undefined && rest.slice(index * WORD, (index + 1) * WORD) !== expected)
      refuse(`has another argument ${index + 1} than asked`)
}
