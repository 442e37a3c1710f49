import { isProblem, type Schemas } from '../../client/src/index.ts'
import { html } from '../../pages/html.ts'
import { codeWords, factTable } from '../../pages/parts.ts'
import { recordOf } from '../look/guards.ts'
import { reasonWords } from '../look/reasons.ts'
import { address, deadline, status } from '../look/values.ts'
import { verdictView } from '../pages/work/verdict.ts'
import type { View } from '../view.ts'
import { type Action, reasonField } from './action.ts'

const idOf = ({ query }: View): string => query.sessionId ?? ''
const to = (view: View) => ({ to: address('/session', { sessionId: idOf(view) }) })

const read = async (view: View): Promise<Schemas.Session> => (await view.client.getSessionTimeline({ sessionId: idOf(view) })).session

const factsOf = (session: Schemas.Session, more: Parameters<typeof factTable>[0] = []) =>
  factTable([
    ['Session', session.sessionId],
    ['Worker', session.wallet],
    ['State', status(session.status)],
    ['Why', reasonWords(session.reason)],
    ['Bond', `${session.totalClaimLock} ${session.badgeSnapshot.rewardAsset}`],
    ['State in the escrow', session.chainState === null ? null : codeWords(session.chainState)],
    ...more,
  ])

/** Ends a session that can no longer progress. */
export const closeSession: Action = {
  name: 'close-session',
  title: 'Close the session',
  operation: 'closeSession',
  reads: ['getSessionTimeline'],
  subject: ['sessionId'],
  isFinal: true,
  preview: async (view) => {
    const session = await read(view)
    const found = session.chainStateDivergence
    return {
      lead: 'The session ends in the record. No money moves: the API refuses while the escrow holds money for it, or a workflow runs.',
      facts: factsOf(session, [
        ['Difference', found ? `expected ${codeWords(found.expected)}, escrow ${codeWords(found.observed)}` : null],
      ]),
      fields: [
        {
          name: 'outcome',
          label: 'It ended as',
          kind: 'choice',
          options: [
            ['closed', 'closed: the escrow ended it'],
            ['timed_out', 'timed out: the claim ran out'],
          ],
          isRequired: true,
        },
        reasonField('Recorded with your wallet, the time and the state of the escrow; 500 characters at most.'),
      ],
      button: 'Close the session',
    }
  },
  run: async (view, { outcome, reason = '' }, key) => {
    await view.client.closeSession({ sessionId: idOf(view), outcome: outcome as 'closed', note: reason }, { idempotencyKey: key })
    return to(view)
  },
  done: 'The session is closed.',
}

/** Opens the dispute of a rejection for its worker. */
export const overturnRejection: Action = {
  name: 'overturn-session',
  title: 'Overturn the rejection',
  operation: 'overturnSession',
  reads: ['getSessionTimeline'],
  subject: ['sessionId'],
  isFinal: true,
  preview: async (view) => {
    const session = await read(view)
    return {
      lead: 'The dispute of the rejection is opened for its worker. An arbitrator then decides who gets the reward and the bond.',
      facts: factsOf(session, [['Possible', deadline(session.disputableUntil, view.now)]]),
      fields: [reasonField('Why the rejection is wrong; at least 10 characters. The arbitrator reads it.')],
      button: 'Open the dispute',
    }
  },
  run: async (view, { reason = '' }, key) => {
    await view.client.overturnSession({ sessionId: idOf(view), note: reason }, { idempotencyKey: key })
    return to(view)
  },
  done: 'The dispute of the rejection is open.',
}

/** What the verifier would decide now, by the API's own preview; why there is none, where the API refuses it. */
const rehearse = async (view: View) => {
  try {
    const verdict = await view.client.runVerifier({ sessionId: idOf(view), preview: true })
    return html`<h2>It would decide</h2>${verdictView(recordOf(verdict), view.now)}`
  } catch (error) {
    if (!isProblem(error) || error.status === 401) throw error
    return html`<p class="note">There is no preview. ${error.problem.title}: ${error.problem.detail}</p>`
  }
}

/** Judges a submission now. */
export const runVerifier: Action = {
  name: 'run-verifier',
  hasNoReason: true,
  title: 'Run the verifier now',
  operation: 'runVerifier',
  reads: ['getSessionTimeline'],
  subject: ['sessionId'],
  isFinal: true,
  preview: async (view) => {
    const [session, preview] = await Promise.all([read(view), rehearse(view)])
    return {
      lead: 'The verifier judges the stored submission, and its verdict is settled on chain.',
      facts: html`${factsOf(session)}${preview}`,
      fields: [],
      button: 'Run it and settle',
    }
  },
  run: async (view, _sent, key) => {
    await view.client.runVerifier({ sessionId: idOf(view) }, { idempotencyKey: key })
    return to(view)
  },
  done: 'The verifier has judged the submission.',
}

export const SESSION_ACTIONS: readonly Action[] = [closeSession, overturnRejection, runVerifier]
