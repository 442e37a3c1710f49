import { z } from 'zod'
import type { ArtefactReference } from './execution.ts'

/** Maximum length of an address that a buyer names. */
export const MAX_ADDRESS_LENGTH = 2_048

/** A file that the buyer names, of at most so many bytes. */
export const artefactReference = (maxBytes: number): z.ZodType<ArtefactReference> =>
  z.strictObject({
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('SHA-256 of the bytes: 64 lower-case hex digits'),
    bytes: z.int().min(1).max(maxBytes).describe('length in bytes'),
    locator: z.strictObject({
      kind: z.literal('https'),
      url: z.url().max(MAX_ADDRESS_LENGTH).describe('where the service fetches the bytes, once'),
    }),
    format: z.string().min(1).max(60).describe('what the bytes are, e.g. a media type'),
  })
