import { isProblem, type Schemas } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { type Column, table } from '../../look/list.ts'
import { words } from '../../look/texts.ts'
import { status } from '../../look/values.ts'
import type { View } from '../../view.ts'

/** What a verdict would do, as the API foretells it, or why the API would refuse it now. */
export interface DryRun {
  verdict: string
  /** Status of the session afterwards; unknown for a review. */
  becomes?: string
  money?: Schemas.VerdictMoney
  refusal?: string
}

/** A verdict that the API allows; the list of a newer API may have others. */
export type Verdict = 'upheld' | 'dismissed' | 'split' | 'timeout'

/** Shown to no reader of the dispute: a preview is not recorded. */
const RATIONALE = 'Dry run of the console, which records nothing.'

const orRefusal = async <Run extends DryRun>(verdict: string, ask: () => Promise<Run>): Promise<Run | DryRun> => {
  try {
    return await ask()
  } catch (error) {
    if (isProblem(error) && error.status !== 401) return { verdict, refusal: error.problem.detail }
    throw error
  }
}

/** Dry run of one verdict of an arbitrator; `more` has the amount of a split, and the preparation that it would replace. */
export const runOfVerdict = (
  { client }: Pick<View, 'client'>,
  disputeId: string,
  verdict: string,
  more: { workerPayout?: string; supersedes?: string } = {},
): Promise<DryRun> =>
  orRefusal(verdict, async () => {
    const answer = await client.decideDispute({
      id: disputeId,
      verdict: verdict as Verdict,
      ...more,
      rationale: RATIONALE,
      preview: true,
    })
    return 'preview' in answer ? { verdict, becomes: answer.sessionBecomes, money: answer.money } : { verdict }
  })

/** Dry run of a review, with the session as it is. */
interface ReviewRun extends DryRun {
  session?: Schemas.SessionSummary
}

/** Dry runs of both verdicts of a review. */
export const runsOfReview = ({ client }: Pick<View, 'client'>, sessionId: string): Promise<ReviewRun[]> =>
  Promise.all(
    (['approve', 'reject'] as const).map((verdict) =>
      orRefusal(verdict, async () => {
        const { money, session } = await client.decideReview({ id: sessionId, verdict, rationale: RATIONALE, preview: true })
        return { verdict, session, ...(money !== undefined && { money }) }
      }),
    ),
  )

type Money = Schemas.VerdictMoney

const AMOUNTS: readonly (readonly [name: string, of: (money: Money) => { display: string }])[] = [
  ['Worker', ({ worker }) => worker.payout],
  ['Bond back', ({ worker }) => worker.bondReturned],
  ['Poster refund', ({ poster }) => poster.refund],
  ['Poster slash', ({ poster }) => poster.slash],
  ['Fee', ({ treasury }) => treasury.fee],
  ['Treasury slash', ({ treasury }) => treasury.slash],
  ['Verifier', ({ verifier }) => verifier.feeShare],
  ['In escrow now', ({ held }) => held],
]

const COLUMNS: readonly Column<DryRun>[] = [
  { name: 'Verdict', cell: ({ verdict }) => html`<b>${words(verdict)}</b>` },
  ...AMOUNTS.map(([name, of]) => ({ name, cell: ({ money }: DryRun) => (money === undefined ? '–' : of(money).display), isAmount: true })),
  { name: 'Session becomes', cell: ({ becomes }) => (becomes === undefined ? '–' : status(becomes)) },
]

/** Verdict by verdict, who would get what. The amounts are those of the API. */
export const dryRunTable = (view: View, runs: readonly DryRun[]): Html => {
  const asset = runs.find(({ money }) => money !== undefined)?.money?.asset
  const possible = runs.filter(({ refusal }) => refusal === undefined)
  return html`${table('Who would get what', COLUMNS, possible, view, 'No verdict is possible now.')}${
    asset === undefined ? '' : html`<p class="soft">Amounts in ${asset}, as the API foretells them.</p>`
  }${runs.map(({ verdict, refusal }) => (refusal === undefined ? '' : html`<p><b>${words(verdict)}</b> is not possible now: ${refusal}</p>`))}`
}
