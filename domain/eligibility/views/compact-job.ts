import { definitionPath } from '../../catalogue/job-definition.ts'
import { amountText } from '../../common/money.ts'
import { pick } from '../../common/pick.ts'
import type { ClaimBond } from '../claim-economics.ts'
import type { Evaluation } from '../evaluate.ts'
import type { JobFacts } from './definition.ts'

/** Largest row in bytes of JSON with an id of up to 60 characters, which stands in it twice, and longest title. Source: http, "GET /jobs". */
const ROW_BYTES = 400
const TITLE_LENGTH = 80

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Text on one line, cut between words to at most `most` characters. */
export function shorten(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  const cut = line.slice(0, most - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > 0 ? cut.slice(0, space) : cut).toWellFormed()}…`
}

/** A title of at most 80 characters that takes at most `room` bytes of JSON. */
const titleWithin = (title: string, room: number): string => {
  for (let most = TITLE_LENGTH; ; most -= 1) {
    const short = shorten(title, most)
    // The quotes stand in the row already.
    if (most === 1 || bytesOf(short) - 2 <= room) return short
  }
}

/** Whether the job can be claimed now; by the wallet of the evaluation where there is one. */
export const canBeClaimed = ({ claimStatus }: Pick<JobFacts, 'claimStatus'>): boolean =>
  claimStatus.currentWalletCanClaim ?? claimStatus.claimable

/**
 * Compact row of one job. `reason` is that of its evaluation, and `bond` that of a claim without waiver, null when its policy is unknown. The
 * title takes what the other members leave of the row.
 */
export function serveCompact(facts: JobFacts, { reason, bond }: { reason: Evaluation['reason']; bond: ClaimBond | null }) {
  const { job, pinned, decimals } = facts
  const definition = pinned ?? job.definition
  const inUnits = (raw: bigint): string => amountText(raw, { decimals, symbol: job.rewardAsset })
  const row = {
    id: job.id,
    title: '',
    ...pick(definition, 'tier', 'category', 'verifierMode'),
    reward: inUnits(job.rewardRaw),
    bond: bond === null ? null : inUnits(bond.lockRaw),
    waiverEligible: definition.onboardingWaiverEligible,
    claimable: canBeClaimed(facts),
    reason,
    claimTtlSeconds: definition.claimTtlSeconds,
    definitionUrl: definitionPath(job.id),
  }
  return { ...row, title: titleWithin(definition.title, ROW_BYTES - bytesOf(row)) }
}
