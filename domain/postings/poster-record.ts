import type { PosterRecordView } from '../../schemas/catalogue/poster-record.ts'
import { isoOrNull } from '../common/instants.ts'
import { type Asset, assetAmount } from '../common/money.ts'

/** What the chain shows of a poster. Amounts in base units, instants in epoch ms. */
export interface PosterRecord {
  fundedJobs: number
  fundedRaw: bigint
  /** Submissions with a verdict, and those that got it in time. */
  judged: number
  judgedInTime: number
  /** Null without a verdict. */
  medianSecondsToVerdict: number | null
  lostDisputes: number
  cancelled: number
  /** First funding; null without one. */
  since: number | null
}

/** Record of a wallet that has funded nothing. */
export const NO_RECORD: PosterRecord = {
  fundedJobs: 0,
  fundedRaw: 0n,
  judged: 0,
  judgedInTime: 0,
  medianSecondsToVerdict: null,
  lostDisputes: 0,
  cancelled: 0,
  since: null,
}

/** Wire form of a poster's record. */
export const posterRecordView = (
  { fundedRaw, medianSecondsToVerdict: median, since, ...counts }: PosterRecord,
  asset: Asset,
): PosterRecordView => ({
  ...counts,
  funded: assetAmount(fundedRaw, asset),
  medianSecondsToVerdict: median === null ? null : Math.round(median),
  since: isoOrNull(since),
})
