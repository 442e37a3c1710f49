import { z } from 'zod'

export const settings = {
  /** Requests that one run may make of its source. */
  INGEST_REQUEST_BUDGET: z.coerce.number().int().min(1).max(10_000).default(200),
  /** Listed jobs of one source that may wait for a claim. */
  INGEST_OPEN_CAP: z.coerce.number().int().min(1).max(1_000).default(20),
}
