import { z } from 'zod'

export const settings = {
  NODE_ENV: z.string().default('development'),
  BUILD_ID: z.string().default('dev'),
  /** Milliseconds added to the wall clock, one number in a file. Honoured on the local chain only (the time machine writes it). */
  CLOCK_OFFSET_FILE: z.string().optional(),
}
