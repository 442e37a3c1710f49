import { z } from 'zod'
import { operation, PUBLIC, SIGNED_IN } from '../operations/operation.ts'
import {
  aliasOf,
  JobIdInput,
  listAnswer,
  listQuery,
  literal,
  OpenObject,
  oneMemberOf,
  SESSION_EXAMPLE,
  SessionIdInput,
  shape,
  WaitSecondsQuery,
} from '../operations/values.ts'
import { SESSION_STATUSES } from './record.ts'
import {
  LogEntryShape,
  PendingSessionShape,
  SESSION_IN_SHORT,
  SessionLifecycleShape,
  SessionRowShape,
  SessionShape,
  SessionStateShape,
  SessionTimelineEntryShape,
} from './shapes.ts'

const own = { tags: ['Sessions'], ...SIGNED_IN } as const

/** Members of a session in the short list of a tool. */
const ROW_IN_SHORT = ['sessionId', 'jobId', 'status', 'waitingFor', 'reason', 'deadline', 'claimExpiresAt', 'updatedAt'] as const

const StateMachineShape = shape('SessionStateMachine', 'Statuses of a session and the changes between them.', {
  timelineVersion: literal('v2'),
  statuses: z.array(
    z.object({
      status: z.enum(SESSION_STATUSES),
      label: z.string().describe('Name of the status for people.'),
      phase: z.string(),
      terminal: z.boolean(),
      outcome: z.string(),
      allowedTransitions: z.array(z.enum(SESSION_STATUSES)),
      reopensTo: z.array(z.enum(SESSION_STATUSES)).optional().describe('Statuses to which it can reopen within `reopenWindowSeconds`.'),
      reopenWindowSeconds: z.int().optional(),
    }),
  ),
})

export const getSessionStateMachine = operation('getSessionStateMachine', 'GET /session/state-machine', {
  summary: 'Session lifecycle graph.',
  tags: ['Sessions'],
  auth: PUBLIC,
  responses: { 200: StateMachineShape },
  cache: 'public, max-age=300',
  tool: { name: 'getSessionStateMachine', directory: true, sets: ['poster'] },
})

export const getSession = operation('getSession', 'GET /session', {
  summary: 'One own session by id.',
  description:
    '`status` is `pending`, with the stage, while the chain write of a claim is under way. `waitSeconds` holds the answer until the state changes.',
  ...own,
  capability: 'session:read',
  query: z
    .object({
      sessionId: SessionIdInput.optional(),
      id: aliasOf('sessionId', SessionIdInput.optional()),
      waitSeconds: WaitSecondsQuery,
    })
    .refine((query) => (query.sessionId ?? query.id) !== undefined, { path: ['sessionId'], error: 'is required' })
    .meta(oneMemberOf('sessionId', 'id')),
  responses: { 200: z.union([SessionShape, PendingSessionShape]) },
  errors: ['session_not_found', 'session_not_owned', 'workflow_engine_unavailable'],
  tool: { name: 'resumeSession', directory: true, sets: ['worker'], short: { members: SESSION_IN_SHORT } },
  examples: { query: { sessionId: SESSION_EXAMPLE } },
})

export const listSessions = operation('listSessions', 'GET /sessions', {
  fromReplica: true,
  summary: 'Own sessions, last updated first.',
  description: 'Pinned terms, submission and history of one are in `GET /session`.',
  ...own,
  capability: 'session:read',
  query: z.object({
    ...listQuery(25, 100),
    jobId: JobIdInput.optional(),
    state: z
      .enum([...SESSION_STATUSES, 'active'])
      .optional()
      .describe('A status, or `active` for claimed, submitted and disputed.'),
  }),
  responses: { 200: z.object({ sessions: z.array(SessionRowShape), ...listAnswer }) },
  tool: {
    name: 'listSessions',
    directory: true,
    sets: ['worker'],
    short: { members: [...ROW_IN_SHORT.map((name) => `sessions.${name}`), 'limit', 'nextCursor'] },
  },
  examples: { query: { state: 'active' } },
})

export const getSessionTimeline = operation('getSessionTimeline', 'GET /session/timeline', {
  summary: 'Timeline of a session, for its owner, verifiers, arbitrators and admins.',
  ...own,
  capability: 'session:timeline',
  description:
    '`log` holds the entries of the history as the session log publishes them, with their hashes. With `at`, timeline, log and `state` end with that entry; `session` stays as it is now.',
  query: z.object({
    sessionId: SessionIdInput,
    at: z.coerce.number().int().min(1).max(100_000).optional().describe('Number of the last entry of the history to show.'),
  }),
  responses: {
    200: z.object({
      timelineVersion: literal('v2'),
      session: SessionShape,
      lifecycle: SessionLifecycleShape,
      verification: OpenObject.nullable().optional(),
      childJobs: z.array(OpenObject).describe('Jobs that followed from this one.'),
      lineage: OpenObject.nullable(),
      stateMachine: StateMachineShape,
      timeline: z.array(SessionTimelineEntryShape),
      state: SessionStateShape,
      log: z.array(LogEntryShape).describe('Entries of the history as the session log publishes them.'),
    }),
  },
  errors: ['session_not_found', 'session_not_owned', 'session_entry_not_found'],
  examples: { query: { sessionId: SESSION_EXAMPLE } },
})
