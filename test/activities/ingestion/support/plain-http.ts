import type { SourceHttp } from '../../../../activities/ingestion/source.ts'
import { budgetOf, sourceHttp } from './source-world.ts'

/** Requests without a limit by the client that the service has, to `origin` alone. The token goes there. */
export const plainHttp = (origin: string, token?: string): SourceHttp =>
  sourceHttp([new URL(origin).host], {
    budget: budgetOf(Number.MAX_SAFE_INTEGER),
    ...(token !== undefined && { token: { value: token, baseUrl: origin } }),
  })
