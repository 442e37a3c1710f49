import type { AgentBadge } from '../../src/generated/operations.ts'
import type { Answer, Client } from '../../src/types.ts'
import type { Context } from '../context.ts'
import { formatInstant, wholeUnits } from '../output/amounts.ts'
import { commandFor, describeActions } from '../output/next-actions.ts'
import type { Report } from '../output/output.ts'
import { formatPairs, oneLine } from '../output/text.ts'
import { openSignedIn } from '../service/open.ts'
import { findSessionId } from '../service/sessions.ts'

type SessionState = Answer<'getSession'>
type Verdict = Answer<'getVerificationResult'>

/** One state as a line: when, what, and who has to act. */
const describeState = (state: SessionState): string => {
  if (state.status === 'pending') return `${formatInstant(new Date().toISOString())}  pending    ${oneLine(state.stage)}`
  const { since, status, waitingFor, deadline, reason } = state
  const wait = waitingFor == null ? (reason ?? '') : `waits for the ${waitingFor.replaceAll('_', ' ')}`
  const until = waitingFor != null && deadline !== undefined ? ` until ${formatInstant(deadline)}` : ''
  return `${formatInstant(since)}  ${status.padEnd(9)}  ${oneLine(wait)}${until}`.trimEnd()
}

const describeBadge = ({ name, external_url, service: { reward } }: AgentBadge): [string, string][] => [
  ['Reward', `${wholeUnits(BigInt(reward.amount), reward.decimals)} ${reward.asset}, paid into the account`],
  ['Badge', name],
  ['', external_url],
]

const describeEnd = (session: SessionState, verdict: Verdict | null, badge: AgentBadge | null): string[] => {
  const outcome =
    verdict?.outcome === undefined ? null : `${verdict.outcome}${verdict.reasonCode === undefined ? '' : ` (${verdict.reasonCode})`}`
  if (badge !== null) return formatPairs([['Verdict', outcome], ...describeBadge(badge)])
  const { sessionId, jobId, nextActions } = session
  const facts = { sessionId, jobId }
  const actions = nextActions.filter((action) => !commandFor(action, facts)?.startsWith('agent-work watch'))
  return [...formatPairs([['Verdict', outcome]]), ...describeActions(actions, facts)]
}

/** Follows a session and says every change of it; its verdict and badge are the report. */
export const followSession = async ({ signal, output }: Context, client: Client, sessionId: string): Promise<Report> => {
  let last: SessionState | undefined
  for await (const state of client.watch(sessionId, { signal })) {
    last = state
    output.progress(describeState(state))
    // A rejection waits for the worker for days: to dispute it, or not.
    if (state.status === 'rejected') break
  }
  signal.throwIfAborted()
  const session = last ?? (await client.getSession({ sessionId }, { signal }))
  const isSubmitted = session.status !== 'pending' && session.submittedAt != null
  const verdict = isSubmitted ? await client.getVerificationResult({ sessionId }, { signal }) : null
  const badge = session.status === 'resolved' ? await client.getBadge({ sessionId }, { signal }) : null
  return { document: { session, verdict, badge }, lines: describeEnd(session, verdict, badge) }
}

/** `watch`: every change of a session, then its verdict and badge. */
export const watch = async (context: Context): Promise<Report> => {
  const { client } = await openSignedIn(context)
  return followSession(context, client, await findSessionId(client, context))
}
