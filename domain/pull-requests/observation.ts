import type { CodehostLookup, Disposition } from '../../schemas/pull-requests/record.ts'
import { type Hex, keccakOf } from '../common/hashes.ts'
import { wordsOfChecks } from './ci-summary.ts'
import { isPartial } from './lookup.ts'

const printsOf = ({ checkState = { statuses: [], runs: [] } }: CodehostLookup) => ({
  statuses: checkState.statuses.map(({ context, state }) => `${context}=${state}`).sort(),
  runs: checkState.runs.map(({ name, status, conclusion }) => `${name}=${status}/${conclusion}`).sort(),
})

/** What one reading of a pull request shows beside those before it. */
export interface Seen {
  /** True once it was seen to differ from its first reading. */
  changed: boolean
  /** True while it is open and checks of its code have not ended. */
  checksAreDue: boolean
}

/**
 * What a change of a pull request shows in: merged, state, head commit and checks, and what a worker may mend by writing (footer,
 * issue reference, claimant line) or a maintainer by reviewing. Null while the host was not read. Source: lifecycle, "Review loop".
 */
export function fingerprintOf(lookup: CodehostLookup): Hex | null {
  if (lookup.status !== 'verified') return null
  const { merged, state, headSha, partial, reviewState, issueReferenced, disclosureFooterPresent, claimantBinding } = lookup
  return keccakOf({
    ...{ merged, state, headSha, partial, reviewState, issueReferenced, disclosureFooterPresent, claimantBinding },
    ...printsOf(lookup),
  })
}

/** What is seen of the work itself, beside its checks. */
const pageOf = ({ merged, state, headSha }: CodehostLookup): string => JSON.stringify([merged, state, headSha])
const textOf = ({ issueReferenced, disclosureFooterPresent, claimantBinding }: CodehostLookup): string =>
  JSON.stringify([issueReferenced, disclosureFooterPresent, claimantBinding])

type Words = ReturnType<typeof wordsOfChecks>

/** A look as it is kept: with all that the checks have said so far, which one look alone does not show while they run again. */
export type KeptLookup = CodehostLookup & { heard?: Words }

const SILENT: Words = { runs: [], statuses: [], passedGates: [], openGates: [] }
const wordsOf = ({ checkState }: CodehostLookup): Words =>
  checkState === undefined ? SILENT : wordsOfChecks(checkState.statuses, checkState.runs)
const heardBy = (kept: KeptLookup): Words => kept.heard ?? wordsOf(kept)

const joined = (first: readonly string[], more: readonly string[]): string[] => [...new Set([...first, ...more])]

/** A look with what was heard before it. */
export function keptLookup(before: KeptLookup | null, now: CodehostLookup): KeptLookup {
  const [known, heard] = [before === null ? SILENT : heardBy(before), wordsOf(now)]
  return {
    ...now,
    heard: {
      runs: joined(known.runs, heard.runs),
      statuses: joined(known.statuses, heard.statuses),
      passedGates: joined(known.passedGates, heard.passedGates),
      openGates: joined(known.openGates, heard.openGates),
    },
  }
}

/**
 * Whether a check said something that it had never said before: one of the code ended, or ended otherwise, or a gate that stood open lets the
 * work pass. One that begins, goes away, says the same again or is set aside says nothing.
 */
function checksSpoke(before: KeptLookup, now: CodehostLookup): boolean {
  const isRead = (part: 'status' | 'checkRuns'): boolean => [before, now].every(({ partial }) => partial?.[part] !== 'unavailable')
  if (before.checkState === undefined || !isRead('checkRuns')) return false
  const [known, heard] = [heardBy(before), wordsOf(now)]
  if (heard.runs.some((word) => !known.runs.includes(word))) return true
  // Without its runs nobody knows which statuses count.
  if (!isRead('status')) return false
  return (
    heard.statuses.some((word) => !known.statuses.includes(word)) ||
    heard.passedGates.some((gate) => known.openGates.includes(gate) && !known.passedGates.includes(gate))
  )
}

/**
 * Whether a pull request is another one than it was seen before: its merge, its state, its head, what its checks say or what its text
 * names. What could not be read at one of the two looks is no change, nor is a review: anybody may ask for changes and take that back.
 */
export function hasChanged(before: KeptLookup, now: CodehostLookup): boolean {
  if (before.status !== 'verified' || now.status !== 'verified') return false
  if (pageOf(before) !== pageOf(now) || checksSpoke(before, now)) return true
  const isReadable = [before, now].every(({ prBodyReadable }) => prBodyReadable !== false)
  return isReadable && textOf(before) !== textOf(now)
}

/**
 * Whether checks of an open pull request have still to speak: they run, a maintainer has to let them, or they spoke of it before and say
 * nothing now, as right after a push. Where none ever spoke there may be none.
 */
export function checksAreDue(before: KeptLookup | null, now: CodehostLookup): boolean {
  if (now.merged === true) return false
  if (now.ciStatus === 'pending' || now.pendingMaintainerApproval === true) return true
  if (now.ciStatus !== 'unknown' || before === null) return false
  const { runs, statuses } = heardBy(before)
  return runs.length > 0 || statuses.length > 0
}

/** What an unsettled pull request waits for, as operators sort their queue. Source: lifecycle, "Review loop". */
export function dispositionOf(lookup: CodehostLookup): Disposition {
  if (lookup.status !== 'verified') return 'awaiting_evidence'
  if (lookup.merged !== true) return lookup.state === 'open' ? 'waiting_for_merge' : 'operator_review'
  // A merge is beyond doubt only where every part of it was read.
  return isPartial(lookup) ? 'awaiting_evidence' : 'operator_review'
}
