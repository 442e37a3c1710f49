import { isProblem } from '../../src/problems.ts'
import { sleep } from '../../src/timing.ts'
import type { Client } from '../../src/types.ts'
import { textOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { EXIT, usageError } from '../failures.ts'
import { formatInstant } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { formatPairs, oneLine } from '../output/text.ts'
import { openSignedIn } from '../service/open.ts'
import { describeNext } from './draft.ts'
import { findRow, type PosterRow, parseId } from './place.ts'

/** Longest wait for an event before the row is read again: not every change of a row is an event. */
const WAIT_SECONDS = 10
/** Wait where the service takes no more waiting requests. */
const PAUSE_MS = 2_000

const hasFunding = ({ fundedAt }: PosterRow): boolean => fundedAt !== null

/** Whether a row has reached a state of `--until`. */
const REACHED: Readonly<Record<string, (row: PosterRow) => boolean>> = {
  live: ({ claimState, status }) => claimState !== null || status === 'settled',
  claimed: ({ claimState, sessionSummary }) => claimState === 'claimed' || sessionSummary !== undefined,
  submitted: ({ sessionSummary }) => sessionSummary?.submittedAt != null,
  judged: ({ sessionSummary }) => sessionSummary?.outcome != null,
  refunded: ({ status }) => status === 'cancelled',
}

/** Whether nothing changes a row any more without the poster. */
const isOver = (row: PosterRow): boolean =>
  ['cancelled', 'settled', 'mismatch'].includes(row.status) || (row.status === 'expired' && row.next.kind !== 'wait')

/** The state of a row in one word. */
const stateOf = ({ status, claimState, sessionSummary }: PosterRow): string => {
  if (status !== 'live') return status
  if (sessionSummary?.outcome != null) return 'judged'
  if (claimState === 'submitted' || claimState === 'claimed') return claimState
  return 'live'
}

const describeRow = (row: PosterRow): string => {
  const { sessionSummary, mismatch, reason } = row
  const parts = [
    mismatch === undefined ? undefined : `${mismatch.field} is ${mismatch.observed}, and the draft has ${mismatch.expected}`,
    sessionSummary?.outcome ?? undefined,
    sessionSummary === undefined ? undefined : `the work is ${sessionSummary.status.replaceAll('_', ' ')}`,
    reason,
  ].filter((part) => part !== undefined)
  return `${stateOf(row).padEnd(16)}  ${oneLine(parts.join('; '))}`.trimEnd()
}

const now = (): string => formatInstant(new Date().toISOString())

/** Waits for the next event of a job, or for a while. Returns the id from which the next wait begins. */
const awaitEvent = async (client: Client, jobId: string, after: string, signal: AbortSignal): Promise<string> => {
  try {
    return (await client.pollEvents({ jobId, after, waitSeconds: WAIT_SECONDS, limit: 1 }, { signal })).lastEventId
  } catch (error) {
    if (!isProblem(error, 'too_many_waits')) throw error
    await sleep(PAUSE_MS, signal)
    return after
  }
}

const describeEnd = (row: PosterRow): string[] => [
  ...formatPairs([
    ['Job', row.jobId],
    ['State', stateOf(row)],
    ['Verdict', row.sessionSummary?.outcome],
    ['Money back from', row.cancellation?.earliestAt == null || !hasFunding(row) ? null : formatInstant(row.cancellation.earliestAt)],
  ]),
  ...describeNext(row),
]

const getRow = async (client: Client, id: string, signal: AbortSignal): Promise<PosterRow> => {
  const row = await findRow(client, id, signal)
  if (row === undefined) throw usageError('This wallet has no draft and no job with that id.', 'agent-work post list')
  return row
}

/** `post watch`: shows each change of a posted job until it has ended, or has reached the state of `--until`. */
export const watchPosting = async (context: Context): Promise<Report> => {
  const { signal, output, options } = context
  const [, text = ''] = context.arguments
  const id = parseId(text, 'JOB')
  const until = textOption(options, 'until')
  const hasReached = until === undefined ? undefined : REACHED[until]
  const { client } = await openSignedIn(context)
  let row = await getRow(client, id, signal)
  // Before the row is read again: what happens between the two is in the events after this id.
  let { lastEventId } = await client.pollEvents({ jobId: row.jobId, limit: 1 }, { signal })
  for (let shown = ''; ; ) {
    row = await getRow(client, id, signal)
    const line = describeRow(row)
    if (line !== shown) output.progress(`${now()}  ${line}`)
    shown = line
    const isReached = hasReached?.(row) ?? false
    if (isReached || isOver(row))
      return {
        document: row,
        lines: describeEnd(row),
        exit: hasReached !== undefined && !isReached ? EXIT.refused : EXIT.done,
      }
    lastEventId = await awaitEvent(client, row.jobId, lastEventId, signal)
  }
}
