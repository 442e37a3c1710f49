import { sql } from 'kysely'
import type { ChainLogRecord } from '../../domain/chain/log.ts'
import { type BlockSpan, LARGEST_PAGE, largerPage, nextPage, smallerPage } from '../../domain/chain/pages.ts'
import { canonicalJson } from '../../domain/common/canonical-json.ts'
import { type ChainScan, createChainScan, firstBlockOf } from '../chain/follower/scan.ts'
import { type AddFinding, type Audit, AuditUnreadError, type Check } from './context.ts'

/** Recorded events that are compared at once, unless a single block has more. */
const MAX_EVENTS = 5_000

type Compared = Pick<ChainLogRecord, 'txHash' | 'logIndex' | 'blockHash' | 'address' | 'event' | 'args'> & { blockNumber: string }

const keyOf = ({ txHash, logIndex }: Pick<Compared, 'txHash' | 'logIndex'>): string => `${txHash}/${logIndex}`
const describe = ({ event, args, blockHash }: Compared): string => `${event} ${canonicalJson(args)} in block ${blockHash}`

const listStored = async ({ rows, chain }: Audit, { from, to }: BlockSpan): Promise<Compared[]> => {
  const found = await sql<Compared>`
    select tx_hash as "txHash", log_index as "logIndex", block_number::text as "blockNumber", block_hash as "blockHash", address, event, args
    from chain_event where chain_id = ${chain.chainId} and removed_at is null and block_number between ${from} and ${to}`.execute(rows)
  return found.rows
}

/** Whether a span holds more recorded events than are compared at once. */
const isTooFull = async ({ rows, chain }: Audit, { from, to }: BlockSpan): Promise<boolean> => {
  const found = await sql<{ isFull: boolean }>`
    select count(*) > ${MAX_EVENTS} as "isFull" from (
      select 1 from chain_event where chain_id = ${chain.chainId} and block_number between ${from} and ${to} limit ${MAX_EVENTS + 1}) counted`.execute(
    rows,
  )
  return found.rows[0]?.isFull ?? false
}

const compare = (stored: readonly Compared[], logs: readonly ChainLogRecord[], add: AddFinding): void => {
  const known = new Map(stored.map((row) => [keyOf(row), row]))
  const report = (log: Compared, expected: string, found: string) =>
    add({ subject: `log ${log.logIndex} of ${log.txHash} in block ${log.blockNumber}`, expected, found })
  for (const log of logs) {
    const row = known.get(keyOf(log))
    known.delete(keyOf(log))
    const expected = { ...log, blockNumber: log.blockNumber.toString() }
    if (row === undefined) report(expected, describe(expected), 'no record')
    else if (describe(row) !== describe(expected) || row.address !== log.address) report(expected, describe(expected), describe(row))
  }
  for (const row of known.values()) report(row, 'no log', describe(row))
}

/** Logs of a page; the size of a smaller one if it is too full or the node refuses it. */
const readPage = async (audit: Audit, scan: ChainScan, span: BlockSpan): Promise<ChainLogRecord[] | { smaller: number }> => {
  const half = smallerPage(span)
  if (half !== null && (await isTooFull(audit, span))) return { smaller: half }
  try {
    const read = await scan.page(span)
    if (read.kind === 'read') return read.logs
  } catch (error) {
    if (half === null) throw error
    return { smaller: half }
  }
  throw new AuditUnreadError('the chain changed during the audit')
}

/** Compares the recorded events of the newest blocks with the logs of the node, through the reader of the follower. */
export const checkRecordedEvents: Check = async (audit, add) => {
  const { chain, client, block, blocks } = audit
  const scan = createChainScan(chain, client)
  const oldest = block.number - BigInt(blocks) + 1n
  const first = firstBlockOf(chain)
  let done = (oldest > first ? oldest : first) - 1n
  let size = LARGEST_PAGE
  for (let span = nextPage(done, block.number, size); span !== null; span = nextPage(done, block.number, size)) {
    const logs = await readPage(audit, scan, span)
    if ('smaller' in logs) size = logs.smaller
    else {
      compare(await listStored(audit, span), logs, add)
      done = span.to
      size = largerPage(size)
    }
  }
}
