import { z } from 'zod'
import { trimmedText } from '../operations/values.ts'
import type { Provider } from './providers.ts'

const names = (max: number) => z.array(trimmedText(1, 300)).min(1).max(max)

/** Own members of a run, by its source. */
export const INPUTS = {
  github: z.strictObject({ query: trimmedText(1, 256) }),
  wikipedia: z.strictObject({
    language: z
      .string()
      .regex(/^[a-z-]{2,40}$/)
      .default('en'),
    categories: names(10).optional(),
  }),
  osv: z.strictObject({
    packages: z.array(z.looseObject({})).max(500).default([]),
    maxPackageTargets: z.int().min(1).max(500).default(100),
  }),
  'open-data': z.strictObject({ datasets: names(50).optional(), query: trimmedText(1, 200).optional() }),
  openapi: z.strictObject({ specs: z.array(z.looseObject({})).max(50).default([]) }),
  standards: z.strictObject({
    specs: z
      .array(z.looseObject({ url: z.url().optional() }))
      .max(50)
      .default([]),
  }),
} as const satisfies Record<Provider, z.ZodObject>
