import { z } from 'zod'
import { ADMIN, operation } from '../operations/operation.ts'
import {
  AddressInput,
  IdempotencyKeyInput,
  JobIdInput,
  listAnswer,
  listQuery,
  literal,
  SESSION_EXAMPLE,
  SessionIdInput,
  trimmedText,
} from '../operations/values.ts'
import { CompactSessionShape } from './compact-shapes.ts'
import { SESSION_ORDERS, SESSION_STATUSES, SESSION_VIEWS, WAITING_FOR } from './record.ts'
import { SessionRowShape, SessionShape } from './shapes.ts'

export const closeSession = operation('closeSession', 'POST /admin/sessions/close', {
  summary: 'End a session that can no longer progress.',
  description:
    'Only when the escrow holds no money for it, has not paid for work that is still submitted here, and no workflow of it runs. The chain state is recorded with the note. A diverged session stays diverged and is marked as closed.',
  ...ADMIN,
  capability: 'jobs:lifecycle',
  rate: 'admin_jobs',
  idempotent: 'admin_sessions_close',
  body: z.strictObject({
    sessionId: SessionIdInput,
    outcome: z.enum(['timed_out', 'closed']),
    note: trimmedText(1, 500).describe('Why, for the record.'),
    idempotencyKey: IdempotencyKeyInput.optional(),
  }),
  responses: { 200: SessionShape },
  errors: [
    'session_not_found',
    'session_already_closed',
    'session_process_running',
    'session_money_unsettled',
    'invalid_session_transition',
    'blockchain_unavailable',
    'workflow_engine_unavailable',
  ],
  examples: { body: { sessionId: SESSION_EXAMPLE, outcome: 'timed_out', note: 'The claim was timed out on chain by hand.' } },
})

export const listAdminSessions = operation('listAdminSessions', 'GET /admin/sessions', {
  fromReplica: true,
  summary: 'Sessions of every wallet, last updated first.',
  description:
    'The view `stuck` has the sessions that should have moved and have not: the deadline is past, the service made no progress for half an hour, or record and escrow differ and no operator closed the session. The view `money_waiting` has the sessions whose money is in the escrow.',
  ...ADMIN,
  capability: 'ops:view',
  query: z.object({
    ...listQuery(50, 250),
    jobId: JobIdInput.optional(),
    status: z.enum(SESSION_STATUSES).optional().describe('Status as the row shows it: a claim past its deadline is `expired`.'),
    wallet: AddressInput.optional(),
    waitingFor: z.enum(WAITING_FOR).optional().describe('Who or what must act next.'),
    view: z.enum(SESSION_VIEWS).optional().describe('A saved choice of sessions.'),
    order: z
      .enum(SESSION_ORDERS)
      .default('updated')
      .describe('`updated`: last updated first. `deadline`: soonest deadline first, then the sessions without one, last updated first.'),
    format: z.enum(['full', 'compact']).optional(),
  }),
  responses: {
    200: z.object({
      sessions: z.array(z.union([SessionRowShape, CompactSessionShape])),
      count: z.int(),
      compact: z.boolean().describe('Whether the rows are compact.'),
      ...listAnswer,
      scope: literal('operator'),
    }),
  },
  examples: { query: { status: 'disputed' } },
})
