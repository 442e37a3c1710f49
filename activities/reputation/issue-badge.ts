import { iso } from '../../domain/common/instants.ts'
import { type BadgeFacts, buildBadge } from '../../domain/reputation/badge.ts'
import { BadgeShape } from '../../schemas/reputation/shapes.ts'
import { type SigningKey, signDocument } from '../common/document-signing.ts'

/** Builds and signs a badge. Throws if it does not match its published schema. */
export const issueBadge = async (facts: BadgeFacts, key: SigningKey): Promise<Record<string, unknown>> => {
  const badge = buildBadge(facts)
  const document = { ...badge, signature: await signDocument(key, badge, iso(facts.resolvedAt)) }
  const { error } = BadgeShape.safeParse(document)
  if (error !== undefined) throw new Error(`badge of ${facts.sessionId} breaks its schema: ${error.message}`)
  return document
}
