import { AUDIT_SCHEMAS } from './audits.ts'
import { CODING_SCHEMAS } from './coding.ts'
import { GOVERNANCE_SCHEMAS } from './governance.ts'
import type { JobSchema } from './parts.ts'
import { WIKIPEDIA_SCHEMAS } from './wikipedia.ts'

const REF_PREFIX = 'schema://jobs/'

/** Name of the schema a reference of the form `schema://jobs/<name>` points to. */
export const jobSchemaName = (ref: string): string => (ref.startsWith(REF_PREFIX) ? ref.slice(REF_PREFIX.length) : ref)

/** Reference of a schema by its name. */
export const jobSchemaRef = (name: string): string => `${REF_PREFIX}${name}`

/** Public path of a schema; `.json` is part of it. */
export const jobSchemaPath = (name: string): string => `/schemas/jobs/${name}.json`

const builtIn: JobSchema[] = [...CODING_SCHEMAS, ...GOVERNANCE_SCHEMAS, ...AUDIT_SCHEMAS, ...WIKIPEDIA_SCHEMAS]

/** The built-in job schemas by name, in alphabetical order. */
export const JOB_SCHEMAS: ReadonlyMap<string, JobSchema> = new Map(
  builtIn.map((schema): [string, JobSchema] => [jobSchemaName(schema.$id), schema]).sort(([a], [b]) => (a < b ? -1 : 1)),
)

/** The built-in schema a reference points to; undefined when it is none of them. */
export const jobSchemaByRef = (ref: string): JobSchema | undefined =>
  ref.startsWith(REF_PREFIX) ? JOB_SCHEMAS.get(jobSchemaName(ref)) : undefined

/** Rows of `GET /schemas/jobs`. */
export const jobSchemaIndex = () =>
  [...JOB_SCHEMAS].map(([name, { $id, description }]) => ({ $id, description, path: jobSchemaPath(name) }))
