import { appendFileSync, statSync, truncateSync } from 'node:fs'
import { readIfThere, writePrivate } from '../files.ts'

/** A transaction that Anvil accepted in the name of an account that has no key here, such as a contract: what `eth_sendTransaction` takes. */
export type UnsignedTransaction = { from: string; nonce: string } & Record<string, unknown>
/** Raw where it is signed. */
export type LoggedTransaction = string | UnsignedTransaction
/** One mined block with its transactions in order, enough to mine the same block again. */
export type LoggedBlock = { number: number; timestamp: number; hash: string; baseFeePerGas: string; transactions: LoggedTransaction[] }
/** State of block 0; with the same start and the same blocks a replay ends in the same hashes. */
export type ChainStart = {
  /** Epoch seconds. */
  genesisTimestamp: number
  /** Code of the stand-in for the System precompile. Absent in a chain that began without it. */
  systemCode?: string
}

export type ChainLog = {
  start: ChainStart
  blocks(): readonly LoggedBlock[]
  head(): LoggedBlock | undefined
  append(block: LoggedBlock): void
  /** Drops every block above a number, after the chain was rolled back. */
  rollBack(toNumber: number): void
}

/** Parses the lines of a log. Drops an incomplete last line; throws for a damaged line before it. */
const parse = (text: string, file: string): unknown[] => {
  const lines = text.split('\n')
  lines.pop()
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as unknown
    } catch (error) {
      throw new Error(`line ${index + 1} of ${file} is damaged: start with --fresh`, { cause: error })
    }
  })
}

const write = (file: string, start: ChainStart, blocks: LoggedBlock[]): void =>
  writePrivate(file, [start, ...blocks].map((line) => `${JSON.stringify(line)}\n`).join(''))

/** Opens the log of mined blocks, or creates it. */
export const openChainLog = (file: string, begin: ChainStart): ChainLog => {
  const [start = begin, ...rest] = parse(readIfThere(file) ?? '', file) as [ChainStart?, ...LoggedBlock[]]
  let blocks = rest
  write(file, start, blocks)
  return {
    start,
    blocks: () => blocks,
    head: () => blocks.at(-1),
    append(block) {
      const { size } = statSync(file)
      try {
        appendFileSync(file, `${JSON.stringify(block)}\n`)
      } catch (error) {
        // Removes a partly written line: with another one after it the log would be damaged.
        truncateSync(file, size)
        throw error
      }
      blocks.push(block)
    },
    rollBack(toNumber) {
      blocks = blocks.filter((block) => block.number <= toNumber)
      write(file, start, blocks)
    },
  }
}
