import { sql } from 'kysely'
import type { NeedCheck } from '../../domain/catalogue/readiness.ts'
import { type Rows, readRow } from '../database/database.ts'
import type { StoredReading } from './reward-bank.ts'

/** What a page tells of the reward bank. */
export type ReadBank = Pick<
  StoredReading,
  'liquidRaw' | 'posterFeeBps' | 'posterFeeFloorRaw' | 'stakeBps' | 'feeBps' | 'minFeeRaw' | 'ageSeconds'
>
type ReadNeed = Pick<NeedCheck, 'reason' | 'checkedAt' | 'ageSeconds'>

/** What every page of the job list is built from, beside the jobs. */
export interface ListState {
  /** Changes with every list answer. */
  version: string
  /** Newest reading of the reward bank; null before the first. */
  reading: ReadBank | null
  /** Last check of every need, by need. */
  needs: ReadonlyMap<string, ReadNeed>
}

/** Members of a reading whose amounts travel as text, for JSON would round them. */
type Written = Pick<ReadBank, 'posterFeeBps' | 'stakeBps' | 'feeBps' | 'ageSeconds'> &
  Record<'liquidRaw' | 'posterFeeFloorRaw' | 'minFeeRaw', string>

interface Row {
  version: string
  reading: Written | null
  needs: ({ need: string } & ReadNeed)[] | null
}

const parseReading = ({ liquidRaw, posterFeeFloorRaw, minFeeRaw, ...reading }: Written): ReadBank => ({
  ...reading,
  liquidRaw: BigInt(liquidRaw),
  posterFeeFloorRaw: BigInt(posterFeeFloorRaw),
  minFeeRaw: BigInt(minFeeRaw),
})

/** Reads the state of the list in one statement: every request for a page asks for it. */
export const readListState = async (rows: Rows, asset: string): Promise<ListState> => {
  const statement = sql<Row>`
    select
      version::text as version,
      (select json_build_object(
        'liquidRaw', liquid_raw::text, 'posterFeeBps', poster_fee_bps, 'posterFeeFloorRaw', poster_fee_floor_raw::text,
        'stakeBps', stake_bps, 'feeBps', fee_bps, 'minFeeRaw', min_fee_raw::text, 'ageSeconds', extract(epoch from now() - read_at))
        from reward_bank_reading where asset = ${asset}) as reading,
      (select json_agg(json_build_object(
        'need', need, 'reason', reason, 'checkedAt', extract(epoch from checked_at) * 1000,
        'ageSeconds', extract(epoch from now() - checked_at)) order by need)
        from verdict_need) as needs
    from catalogue_version where id = 1`
  const { version, reading, needs } = await readRow(rows, statement)
  return {
    version,
    reading: reading === null ? null : parseReading(reading),
    needs: new Map((needs ?? []).map(({ need, ...check }) => [need, check])),
  }
}
