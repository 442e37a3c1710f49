import type { ChainContract } from './topics.ts'

/** One decoded log, as the follower stores it. */
export interface ChainLogRecord {
  /** 32 bytes hex. */
  txHash: string
  logIndex: number
  blockNumber: bigint
  blockHash: string
  /** Epoch ms. */
  blockTime: number
  /** Lower case. */
  address: string
  contract: ChainContract
  /** Name in the contract's interface, or `Unknown`. */
  event: string
  /** Output of `plainArgs`. */
  args: Record<string, unknown>
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

const toPlain = (value: unknown): unknown => {
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString()
  if (typeof value === 'string') return ADDRESS.test(value) ? value.toLowerCase() : value
  if (Array.isArray(value)) return value.map(toPlain)
  return typeof value === 'object' && value !== null ? plainArgs({ ...value }) : value
}

/** Decoded arguments as plain JSON: integers as digit strings, addresses in lower case. */
export const plainArgs = (args: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, toPlain(value)]))

const jobArgument = ({ contract, args }: ChainLogRecord): string | null =>
  contract === 'escrow' && typeof args.jobId === 'string' ? args.jobId : null

/**
 * Escrow job of each log: its own argument, else the only job of its transaction. Bond, badge and payment logs carry no job. Null when the
 * transaction touches no job or several.
 */
export const jobsOfLogs = (logs: readonly ChainLogRecord[]): (string | null)[] => {
  const touched = new Map<string, Set<string>>()
  for (const log of logs) {
    const job = jobArgument(log)
    if (job !== null) touched.set(log.txHash, (touched.get(log.txHash) ?? new Set()).add(job))
  }
  return logs.map((log) => {
    const own = jobArgument(log)
    if (own !== null) return own
    const jobs = [...(touched.get(log.txHash) ?? [])]
    return jobs.length === 1 ? (jobs[0] ?? null) : null
  })
}

/** Address arguments that are no party of the event. */
const OTHER_ADDRESSES: ReadonlySet<string> = new Set(['asset', 'treasuryAccount', 'verifierRecipient'])

/** Distinct parties of an event, lower case. */
export const partiesOf = (args: Record<string, unknown>): string[] => [
  ...new Set(
    Object.entries(args).flatMap(([name, value]) =>
      typeof value === 'string' && ADDRESS.test(value) && !OTHER_ADDRESSES.has(name) ? [value] : [],
    ),
  ),
]
