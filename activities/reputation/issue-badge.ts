import { Ajv } from 'ajv'
import { iso } from '../../domain/common/instants.ts'
import { type BadgeFacts, buildBadge } from '../../domain/reputation/badge.ts'
import { AGENT_BADGE_V1 } from '../../schemas/reputation/agent-badge-v1.ts'
import { type SigningKey, signDocument } from '../common/document-signing.ts'

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
const validBadge = ajv.compile(AGENT_BADGE_V1)

/** Builds and signs a badge. Throws if it does not match its published schema. */
export const issueBadge = async (facts: BadgeFacts, key: SigningKey): Promise<Record<string, unknown>> => {
  const badge = buildBadge(facts)
  const document = { ...badge, signature: await signDocument(key, badge, iso(facts.resolvedAt)) }
  if (!validBadge(document)) throw new Error(`badge of ${facts.sessionId} breaks its schema: ${ajv.errorsText(validBadge.errors)}`)
  return document
}
