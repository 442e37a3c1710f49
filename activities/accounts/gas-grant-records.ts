import { sql } from 'kysely'
import { getAddress } from 'viem'
import type { GasGrantFacts, PriorGrant } from '../../domain/accounts/gas-grant.ts'
import { GAS_GRANT_RAW } from '../../domain/common/constants.ts'
import { known } from '../../domain/common/fact.ts'
import type { Hex } from '../../domain/common/hashes.ts'
import { utcDay } from '../../domain/common/instants.ts'
import { gasGrantWorkflowId } from '../../schemas/accounts/process.ts'
import type { FindLostStep } from '../chain/journal/lost.ts'
import { countFailedTries } from '../chain/journal/rows.ts'
import type { Rows } from '../database/database.ts'

/** The grant of a wallet; null for a wallet without one. */
const findGasGrant = async (rows: Rows, wallet: string): Promise<PriorGrant | null> => {
  const row = await rows.selectFrom('gas_grant').select(['status', 'intentHash', 'txHash']).where('wallet', '=', wallet).executeTakeFirst()
  return row === undefined ? null : { status: row.status, intentHash: row.intentHash as Hex, txHash: row.txHash as Hex | null }
}

const countGasGrants = async (rows: Rows, day: string): Promise<number> => {
  const { count } = await rows
    .selectFrom('gas_grant')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('day', '=', day)
    .executeTakeFirstOrThrow()
  return count
}

/** What the records say about the grant of a wallet at `now` (epoch ms). */
export const readGasGrantFacts = async (
  rows: Rows,
  wallet: string,
  now: number,
): Promise<Pick<GasGrantFacts, 'prior' | 'reservedToday'>> => {
  const [prior, reserved] = await Promise.all([findGasGrant(rows, wallet), countGasGrants(rows, utcDay(now))])
  return { prior: known(prior), reservedToday: known(reserved) }
}

/** Serializes reservations until the transaction ends, so that the count of a day is exact. */
export const lockGasGrants = async (rows: Rows): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('gas-grant'))`.execute(rows)
}

/** A grant without a mined transfer for this long has not paid. */
const STUCK_MS = 30 * 60_000
/** A refused gas grant is warned of for this long. */
const REFUSED_GRANT_MS = 7 * 86_400_000

/** Gas grants that did not pay: without a mined transfer after half an hour, or refused by the wallet in the last seven days. */
export const countUnpaidGrants = async (rows: Rows, now: number): Promise<number> => {
  const found = await rows
    .selectFrom('gas_grant')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where((where) =>
      where.or([
        where.and([where('status', '=', 'sending'), where('reservedAt', '<', now - STUCK_MS)]),
        where.and([where('status', '=', 'failed'), where('failedAt', '>', now - REFUSED_GRANT_MS)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return found.count
}

/** A gas grant that a restore lost. It gets the key of its wallet's grant: a later request of the wallet finds it paid. */
export const findLostGrant: FindLostStep = async (rows, { to, data, value }) => {
  if (to === null || data !== '0x' || value !== GAS_GRANT_RAW) return null
  const step = gasGrantWorkflowId(getAddress(to))
  return { key: `${step}/${await countFailedTries(rows, step, ['dead'])}`, functionName: 'grantGas' }
}
