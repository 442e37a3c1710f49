import { isProblem, type Schemas } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { factTable, identifier } from '../../../pages/parts.ts'
import { actionLinks } from '../../actions/action.ts'
import { decideDispute } from '../../actions/disputes.ts'
import { decideReview } from '../../actions/reviews.ts'
import { NoPage } from '../../http/failures.ts'
import { inAsset } from '../../look/amounts.ts'
import { quoted, words } from '../../look/texts.ts'
import { deadline, jobLink, sessionLink, status, transaction, when, withTimes } from '../../look/values.ts'
import type { Page, View } from '../../view.ts'
import { dryRunTable, runOfVerdict, runsOfReview } from './dry-run.ts'
import { evidenceColumns, maySign, party, preparedTransaction, roundTable, timeline } from './parts.ts'

/** The signed file of an ended dispute; null before it is signed. */
const fileOf = async ({ client, access }: View, { id, status: standing }: Schemas.Dispute): Promise<Schemas.DisputeFile | null> => {
  if (standing !== 'resolved' || !access.may('getDisputeFile')) return null
  try {
    return await client.getDisputeFile({ id })
  } catch (error) {
    if (isProblem(error, 'dispute_file_not_ready', 'dispute_file_impossible')) return null
    throw error
  }
}

const isUndecided = ({ status: standing, verdict }: Schemas.Dispute): boolean => standing === 'open' && verdict === null

const acts = (view: View, dispute: Schemas.Dispute): Html | string => {
  const { id: disputeId, sessionId, stage, preparation } = dispute
  if (isUndecided(dispute))
    return actionLinks(view, [[decideDispute, { disputeId }], ...(stage === 'review' ? [[decideReview, { sessionId }] as const] : [])])
  return dispute.status === 'open' && preparation !== undefined
    ? actionLinks(view, [[decideDispute, { disputeId, supersedes: preparation.preparationId }]])
    : ''
}

const standing = (view: View, dispute: Schemas.Dispute): Html =>
  factTable([
    ['Worker', party(view, dispute.claimant)],
    ['Poster', party(view, dispute.respondent)],
    [
      'State',
      html`${status(dispute.status)} ${words(dispute.stage)}, opened by ${words(dispute.origin)} ${when(dispute.openedAt, view.now)}`,
    ],
    ['Reason', words(dispute.reason)],
    ['Session', html`${sessionLink(dispute.sessionId)} ${status(dispute.sessionStatus)}`],
    ['Job', jobLink(dispute.jobId)],
    ['On chain', dispute.chainState === null ? 'unknown' : words(dispute.chainState)],
    ['Reward left', inAsset(dispute.remainingPayout, dispute.asset)],
    ['Bond', `${inAsset(dispute.totalClaimLock, dispute.asset)}: stake ${dispute.stakedAmount.display}, fee ${dispute.claimFee.display}`],
    ['Deadline', dispute.deadline === null ? null : deadline(dispute.deadline, view.now)],
    ['What comes', dispute.nextActions[0] === undefined ? null : withTimes(dispute.nextActions[0].description ?? '')],
  ])

/** The verdict of a dispute, and who gave it; nothing before one. */
const verdictFacts = (view: View, dispute: Schemas.Dispute): Html | string => {
  const { verdict, decidedBy, decidedAt, source, chainStatus, workerPayout, release, txHash, rationale, payoutMismatch } = dispute
  if (verdict === null) return ''
  const by = decidedBy === undefined ? 'unknown' : /^0x[0-9a-f]{40}$/i.test(decidedBy) ? party(view, decidedBy) : words(decidedBy)
  return html`<h2>Verdict</h2>${factTable([
    ['Verdict', status(verdict)],
    ['Decided by', html`${by}${source === undefined ? '' : `, as ${words(source)}`}`],
    ['When', decidedAt === undefined ? null : when(decidedAt, view.now)],
    ['On chain', chainStatus === undefined ? null : chainStatus === 'submitted' ? 'not yet' : words(chainStatus)],
    ['Worker gets', workerPayout === undefined ? null : inAsset(workerPayout, dispute.asset)],
    [
      'Differs',
      payoutMismatch ? `The chain paid another amount than was recorded: ${inAsset(dispute.preparedPayout, dispute.asset)}.` : null,
    ],
    ['Bond', release === null ? null : `${inAsset(release.amount, dispute.asset)}, ${words(release.action.replaceAll('-', ' '))}`],
    ['Transaction', txHash === undefined ? null : transaction(txHash, view.settings.EXPLORER_URL)],
    ['Reasoning', dispute.reasoningHash === undefined ? null : identifier(dispute.reasoningHash)],
  ])}${rationale === undefined ? '' : quoted(rationale)}`
}

const dryRuns = async (view: View, dispute: Schemas.Dispute): Promise<Html | string> => {
  if (!isUndecided(dispute)) return ''
  const [verdicts, reviewed] = await Promise.all([
    view.access.may('decideDispute')
      ? Promise.all(dispute.arbitration.allowedVerdicts.map((verdict) => runOfVerdict(view, dispute.id, verdict)))
      : [],
    dispute.stage === 'review' && view.access.may('decideReview') ? runsOfReview(view, dispute.sessionId) : [],
  ])
  return html`${verdicts.length === 0 ? '' : html`<h2>What each verdict would do</h2>${dryRunTable(view, verdicts)}`}
${reviewed.length === 0 ? '' : html`<h2>What the review would do</h2>${dryRunTable(view, reviewed)}`}`
}

/** One dispute: who against whom, about what, and what each verdict would do. */
export const dispute: Page = {
  path: '/dispute',
  name: 'Dispute',
  operations: ['getDispute'],
  show: async (view) => {
    const id = view.query.disputeId
    if (!id) throw new NoPage()
    const one = await view.client.getDispute({ id })
    const [file, runs] = await Promise.all([fileOf(view, one), dryRuns(view, one)])
    return {
      title: `Dispute ${one.id}`,
      lead: isUndecided(one)
        ? 'Read the work beside its terms, then decide. The first verdict counts.'
        : one.status === 'open'
          ? 'A verdict is recorded and not on chain yet.'
          : 'This dispute has ended.',
      body: html`${acts(view, one)}${standing(view, one)}${verdictFacts(view, one)}${preparedTransaction(view, one)}${runs}
${evidenceColumns(one, file, view.now)}${file === null ? '' : roundTable(file, view)}${timeline(one, view.now)}`,
      live: { sessionId: one.sessionId },
      usesWallet: maySign(view, one),
      raw: { operation: 'getDispute', input: { id } },
    }
  },
}
