import { sql } from 'kysely'
import type { ClaimsShown } from '../../domain/locked-deposits/checks.ts'
import { type Rows, readRow } from '../database/database.ts'

/** Orders what binds the balance of a wallet (lower case), as claims and new locks do, until the transaction ends. */
export const lockBalance = async (rows: Rows, wallet: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`admission:${wallet}`}))`.execute(rows)
}

/** Claims with bonds that a reading of the chain does not show. */
export interface ClaimsUnderWay {
  claims: number
  bondsRaw: bigint
}

/**
 * What claims of a wallet (lower case) draw from a balance after it was read: those recorded at later blocks, and the open ones. The chain may
 * already have mined some of the open ones, which its count tells but not which; so the smallest bonds are taken for mined:
 * what is drawn can be overstated, never understated.
 */
export const claimsUnderWay = async (rows: Rows, wallet: string, { block, claimCount }: ClaimsShown): Promise<ClaimsUnderWay> => {
  const underWay = sql<{ claims: number; bondsRaw: string }>`
    with intent as (select bond_raw, claim_count from claim_intent where wallet = ${wallet} and status = 'open'),
      since as (select min(claim_count) as base, count(*) as open from intent),
      mined as (
        select ${claimCount} - base - (select count(*) from session where wallet = ${wallet} and claim_number > base and claim_number <= ${claimCount}) as count
        from since
      ),
      later as (
        select claim_stake_raw + claim_fee_raw as bond_raw from session where wallet = ${wallet} and claim_block > ${block}
        union all (select bond_raw from intent order by bond_raw desc limit (select open - greatest(0, least(count, open)) from since, mined))
      )
    select count(*)::integer as claims, coalesce(sum(bond_raw), 0) as "bondsRaw" from later`
  const { claims, bondsRaw } = await readRow(rows, underWay)
  return { claims, bondsRaw: BigInt(bondsRaw) }
}
