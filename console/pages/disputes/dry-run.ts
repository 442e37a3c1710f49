import { isProblem, type Schemas } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { rowTable } from '../../../pages/parts.ts'
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

const HEAD = [
  'Verdict',
  'Worker: pay',
  'Worker: bond back',
  'Poster: refund',
  'Poster: of the bond',
  'Treasury: fee',
  'Treasury: of the bond',
  'Verifier',
  'Stays in escrow',
  'Session becomes',
] as const

const amountsOf = ({ worker, poster, treasury, verifier, held }: Schemas.VerdictMoney): string[] =>
  [worker.payout, worker.bondReturned, poster.refund, poster.slash, treasury.fee, treasury.slash, verifier.feeShare, held].map(
    ({ display }) => display,
  )

/** Verdict by verdict, who would get what. The amounts are those of the API. */
export const dryRunTable = (runs: readonly DryRun[]): Html => {
  const asset = runs.find(({ money }) => money !== undefined)?.money?.asset
  const possible = runs.filter(({ refusal }) => refusal === undefined)
  const refused = runs.filter(({ refusal }) => refusal !== undefined)
  return html`${rowTable(
    asset === undefined ? 'Who would get what' : `Who would get what, in ${asset}`,
    HEAD,
    possible.map(({ verdict, money, becomes }) => [
      html`<b>${words(verdict)}</b>`,
      ...(money === undefined ? Array<string>(8).fill('–') : amountsOf(money)),
      becomes === undefined ? '–' : status(becomes),
    ]),
    'No verdict is possible now.',
  )}${asset === undefined ? '' : html`<p class="soft">Amounts in ${asset}, as the API foretells them.</p>`}${refused.map(
    ({ verdict, refusal = '' }) => html`<p><b>${words(verdict)}</b> is not possible now: ${refusal}</p>`,
  )}`
}
