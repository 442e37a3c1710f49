import { type BadgeFacts, buildBadge } from '../../domain/reputation/badge.ts'
import { BadgeShape } from '../../schemas/reputation/shapes.ts'
import type { SignDocument } from '../identity/signing-keys.ts'

/** Builds and signs a badge. Throws if it does not match its published schema. */
export const issueBadge = async (facts: BadgeFacts, sign: SignDocument): Promise<Record<string, unknown>> => {
  const badge = buildBadge(facts)
  const document = { ...badge, signature: await sign(badge, facts.resolvedAt) }
  const { error } = BadgeShape.safeParse(document)
  if (error !== undefined) throw new Error(`badge of ${facts.sessionId} breaks its schema: ${error.message}`)
  return document
}
