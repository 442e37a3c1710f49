import type { Schemas } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { factTable, identifier, rowTable, state, type Tone } from '../../../pages/parts.ts'
import { reasonWords } from '../../look/reasons.ts'
import { memberOf, openValue, quoted, words } from '../../look/texts.ts'
import { walletLink, when } from '../../look/values.ts'
import { walletButtons } from '../../session/pages.ts'
import type { View } from '../../view.ts'

/** A wallet: a link for a reader who has its page. */
export const party = ({ access }: Pick<View, 'access'>, wallet: string | null): Html | string =>
  wallet === null ? '–' : access.may('listAdminWallets') ? walletLink(wallet) : identifier(wallet)

const RESULTS: Readonly<Record<string, Tone>> = { met: 'good', unmet: 'bad' }

/** Checks of a verdict. */
const itemTable = (items: readonly { criterion: string; result: string; evidence: string | null }[]): Html =>
  rowTable(
    'Checks of the verdict',
    ['Check', 'Result', 'Evidence'],
    items.map(({ criterion, result, evidence }) => [
      words(criterion),
      state(words(result), RESULTS[result] ?? 'off'),
      evidence === null ? '–' : html`<code>${evidence}</code>`,
    ]),
    'This verdict has no checks.',
  )

/** A verdict as the evidence holds it, whose form is that of its handler. */
const openVerdict = (verdict: unknown): Html => {
  const items = memberOf(verdict, 'items')
  const isTable = Array.isArray(items) && items.every((item) => typeof item?.criterion === 'string' && typeof item?.result === 'string')
  const { outcome, reasonCode, ...others } = Object.fromEntries(
    ['outcome', 'reasonCode', 'handler', 'score', 'detail'].map((name) => [name, memberOf(verdict, name)]),
  )
  const shown = (value: unknown) => (value === undefined ? null : typeof value === 'object' ? openValue(value) : String(value))
  return html`${factTable([
    ['Outcome', shown(outcome)],
    ['Why', typeof reasonCode === 'string' ? reasonWords(reasonCode) : shown(reasonCode)],
    ['Detail', shown(others.detail)],
    ['Score', shown(others.score)],
    ['Verifier', shown(others.handler)],
  ])}
${isTable ? itemTable(items) : ''}<details><summary>Verdict as JSON</summary>${openValue({ verdict })}</details>`
}

const verdictsOf = (evidence: Schemas.Dispute['evidence'], file: Schemas.DisputeFile | null): Html =>
  file === null
    ? (memberOf(evidence.after, 'verification') ?? null) === null
      ? html`<p>No verdict was given before the dispute.</p>`
      : openVerdict(memberOf(evidence.after, 'verification'))
    : html`${file.verdicts.map(
        ({ handler, version, outcome, reasonCode, items }) =>
          html`<h3>${words(outcome)} by ${words(handler)} ${version}</h3><p>${words(reasonCode)}</p>${itemTable(items)}`,
      )}`

/** Work as it was submitted: a structured one by its members. */
const work = (submission: unknown): Html => openValue(memberOf(submission, 'structured') ?? submission)

/** Terms beside the work and the words of the worker. */
export const evidenceColumns = ({ evidence, statement }: Schemas.Dispute, file: Schemas.DisputeFile | null, now: number): Html => {
  const requirements = memberOf(evidence.before, 'requirements')
  return html`<div class="two"><section><h2>Terms</h2>
<h3>${String(memberOf(evidence.before, 'jobTitle') ?? 'Job')}</h3>
${openValue(memberOf(requirements, 'description'))}
${factTable([['Form of the work', String(memberOf(requirements, 'outputSchemaRef') ?? '–')]])}
<h3>Rules of the verifier</h3>${openValue(memberOf(requirements, 'verifierConfig'))}
</section><section><h2>Work</h2>
${work(memberOf(evidence.after, 'submission'))}
<h2>Statement of the worker</h2>
${statement === null ? html`<p>The worker gave no statement.</p>` : html`${quoted(statement.text)}<p class="soft">${when(statement.at, now)}</p>`}
<h2>Verdict in dispute</h2>
${verdictsOf(evidence, file)}</section></div>`
}

/** Decisions of the rounds so far; of an ended dispute from its signed file. */
export const roundTable = ({ rounds }: Schemas.DisputeFile, view: View): Html =>
  html`<h2>Rounds</h2>${rowTable(
    'Rounds',
    ['Round', 'Verdict', 'By', 'When', 'Worker got', 'Rationale'],
    rounds.map(({ round, verdict, by, at, workerPayout, rationale }) => [
      round,
      words(verdict),
      /^0x[0-9a-f]{40}$/i.test(by) ? party(view, by) : words(by),
      when(at, view.now),
      workerPayout === null ? '–' : `${workerPayout.display} ${workerPayout.asset}`,
      rationale === null ? '–' : quoted(rationale),
    ]),
    'No round was decided.',
  )}`

/** What happened, oldest first. */
export const timeline = ({ timeline: entries }: Schemas.Dispute, now: number): Html =>
  html`<h2>Timeline</h2><ol class="steps">${entries.map(
    ({ at, actor, action, data }) =>
      html`<li><b>${words(action)}</b> ${when(at, now)}<p class="soft">${words(actor)}</p>${
        Object.keys(data).length === 0 ? '' : html`<details><summary>Details</summary>${openValue(data)}</details>`
      }</li>`,
  )}</ol>`

/** Whether the contract takes the prepared transaction now: the API then names it as the next step. */
const isDue = ({ nextActions }: Schemas.Dispute): boolean => nextActions.some(({ kind }) => kind === 'transaction')

/** Whether the reader's wallet can sign the prepared transaction. */
export const maySign = ({ access }: Pick<View, 'access'>, dispute: Schemas.Dispute): boolean =>
  access.roles.includes('arbitrator') && access.kind === 'wallet' && isDue(dispute)

/** A prepared transaction in words, and for the arbitrator the buttons that sign it. */
export const preparedTransaction = (view: View, dispute: Schemas.Dispute): Html | string => {
  const { preparation } = dispute
  if (preparation === undefined || dispute.status === 'resolved') return ''
  const { to, data, value, chainId, function: name, args } = preparation.transaction
  const sent = JSON.stringify({ to, data, value, chainId, from: view.access.wallet })
  return html`<h2>Transaction to sign</h2><p>The service has no key of the arbitrator. It prepared the verdict; the arbitrator’s wallet signs and sends it.</p>
${factTable([
  ['Verdict', dispute.verdict === null ? null : words(dispute.verdict)],
  ['Contract', identifier(to)],
  ['Function', html`<code>${name}</code>`],
  ['Arguments', html`<ol>${args.map((one) => html`<li><code>${one === '' ? 'empty' : one}</code></li>`)}</ol>`],
  ['Value', value],
  ['Chain', chainId],
  ['Prepared', when(preparation.preparedAt, view.now)],
])}<details><summary>Data</summary><pre tabindex="0">${data}</pre></details>
${
  maySign(view, dispute)
    ? html`<div data-transaction="${sent}">${walletButtons('Sign with')}</div><noscript><p>This browser runs no scripts. Sign the data above with your own tool.</p></noscript>`
    : html`<p>${isDue(dispute) ? 'An arbitrator who has signed in with a wallet signs it here.' : 'It can be signed once the dispute is open on chain.'}</p>`
}`
}
