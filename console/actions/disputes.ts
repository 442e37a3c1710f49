import type { Schemas } from '../../client/src/index.ts'
import { type Html, html } from '../../pages/html.ts'
import { factTable } from '../../pages/parts.ts'
import { NoPage, Refusal } from '../http/failures.ts'
import { baseUnits, inAsset } from '../look/amounts.ts'
import { words } from '../look/texts.ts'
import { address, deadline, disputeLink, link, when } from '../look/values.ts'
import { type DryRun, dryRunTable, runOfVerdict, type Verdict } from '../pages/disputes/dry-run.ts'
import { party } from '../pages/disputes/parts.ts'
import type { View } from '../view.ts'
import { type Action, type Field, reasonField } from './action.ts'

const disputeOf = ({ client, query }: View): Promise<Schemas.Dispute> => {
  if (!query.disputeId) throw new NoPage()
  return client.getDispute({ id: query.disputeId })
}

/** Amount of a split in base units. Only a split has one: what the reader typed is never left out in silence. */
const payoutOf = (verdict: string, typed: string, { remainingPayout }: Schemas.Dispute): { workerPayout?: string } => {
  if (typed.trim() === '') return {}
  if (verdict !== 'split') throw new Refusal(400, 'Only a split has an amount. Choose split, or leave the amount empty.')
  return { workerPayout: baseUnits(typed, remainingPayout.decimals) }
}

const supersedesOf = ({ query }: View): { supersedes?: string } => (query.supersedes ? { supersedes: query.supersedes } : {})

/** Dry run of the verdict that the address names, with its amount. */
const chosenRun = async (view: View, dispute: Schemas.Dispute): Promise<DryRun | undefined> => {
  const { verdict, workerPayout = '' } = view.query
  if (!verdict || workerPayout.trim() === '') return undefined
  try {
    return await runOfVerdict(view, dispute.id, verdict, { ...payoutOf(verdict, workerPayout, dispute), ...supersedesOf(view) })
  } catch (error) {
    if (error instanceof Refusal) return { verdict, refusal: error.message }
    throw error
  }
}

const options = ({ arbitration }: Schemas.Dispute) => [
  ['', 'choose one'] as const,
  ...arbitration.allowedVerdicts.map((verdict) => [verdict, words(verdict)] as const),
]

/** Form that shows what a split of another amount would do. It changes nothing. */
const splitForm = ({ query }: View, { id, asset }: Schemas.Dispute): Html =>
  html`<form class="filters" action="/do/decide-dispute"><input type="hidden" name="disputeId" value="${id}"><input type="hidden" name="verdict" value="split">${
    query.supersedes ? html`<input type="hidden" name="supersedes" value="${query.supersedes}">` : ''
  }<div><label for="f-payout">Split with ${asset} for the worker</label><input id="f-payout" name="workerPayout" value="${query.verdict === 'split' ? (query.workerPayout ?? '') : ''}" inputmode="decimal" maxlength="100" autocomplete="off"></div><button>Preview the split</button></form>`

/** What another verdict, given meanwhile, means for this form. */
const effectOf = ({ query }: View, { id: disputeId, status, preparation }: Schemas.Dispute): Html | string => {
  if (status === 'resolved' || preparation === undefined) return 'The first verdict counts.'
  const { preparationId: supersedes } = preparation
  return query.supersedes === supersedes
    ? 'It is not signed yet; your verdict replaces it.'
    : html`It is not signed yet: ${link(address('/do/decide-dispute', { disputeId, supersedes }), 'replace it')}, or sign it.`
}

const decided = (view: View, dispute: Schemas.Dispute): Html | string => {
  const { verdict, decidedBy = 'unknown', decidedAt } = dispute
  return verdict === null
    ? ''
    : html`<p class="note">${/^0x/.test(decidedBy) ? party(view, decidedBy) : words(decidedBy)} decided this dispute ${when(decidedAt, view.now)}: ${words(verdict)}. ${effectOf(view, dispute)}</p>`
}

const facts = async (view: View, dispute: Schemas.Dispute): Promise<Html> => {
  const more = supersedesOf(view)
  const isOpen = dispute.verdict === null || more.supersedes !== undefined
  const [runs, chosen] = isOpen
    ? await Promise.all([
        Promise.all(dispute.arbitration.allowedVerdicts.map((verdict) => runOfVerdict(view, dispute.id, verdict, more))),
        chosenRun(view, dispute),
      ])
    : [[], undefined]
  return html`${decided(view, dispute)}${factTable([
    ['Dispute', disputeLink(dispute.id)],
    ['Worker', party(view, dispute.claimant)],
    ['Poster', party(view, dispute.respondent)],
    ['Reward left', inAsset(dispute.remainingPayout, dispute.asset)],
    ['Bond', inAsset(dispute.totalClaimLock, dispute.asset)],
    ['Deadline', dispute.deadline === null ? null : deadline(dispute.deadline, view.now)],
  ])}${runs.length === 0 ? '' : html`<h2>What each verdict would do</h2>${dryRunTable(view, runs)}${splitForm(view, dispute)}`}
${chosen === undefined ? '' : html`<h2>With ${view.query.workerPayout ?? ''} ${dispute.asset} for the worker</h2>${dryRunTable(view, [chosen])}`}`
}

const fields = ({ query }: View, dispute: Schemas.Dispute): Field[] => [
  { name: 'verdict', label: 'Verdict', kind: 'choice', options: options(dispute), value: query.verdict ?? '', isRequired: true },
  {
    name: 'workerPayout',
    label: `Amount for the worker, in ${dispute.asset}`,
    kind: 'number',
    value: query.workerPayout ?? '',
    hint: `For a split only, at most ${inAsset(dispute.remainingPayout, dispute.asset)}. Empty: the amount of the table above.`,
  },
  { ...reasonField('At least 20 characters. Both parties read it, and its hash goes on chain.'), label: 'Rationale' },
]

/** The verdict of an arbitrator. Without a key of the arbitrator the service answers with a transaction to sign. */
export const decideDispute: Action = {
  name: 'decide-dispute',
  title: 'Decide the dispute',
  operation: 'decideDispute',
  reads: ['getDispute'],
  subject: ['disputeId'],
  isFinal: true,
  preview: async (view) => {
    const dispute = await disputeOf(view)
    return {
      lead: 'upheld: the rejection stands. dismissed: the worker is right and is paid. split: the worker gets a part.',
      facts: await facts(view, dispute),
      fields: fields(view, dispute),
      button: 'Decide the dispute',
    }
  },
  run: async (view, { verdict = '', workerPayout = '', reason = '' }, key) => {
    const dispute = await disputeOf(view)
    const input = { ...payoutOf(verdict, workerPayout, dispute), ...supersedesOf(view) }
    await view.client.decideDispute({ id: dispute.id, verdict: verdict as Verdict, rationale: reason, ...input }, { idempotencyKey: key })
    return { to: address('/dispute', { disputeId: dispute.id }) }
  },
  done: 'The verdict is recorded.',
}
