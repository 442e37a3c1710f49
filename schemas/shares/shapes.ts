import { z } from 'zod'
import { IsoTime, literal, OpenObject, shape } from '../operations/values.ts'
import { SHARE_SURFACES } from './record.ts'

/** A share without what it shows. */
export const ShareShape = shape('Share', 'A share, without what it shows.', {
  id: z.string(),
  surface: z.enum(SHARE_SURFACES).describe('Kind of the shared record.'),
  mode: literal('read_only'),
  issuedAt: IsoTime,
  expiresAt: IsoTime,
  ttlSeconds: z.int(),
  snapshotAt: IsoTime.describe('Instant of the frozen copy.'),
  revokedAt: IsoTime.optional().describe('Absent before it is revoked.'),
})

/** A rule of the service as a document. Source: identity, "Shares". */
const PolicyShape = shape('Policy', 'A rule of the service as a document. It shows no approvals, because none is signed.', {
  id: z.string(),
  tag: z.string(),
  scope: z.enum(['claim', 'settle', 'co-sign']).describe('Step to which it applies.'),
  severity: z.enum(['gating', 'hard_stop', 'advisory']).describe('What a breach stops.'),
  state: literal('active'),
  revision: z.int().describe('Number of the present text.'),
  handler: z.string().describe('Part of the service that applies it.'),
  gates: z.array(z.string()).describe('What it holds back until it is met.'),
  rule: z.string(),
  history: z.array(z.object({ revision: z.int(), at: IsoTime, note: z.string() })).describe('Earlier texts.'),
  activeSince: IsoTime,
  lastChange: IsoTime,
})
export type Policy = z.infer<typeof PolicyShape>

/** What a share shows. */
export const SharedResourceShape = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('agent_profile'), profile: OpenObject }),
    z.object({
      kind: z.literal('session_audit_trail'),
      session: OpenObject,
      timeline: z.array(OpenObject).describe('Oldest first.'),
    }),
    z.object({
      kind: z.literal('dispute_snapshot'),
      dispute: OpenObject.describe('The dispute without evidence; a rationale only where it is public content.'),
    }),
    z.object({ kind: z.literal('policy_snapshot'), policy: PolicyShape }),
  ])
  .meta({ id: 'SharedResource', description: 'The frozen, redacted copy of a record.' })
export type SharedResource = z.infer<typeof SharedResourceShape>
