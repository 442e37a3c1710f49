import { z } from 'zod'
import { Bytes32, ChainIdValue, closedShape, DocumentSignatureShape, SignedTime, shape } from '../operations/values.ts'

/** Day of UTC. */
export const DayValue = z.iso.date().meta({ description: 'Day of UTC, YYYY-MM-DD.', examples: ['2026-11-26'] })

export const HeadShape = closedShape('SessionLogHead', 'Signed head of one day of the session log.', {
  schemaVersion: z.literal('service.session-log-head.v1'),
  day: DayValue,
  chainId: ChainIdValue,
  entryCount: z.int().min(0).describe('Number of entries in the list of the day.'),
  entriesHash: Bytes32.describe('SHA-256 of the canonical JSON of the list of the day.'),
  previous: Bytes32.nullable().describe('SHA-256 of the canonical JSON of the head before; null for the first.'),
  sealedAt: SignedTime.describe('Instant at which the service closed the day.'),
  signature: DocumentSignatureShape,
})
/** A head as it is stored and served. */
export type HeadDocument = z.output<typeof HeadShape>

export const PublishedEntryShape = shape('PublishedLogEntry', 'One entry of the session log by its hash.', {
  position: z.int().min(1).describe('Place in the list of the day, from 1.'),
  hash: Bytes32,
  previousHash: Bytes32.nullable().describe('Hash of the entry before in the history of the same session; null for the first.'),
})
