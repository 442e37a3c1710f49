import { z } from 'zod'
import { operation } from '../operations/operation.ts'
import { JobIdInput, listAnswer, listQuery, OpenObject, SessionIdInput, WaitSecondsQuery, word } from '../operations/values.ts'
import { SESSION_STATUSES } from './record.ts'
import { PendingSessionShape, SessionLifecycleShape, SessionShape, TimelineEntryShape } from './shapes.ts'

const tags = ['Sessions'] as const

const StateMachineShape = z.object({
  timelineVersion: word('v2'),
  statuses: z.array(
    z.object({
      status: z.enum(SESSION_STATUSES),
      label: z.string(),
      phase: z.string(),
      terminal: z.boolean(),
      outcome: z.string(),
      allowedTransitions: z.array(z.enum(SESSION_STATUSES)),
      reopensTo: z.array(z.enum(SESSION_STATUSES)).optional(),
      reopenWindowSeconds: z.int().optional(),
    }),
  ),
})

export const getSessionStateMachine = operation({
  id: 'getSessionStateMachine',
  method: 'GET',
  path: '/session/state-machine',
  summary: 'Session lifecycle graph.',
  tags,
  auth: 'none',
  responses: { 200: StateMachineShape },
  errors: [],
  cache: 'public, max-age=300',
  tool: { name: 'getSessionStateMachine', directory: true },
})

export const getSession = operation({
  id: 'getSession',
  method: 'GET',
  path: '/session',
  summary: 'One own session by id.',
  description:
    '`status` is `pending`, with the stage, while the chain write of a claim is under way. `waitSeconds` holds the answer until the state changes.',
  tags,
  auth: 'wallet',
  action: 'wallet_sign_in',
  capability: 'session:read',
  query: z
    .object({
      sessionId: SessionIdInput.optional(),
      id: SessionIdInput.optional().describe('Alias of `sessionId`.'),
      waitSeconds: WaitSecondsQuery,
    })
    .refine((query) => (query.sessionId ?? query.id) !== undefined, { path: ['sessionId'], error: 'is required' }),
  responses: { 200: z.union([SessionShape, PendingSessionShape]) },
  errors: ['session_not_found', 'session_not_owned', 'workflow_engine_unavailable'],
  tool: { name: 'resumeSession', directory: true },
  examples: { query: { sessionId: 'starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } },
})

export const listSessions = operation({
  id: 'listSessions',
  method: 'GET',
  path: '/sessions',
  summary: 'Own sessions, last moved first.',
  tags,
  auth: 'wallet',
  action: 'wallet_sign_in',
  capability: 'session:read',
  query: z.object({
    ...listQuery(25, 100),
    jobId: JobIdInput.optional(),
    state: z
      .enum([...SESSION_STATUSES, 'active'])
      .optional()
      .describe('A status, or `active` for claimed, submitted and disputed.'),
  }),
  responses: { 200: z.object({ sessions: z.array(SessionShape), ...listAnswer }) },
  errors: [],
  tool: { name: 'listSessions', directory: true },
  examples: { query: { state: 'active' } },
})

export const getSessionTimeline = operation({
  id: 'getSessionTimeline',
  method: 'GET',
  path: '/session/timeline',
  summary: 'Everything that happened to a session, for its owner, verifiers and admins.',
  tags,
  auth: 'wallet',
  action: 'wallet_sign_in',
  capability: 'session:timeline',
  query: z.object({ sessionId: SessionIdInput }),
  responses: {
    200: z.object({
      timelineVersion: word('v2'),
      session: SessionShape,
      lifecycle: SessionLifecycleShape,
      verification: OpenObject.nullable().optional(),
      childJobs: z.array(OpenObject),
      lineage: OpenObject.nullable(),
      stateMachine: StateMachineShape,
      timeline: z.array(TimelineEntryShape),
    }),
  },
  errors: ['session_not_found', 'session_not_owned'],
  examples: { query: { sessionId: 'starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } },
})
