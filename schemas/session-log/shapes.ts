import { z } from 'zod'
import { Bytes32, ChainIdValue, DocumentSignatureShape, IsoTime } from '../operations/values.ts'

/** Day of UTC. */
export const DayValue = z.iso.date().meta({ description: 'Day of UTC, YYYY-MM-DD.', examples: ['2026-11-26'] })

export const HeadShape = z
  .strictObject({
    schemaVersion: z.literal('service.session-log-head.v1'),
    day: DayValue,
    chainId: ChainIdValue,
    entryCount: z.int().min(0),
    entriesHash: Bytes32,
    previous: Bytes32.nullable(),
    sealedAt: IsoTime,
    signature: DocumentSignatureShape,
  })
  .meta({ id: 'SessionLogHead', description: 'Signed head of one day of the session log.' })
/** A head as it is stored and served. */
export type HeadDocument = z.output<typeof HeadShape>

export const PublishedEntryShape = z
  .object({ position: z.int().min(1), hash: Bytes32, previousHash: Bytes32.nullable() })
  .meta({ id: 'PublishedLogEntry', description: 'One entry of the session log by its hash.' })
