import type { Provider } from '../../schemas/ingestion/providers.ts'
import { sha256Of } from '../common/hashes.ts'

/** What a run is asked for, after defaults. */
interface Asked {
  input: Record<string, unknown>
  dryRun: boolean
  limit: number
  minScore: number
}

const shortHash = (value: unknown): string => sha256Of(value).slice(2, 18)

/** Key of a run within its source, 16 hex digits: equal inputs and idempotency keys give equal keys. */
export const ingestKey = (provider: Provider, { input, dryRun, limit, minScore }: Asked, idempotencyKey: string | null): string =>
  shortHash({ provider, input, dryRun, limit, minScore, ...(idempotencyKey !== null && { idempotencyKey }) })

/** Key of the own members of a source. */
export const inputKey = (input: Record<string, unknown>): string => shortHash(input)
