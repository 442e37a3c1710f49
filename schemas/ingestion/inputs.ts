import type { z } from 'zod'
import { OpenapiInput } from './documents/openapi.ts'
import { StandardsInput } from './documents/standards.ts'
import { GithubInput } from './github.ts'
import { OpenDataInput } from './open-data.ts'
import { OsvInput } from './osv.ts'
import type { Provider } from './providers.ts'
import { WikipediaInput } from './wikipedia.ts'

/** Own members of a run, by its source. */
export const INPUTS = {
  github: GithubInput,
  wikipedia: WikipediaInput,
  osv: OsvInput,
  'open-data': OpenDataInput,
  openapi: OpenapiInput,
  standards: StandardsInput,
} as const satisfies Record<Provider, z.ZodObject>
