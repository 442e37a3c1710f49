import { sql } from 'kysely'
import { canonicalJson } from '../../../domain/common/canonical-json.ts'
import { formatCheckpoint } from '../../../domain/pool/checkpoint.ts'
import { foldPoolEvents, NO_VESTING } from '../../../domain/pool/vesting.ts'
import { listPoolEvents } from '../../pool/records.ts'
import { type AddFinding, type Audit, type Check, PAGE, readPages } from '../context.ts'

const listCheckpoints = ({ rows, chain, block }: Audit, after: string) =>
  rows
    .selectFrom('vesting_checkpoint')
    .selectAll()
    .where('chainId', '=', chain.chainId)
    .where('pool', '=', chain.contracts.depositPool?.address.toLowerCase() ?? '')
    .where('upToBlock', '<=', block.number)
    .where('wallet', '>', after)
    .orderBy('wallet')
    .limit(PAGE)
    .execute()

type Checkpoint = Awaited<ReturnType<typeof listCheckpoints>>[number]

/** The checkpoint that all recorded events up to its last log give. */
const rebuild = async ({ rows, chain }: Audit, { wallet, upToBlock, upToLog }: Checkpoint): Promise<string> => {
  const last = BigInt(upToBlock)
  const events = await listPoolEvents(rows, chain, wallet, last)
  const counted = events.filter(({ blockNumber, logIndex }) => blockNumber < last || logIndex <= upToLog)
  return canonicalJson(formatCheckpoint(foldPoolEvents(NO_VESTING, counted, 0)))
}

/** Vested deposits without a recorded deposit. */
const checkDeposits = async ({ rows, chain }: Audit, add: AddFinding): Promise<void> => {
  const found = await sql<{ wallet: string; txHash: string; logIndex: number }>`
    select v.wallet, v.tx_hash as "txHash", v.log_index as "logIndex" from vested_tranche v
    where v.chain_id = ${chain.chainId} and not exists (
      select 1 from chain_event e
      where e.chain_id = v.chain_id and e.tx_hash = v.tx_hash and e.log_index = v.log_index and e.contract = 'pool' and e.event = 'Deposit'
        and e.args->>'owner' = v.wallet)`.execute(rows)
  for (const { wallet, txHash, logIndex } of found.rows)
    add({ subject: `vested deposit ${txHash}/${logIndex} of wallet ${wallet}`, expected: 'a recorded deposit', found: 'none' })
}

/** Compares every checkpoint with the vesting of all recorded events. */
export const checkVesting: Check = async (audit, add) => {
  for await (const page of readPages<Checkpoint>((last) => listCheckpoints(audit, last?.wallet ?? '')))
    for (const checkpoint of page) {
      const expected = await rebuild(audit, checkpoint)
      const found = canonicalJson(checkpoint.state)
      if (found !== expected) add({ subject: `checkpoint of wallet ${checkpoint.wallet}`, expected, found })
    }
  await checkDeposits(audit, add)
}
