import { Ajv } from 'ajv'
import { iso } from '../../domain/common/instants.ts'
import { type BadgeFacts, buildBadge } from '../../domain/reputation/badge.ts'
import { AGENT_BADGE_V1 } from '../../schemas/reputation/agent-badge-v1.ts'
import { type SigningKey, signDocument } from '../common/document-signing.ts'

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
const validBadge = ajv.compile(AGENT_BADGE_V1)

/** A badge, signed and held to its published schema: what is stored is what a reader can verify. */
export const issueBadge = async (facts: BadgeFacts, key: SigningKey): Promise<Record<string, unknown>> => {
  const badge = buildBadge(facts)
  const document = { ...badge, signature: await signDocument(key, badge, iso(facts.resolvedAt)) }
  if (!validBadge(document)) throw new Error(`badge of ${facts.sessionId} breaks its schema: ${ajv.errorsText(validBadge.errors)}`)
  return document
}
