import { type RawBuilder, sql } from 'kysely'
import type { PublicClient } from 'viem'
import type { BlockPoint } from '../../domain/chain/pages.ts'
import type { AuditFinding } from '../../schemas/audit/record.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { SigningKey } from '../common/document-signing.ts'
import type { Database, Rows } from '../database/database.ts'

/** Rows, wallets or transactions that a check holds in memory at once. */
export const PAGE = 500
/** Records and chain may differ for this long, ms: a step writes its record after its receipt. */
export const SETTLING_MS = 600_000

/** The chain on which runs are paid, as the audit reads it. */
export interface AuditedPayments {
  chainId: number
  /** As the records name the chain. */
  network: string
  client: PublicClient
  /** Blocks on top of a payment before it counts. */
  confirmations: number
}

export interface AuditDeps {
  database: Database
  chain: ChainFile
  /** Client of the node; its requests may take seconds. */
  client: PublicClient
  /** Reads the configured key of badges and receipts. */
  readKey: () => Promise<SigningKey>
  /** Service clock, epoch ms. */
  now: () => number
  /** Number of newest blocks whose events are compared with the node. */
  blocks?: number
  /** The chain on which runs are paid; null or absent where payments are not configured. */
  payments?: AuditedPayments | null
}

/** An audit that runs: its dependencies and the block whose state it reads. */
export interface Audit extends Required<Omit<AuditDeps, 'payments'>>, Pick<AuditDeps, 'payments'> {
  rows: Rows
  block: BlockPoint
}

export type AddFinding = (finding: AuditFinding) => void
export type Check = (audit: Audit, add: AddFinding) => Promise<void>

/** Something that a check needs is not there. */
export class AuditUnreadError extends Error {}

/** Pages of a list, each read after the last row of the one before. */
export async function* readPages<Row>(list: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let page = await list(undefined); page.length > 0; page = await list(page.at(-1))) yield page
}

/** Values as pages. */
export const pagesOf = <T>(values: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(values.length / PAGE) }, (_, index) => values.slice(index * PAGE, (index + 1) * PAGE))

/** Maps values page by page, a page at once. */
export const mapPages = async <T, Mapped>(values: readonly T[], map: (value: T) => Promise<Mapped>): Promise<Mapped[]> => {
  const mapped: Mapped[] = []
  for (const page of pagesOf(values)) mapped.push(...(await Promise.all(page.map(map))))
  return mapped
}

/** Condition for recorded events of one contract up to the block of the audit. */
export const eventsOf = ({ chain, block }: Audit, address: string): RawBuilder<boolean> =>
  sql`chain_id = ${chain.chainId} and address = ${address.toLowerCase()} and removed_at is null and block_number <= ${block.number}`

export const sumRaw = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n)

/** Names and values of some members, as a finding shows them. */
export const describeParts = (parts: Record<string, unknown>): string =>
  Object.entries(parts)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/** What a record must show, and what it shows. */
export type Contradiction = Pick<AuditFinding, 'expected' | 'found'>

/** Compares some members of a record; null if they agree. */
export const compareMembers = (expected: Record<string, unknown>, record: Record<string, unknown>): Contradiction | null => {
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, record[name]]))
  const texts = { expected: describeParts(expected), found: describeParts(found) }
  return texts.expected === texts.found ? null : texts
}

/** Value of a stored JSON text; undefined for a text that is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
