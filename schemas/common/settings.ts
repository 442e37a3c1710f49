import { z } from 'zod'

export const settings = {
  NODE_ENV: z.string().default('development'),
  /** Name of a build beside the version of the package, for operators. */
  BUILD_ID: z.string().optional(),
  /** Milliseconds added to the wall clock, one number in a file. Honoured on the local chain only (the time machine writes it). */
  CLOCK_OFFSET_FILE: z.string().optional(),
}
