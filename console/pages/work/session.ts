import { isProblem, type Schemas } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { codeWords, factTable, identifier } from '../../../pages/parts.ts'
import { actionLinks } from '../../actions/action.ts'
import { closeSession, overturnRejection, runVerifier } from '../../actions/sessions.ts'
import { NoPage } from '../../http/failures.ts'
import { recordOf, textOf } from '../../look/guards.ts'
import { atDeadline, reasonWords, waitWords } from '../../look/reasons.ts'
import { timeline } from '../../look/timeline.ts'
import { deadline, disputeLink, jobLink, link, status, walletLink, when, workflowAddress } from '../../look/values.ts'
import type { Content, Page, View } from '../../view.ts'
import { moneyDiagram, transactionTable } from './money.ts'
import { submissionView, verdictView } from './verdict.ts'

type Session = Schemas.Session

const titleOf = ({ jobSnapshot, jobId }: Session): string => textOf(recordOf(jobSnapshot.specDefinition).title) ?? jobId

/** Most workflows that the queue names. */
const MOST_STOPS = 200

const workflowLinks = (settings: View['settings'], workflows: Readonly<Record<string, string | undefined>>): Html => {
  const known = Object.entries(workflows).flatMap(([name, id]) => (id === undefined ? [] : [[name, id] as const]))
  return html`${known.map(([name, id], place) => {
    const text = codeWords(name.replaceAll(/([A-Z])/g, ' $1'))
    const to = workflowAddress(settings, id)
    const shown = to === undefined ? html`${text} ${identifier(id)}` : link(to, text)
    return html`${place === 0 ? '' : ', '}${shown}`
  })}`
}

/** A workflow of a session that a person has to help; null without one, undefined where this is not known now. */
type Stop = Schemas.QueueRow | null | undefined

const findStop = async ({ access, client }: View, sessionId: string): Promise<Stop> => {
  if (!access.may('listQueue')) return null
  try {
    const { items } = await client.listQueue({ kind: 'blocked', limit: MOST_STOPS })
    return items.find((row) => row.sessionId === sessionId) ?? null
  } catch (error) {
    if (isProblem(error)) return undefined
    throw error
  }
}

const stopFact = (stop: Stop, settings: View['settings']): Html | string | null => {
  if (stop === null) return null
  if (stop === undefined) return 'not known now'
  return html`${reasonWords(stop.reason)} The last failure is in the ${workflowLinks(settings, { workflow: stop.workflowId })}; ${link('/health', 'Health')} says whether money can move.`
}

const waitFacts = (session: Session, { now, settings }: View, stop: Stop): Html => {
  const { waitingFor, reason, heldBecause, disposition, deadline: until } = session
  const then = until === undefined ? null : atDeadline(session.status)
  return factTable([
    ['State', html`${status(session.status)} since ${when(session.since, now)}`],
    ['Waits for', waitingFor ? waitWords(waitingFor) : 'nothing: it is over'],
    ['Why', reasonWords(heldBecause ?? reason)],
    ['Blocked', stopFact(stop, settings)],
    ['Verdict', disposition === undefined ? null : codeWords(disposition)],
    ['Deadline', until === undefined ? null : deadline(until, now)],
    ['At the deadline', then],
    ['Can be disputed', session.disputableUntil === undefined ? null : deadline(session.disputableUntil, now)],
    ['Refused submission', session.submitFailureCode ? reasonWords(session.submitFailureCode) : null],
  ])
}

const subjectFacts = (session: Session, money: Schemas.SessionMoney | null, { settings, access }: View): Html => {
  const dispute = session.disputeId ?? session.disputeResolution?.disputeId
  return factTable([
    ['Session', identifier(session.sessionId)],
    ['Job', jobLink(session.jobId)],
    ['Wallet', access.may('listAdminWallets') ? walletLink(session.wallet) : identifier(session.wallet)],
    ['Dispute', dispute === undefined ? null : access.may('getDispute') ? disputeLink(dispute) : dispute],
    ['State in the escrow', session.chainState === null ? 'not read yet' : codeWords(session.chainState)],
    ['Workflows', money === null ? null : workflowLinks(settings, money.workflow)],
  ])
}

const divergenceNote = ({ chainStateDivergence: found, operatorClose: closed }: Session): Html | string => {
  if (!found) return ''
  return html`<p class="note">The record expected ${codeWords(found.expected)}, the escrow shows ${codeWords(found.observed)}.${
    closed ? html` An operator closed the session as ${codeWords(closed.outcome)}: ${closed.note}` : ''
  }</p>`
}

const actionsOf = (view: View, session: Session): Html | string => {
  const { sessionId, disputableUntil, operatorClose, chainStateDivergence } = session
  const isOverturnable = session.status === 'rejected' && disputableUntil !== undefined && Date.parse(disputableUntil) > view.now
  const isClosable = (chainStateDivergence && !operatorClose) || session.status === 'expired'
  return actionLinks(view, [
    ...(session.status === 'submitted' ? [[runVerifier, { sessionId }] as const] : []),
    ...(isOverturnable ? [[overturnRejection, { sessionId }] as const] : []),
    ...(isClosable ? [[closeSession, { sessionId }] as const] : []),
  ])
}

const moneyPart = (money: Schemas.SessionMoney | null, { now, settings }: View): Html | string =>
  money === null
    ? ''
    : html`<h2>Money</h2>${moneyDiagram(money)}<h2>Transactions</h2>${transactionTable(money, now, settings.EXPLORER_URL)}`

const show = async (view: View): Promise<Content> => {
  const { sessionId } = view.query
  if (!sessionId) throw new NoPage()
  const { access, client, now, settings } = view
  const [found, money, stop] = await Promise.all([
    client.getSessionTimeline({ sessionId }),
    access.may('getSessionMoney') ? client.getSessionMoney({ sessionId }) : null,
    findStop(view, sessionId),
  ])
  const { session, verification, timeline: entries } = found
  const why = session.waitingFor ? `Waits for ${waitWords(session.waitingFor)}.` : 'Over.'
  return {
    title: titleOf(session),
    lead: html`${status(session.status)} ${why} ${reasonWords(session.heldBecause ?? session.reason)}${stop ? ` ${reasonWords(stop.reason)}` : ''}`,
    body: html`${actionsOf(view, session)}${divergenceNote(session)}
<div class="two"><div>${waitFacts(session, view, stop)}</div><div>${subjectFacts(session, money, view)}</div></div>
${moneyPart(money, view)}
${verification ? html`<h2>Verdict</h2>${verdictView(verification, now)}` : ''}
${session.submission ? html`<h2>Submission</h2>${submissionView(session.submission, sessionId)}` : ''}
<h2>Timeline</h2>${timeline(entries, { now, explorer: settings.EXPLORER_URL })}`,
    live: { sessionId },
    raw: { operation: 'getSessionTimeline', input: { sessionId } },
  }
}

/** One session: what it waits for, its money, verdict, submission and history. */
export const session: Page = { path: '/session', name: 'Session', operations: ['getSessionTimeline'], show }
