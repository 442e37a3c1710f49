// From the local source to the verdict: each job is one that its verifier can judge.
import { afterEach, describe, expect, test } from '@jest/globals'
import { createOpenapiSource } from '../../../../activities/ingestion/sources/openapi.ts'
import { createStandardsSource } from '../../../../activities/ingestion/sources/standards.ts'
import { createGuardedFetch } from '../../../../activities/outbound/guarded-fetch.ts'
import { createVerifierHandlers } from '../../../../activities/verification/registry.ts'
import { createDigests } from '../../../../activities/verification/sources.ts'
import type { BuiltJob } from '../../../../domain/catalogue/job-definition.ts'
import { FILLERS, placeholderOf } from '../../../../domain/catalogue/placeholder.ts'
import { schemaErrors } from '../../../../domain/common/json-schema.ts'
import { openapiRules } from '../../../../domain/ingestion/documents/openapi.ts'
import { standardsRules } from '../../../../domain/ingestion/documents/standards.ts'
import { foreseeRejection } from '../../../../domain/verification/foreseen-rejection.ts'
import { buildJob } from '../../../../domain/verification/listing.ts'
import { approvesByRule } from '../../../../domain/verification/placeholder-check.ts'
import { createOpenapiList } from '../../../../local/sources/openapi.ts'
import { createStandardsCatalogue } from '../../../../local/sources/standards.ts'
import { JobInput } from '../../../../schemas/catalogue/job-input.ts'
import type { SchemaNode } from '../../../../schemas/catalogue/job-schemas/parts.ts'
import { jobSchemaByRef } from '../../../../schemas/catalogue/job-schemas/registry.ts'
import { LISTING } from '../../../domain/builders/job.ts'
import { createFixtureSources, FIXTURE_CLAIMANT } from '../../verification/fixtures/fixture.ts'
import { closeServers, createDocumentHttp, serveSource } from '../support/document-http.ts'

afterEach(closeServers)

interface Judged {
  built: BuiltJob
  schema: SchemaNode
  host: string
}

const schemaOf = ({ definition }: BuiltJob): SchemaNode => {
  const schema = jobSchemaByRef(definition.outputSchemaRef)
  if (schema === undefined) throw new Error('no schema')
  return schema
}

const openapiJobs = async (): Promise<Judged[]> => {
  const { host, baseUrl } = await serveSource(createOpenapiList({ entries: 10 }))
  const http = createDocumentHttp({ hosts: [host] })
  const { items } = await createOpenapiSource({ listUrl: `${baseUrl}/v2/list.json`, list: http, documents: http }).readPage({}, null)
  return items.map((item) => {
    expect(openapiRules.unfitOf(item)).toBeNull()
    const built = buildJob(JobInput.parse(openapiRules.jobOf(item, openapiRules.scoreOf(item))), LISTING)
    return { built, schema: schemaOf(built), host }
  })
}

const standardsJobs = async (): Promise<Judged[]> => {
  const { host, baseUrl } = await serveSource(createStandardsCatalogue({ entries: 10 }))
  const http = createDocumentHttp({ hosts: [host] })
  const deps = { catalogueUrl: baseUrl, pagesUrl: baseUrl, catalogue: http, documents: http }
  const { items } = await createStandardsSource(deps).readPage({}, null)
  return items.map((item) => {
    expect(standardsRules.unfitOf(item)).toBeNull()
    const built = buildJob(JobInput.parse(standardsRules.jobOf(item, standardsRules.scoreOf(item))), LISTING)
    return { built, schema: schemaOf(built), host }
  })
}

/** An honest work: the placeholder of the schema with the facts in the member that the instructions name. */
const workOf = ({ built, schema }: Judged, facts: readonly string[]) => {
  const work = placeholderOf(schema, 'value', FILLERS.done) as Record<string, unknown>
  const checks = facts.map((evidence) => ({ name: 'fact', status: 'pass', evidence }))
  return built.definition.id.startsWith('openapi') ? { ...work, checks } : { ...work, source_surface: facts.join('; ') }
}

describe.each([
  ['an interface document', openapiJobs],
  ['a standard', standardsJobs],
])('the job of %s', (_what, jobsOf) => {
  test('approves the facts, and no placeholder', async () => {
    for (const judged of await jobsOf()) {
      const { built, schema } = judged
      const work = workOf(
        judged,
        built.expectedOutputs.map(({ value }) => value),
      )
      expect(schemaErrors(schema, work)).toEqual([])
      expect(approvesByRule(built, schema, work)).toBe(true)
      expect(foreseeRejection(built.definition, schema, work)).toBeNull()
      for (const filler of Object.values(FILLERS)) {
        const placeholder = placeholderOf(schema, 'value', filler)
        expect(approvesByRule(built, schema, placeholder)).toBe(false)
        expect(foreseeRejection(built.definition, schema, placeholder)).toMatchObject({ outcome: 'rejected' })
      }
    }
  })

  test('rejects a wrong fact against the source that it was taken from', async () => {
    const [judged] = await jobsOf()
    if (judged === undefined) throw new Error('no job')
    const { built, schema, host } = judged
    const facts = built.expectedOutputs.map(({ value }) => (value.startsWith('bytes ') ? 'bytes 1' : value))
    const path = new URL(String(built.definition.source?.pinnedUrl))
    const sources = { ...createFixtureSources(), readDigest: createDigests(createGuardedFetch({ allowedHosts: [host] })) }
    const verdict = await createVerifierHandlers(sources)
      .get('deterministic')
      ?.evaluate({
        ...FIXTURE_CLAIMANT,
        config: built.definition.verifierConfig,
        definition: built.definition,
        outputSchema: schema,
        expectedOutputs: built.expectedOutputs,
        submission: workOf(judged, facts),
        knownRepository: null,
        attemptKey: null,
      })
    expect(path.host).toBe(host)
    expect(verdict).toMatchObject({ outcome: 'rejected', reasonCode: 'DETERMINISTIC_MISMATCH' })
  })
})
