import { z } from 'zod'

/** Most advisories of one package version that are read. */
const MAX_FOUND = 1_000

/** Source: OSV API, "Query a batch of packages". */
export const BatchAnswer = z.object({
  results: z.array(
    z
      .object({
        vulns: z
          .array(z.object({ id: z.string().min(1).max(200) }))
          .max(MAX_FOUND)
          .nullish(),
        next_page_token: z.string().max(4_000).nullish(),
      })
      .nullable(),
  ),
})

/** Source: OSV schema 1.6. */
export const Advisory = z.object({
  id: z.string().min(1).max(200),
  aliases: z.array(z.string()).nullish(),
  summary: z.string().nullish(),
  details: z.string().nullish(),
  modified: z.string().nullish(),
  withdrawn: z.string().nullish(),
  severity: z.array(z.object({ type: z.string(), score: z.string() })).nullish(),
  database_specific: z.record(z.string(), z.unknown()).nullish(),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string() }).nullish(),
        versions: z.array(z.string()).nullish(),
        ranges: z
          .array(
            z.object({
              type: z.string(),
              events: z.array(
                z.object({ introduced: z.string().optional(), fixed: z.string().optional(), last_affected: z.string().optional() }),
              ),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
})
export type RawAdvisory = z.infer<typeof Advisory>
