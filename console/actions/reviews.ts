import { html } from '../../pages/html.ts'
import { factTable } from '../../pages/parts.ts'
import { NoPage } from '../http/failures.ts'
import { address, jobLink, sessionLink, status } from '../look/values.ts'
import { dryRunTable, runsOfReview } from '../pages/disputes/dry-run.ts'
import { party } from '../pages/disputes/parts.ts'
import { type Action, reasonField } from './action.ts'

/** Verdict of a reviewer on a session that waits for a person. */
export const decideReview: Action = {
  name: 'decide-review',
  title: 'Decide the review',
  operation: 'decideReview',
  subject: ['sessionId'],
  isFinal: true,
  preview: async (view) => {
    const { sessionId } = view.query
    if (!sessionId) throw new NoPage()
    const runs = await runsOfReview(view, sessionId)
    const session = runs.find((run) => run.session !== undefined)?.session
    return {
      lead: 'approve: the worker is paid. reject: the worker is not paid, and can dispute it.',
      facts: html`${factTable([
        ['Session', html`${sessionLink(sessionId)} ${session === undefined ? '' : status(session.status)}`],
        ['Job', session && jobLink(session.jobId)],
        ['Worker', session && party(view, session.wallet)],
      ])}<h2>What each verdict would do</h2>${dryRunTable(view, runs)}`,
      fields: [
        {
          name: 'verdict',
          label: 'Verdict',
          kind: 'choice',
          options: [
            ['', 'choose one'],
            ['approve', 'approve'],
            ['reject', 'reject'],
          ],
          isRequired: true,
        },
        { ...reasonField('At least 10 characters. The worker reads it.'), label: 'Rationale' },
      ],
      button: 'Decide the review',
    }
  },
  run: async ({ client, query }, { verdict = '', reason = '' }, key) => {
    const { sessionId = '' } = query
    await client.decideReview({ id: sessionId, verdict: verdict as 'approve' | 'reject', rationale: reason }, { idempotencyKey: key })
    return { to: address('/session', { sessionId }) }
  },
  done: 'The verdict of the review is recorded.',
}
